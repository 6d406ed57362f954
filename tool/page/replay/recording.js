// The page's data: unpacked when a trial is first shown, and sampled at any time.
'use strict';

const [POST, BOX] = [1, 2]; // sim_obstacle_kind

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const wrapAngle = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/// A number with so many decimals, a true minus sign, and no minus before zero.
function fixed(value, digits) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Every browser runs on a little-endian machine, so the bytes are the numbers.
const floatsOf = (base64) => new Float32Array(bytesOf(base64).buffer);

/// Numbers in rows of so many.
function rowsOf(base64, width) {
  const values = floatsOf(base64);
  return Array.from({ length: values.length / width }, (_, i) => values.slice(i * width, (i + 1) * width));
}

function scaledOf(column) {
  const { buffer } = bytesOf(column.data);
  const whole = column.bytes ? new Int8Array(buffer) : new Int16Array(buffer);
  return Float32Array.from(whole, (value) => value * column.step);
}

/// Headings without the jump at half a turn, so that they can be interpolated.
function unwrapped(headings) {
  for (let i = 1; i < headings.length; i++)
    headings[i] = headings[i - 1] + wrapAngle(headings[i] - headings[i - 1]);
  return headings;
}

/// The greatest value so far: what "distance" means on the charts' axis, where a vehicle that
/// comes back to an earlier place must not draw over what it drew before.
function runningMost(values) {
  const most = Float32Array.from(values);
  for (let i = 1; i < most.length; i++) most[i] = Math.max(most[i], most[i - 1]);
  return most;
}

/// Last index whose value is at most `value`, in a column that never falls.
function lastAtMost(column, value) {
  let low = 0;
  let high = column.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (column[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/// Where a course lies, relative to its first waypoint: canvases calculate in 32 bits.
class Course {
  constructor(raw) {
    this.name = raw.name;
    this.about = raw.about;
    this.closed = raw.closed;
    for (const column of ['x', 'y', 'left', 'right', 'limit', 'stop', 'direction'])
      this[column] = floatsOf(raw[column]);
    this.count = this.x.length;
    this.origin = { x: this.x[0] || 0, y: this.y[0] || 0 };
    this.x = this.x.map((x) => x - this.origin.x);
    this.y = this.y.map((y) => y - this.origin.y);
    this.distance = this.distances();
    this.readWorld(raw);
    this.readStreets(raw);
    this.plan = raw.plan && new Plan(raw.plan, this.origin);
  }

  /// Where a town was driven in, or agents drove among one another, all drove at the same time, and
  /// there is no one course.
  readStreets(raw) {
    this.agents = Boolean(raw.agents);
    this.laps = Boolean(raw.laps);
    this.raceLaps = raw.race_laps;
    this.raceLength = raw.race_length;
    this.sight = raw.sight; // of a racer [m]
    this.isRace = Boolean(raw.race_laps);
    this.line = raw.line ? rowsOf(raw.line, 2).map(([x, y]) => ({ x: x - this.origin.x, y: y - this.origin.y })) : [];
    this.isLane = Boolean(raw.lanes);
    this.shared = this.agents || this.isRace || this.isLane || Boolean(raw.streets);
    this.streets = [];
    for (const [x, y, half, begins] of raw.streets ? rowsOf(raw.streets, 4) : []) {
      if (begins) this.streets.push({ half, points: [] });
      this.streets[this.streets.length - 1].points.push({ x: x - this.origin.x, y: y - this.origin.y });
    }
  }

  /// Solids, patches of other grip, and the heights of the ground.
  readWorld(raw) {
    const { x, y } = this.origin;
    this.solids = rowsOf(raw.solids, 6).map(([x1, y1, x2, y2, thickness, kind]) =>
      ({ x1: x1 - x, y1: y1 - y, x2: x2 - x, y2: y2 - y, thickness, isPost: kind === POST, isBox: kind === BOX }));
    this.zones = rowsOf(raw.zones, 7).map(([zoneX, zoneY, radius, halfLength, halfWidth, heading, grip]) =>
      ({ x: zoneX - x, y: zoneY - y, radius, halfLength, halfWidth, heading, grip }));
    const terrain = raw.terrain;
    this.terrain = terrain && { ...terrain, x: terrain.x - x, y: terrain.y - y, heights: floatsOf(terrain.heights) };
  }

  distances() {
    const distance = new Float64Array(this.count);
    for (let i = 1; i < this.count; i++)
      distance[i] = distance[i - 1] + Math.hypot(this.x[i] - this.x[i - 1], this.y[i] - this.y[i - 1]);
    return distance;
  }

  get length() {
    const last = this.count - 1;
    const home = this.closed ? Math.hypot(this.x[last] - this.x[0], this.y[last] - this.y[0]) : 0;
    return this.count ? this.distance[last] + home : 0;
  }

  get segmentCount() {
    return this.closed ? this.count : this.count - 1;
  }

  /// The points of the course from one distance to another, both ends included.
  stretch(from, to) {
    const points = [this.at(from)];
    for (let i = lastAtMost(this.distance, from) + 1; i < this.count && this.distance[i] < to; i++)
      points.push({ x: this.x[i], y: this.y[i] });
    points.push(this.at(to));
    return points;
  }

  at(distance) {
    const i = lastAtMost(this.distance, distance);
    const next = i + 1 < this.count ? i + 1 : this.closed ? 0 : i;
    const length = Math.hypot(this.x[next] - this.x[i], this.y[next] - this.y[i]);
    const part = length > 0 ? clamp((distance - this.distance[i]) / length, 0, 1) : 0;
    return {
      x: this.x[i] + (this.x[next] - this.x[i]) * part,
      y: this.y[i] + (this.y[next] - this.y[i]) * part,
    };
  }
}

const WHOLE_COLUMNS = ['x', 'y', 'progress'];
const SCALED_COLUMNS = ['heading', 'speed', 'steering', 'throttle', 'brake', 'nearest_x', 'nearest_y',
  'target_x', 'target_y', 'lookahead', 'target_speed', 'curvature', 'steer_curvature', 'error',
  'heading_error', 'acceleration'];

/// One trial: a vehicle and its driver on a course.
class Trial {
  constructor(raw, index, course) {
    this.raw = raw;
    this.index = index;
    this.course = course;
    this.vehicle = raw.vehicle;
    this.result = raw.result;
    this.count = raw.count;
    this.start = raw.start;
    this.begin = this.start - (course.plan?.prelude ?? 0); // what comes before the first sample
    this.step = raw.stride / raw.rate;
    // The last sample may lie less than a step behind the one before.
    this.end = raw.end ?? this.start + Math.max(this.count - 1, 0) * this.step;
    this.number = raw.number;
    this.color = raw.color;
    this.lapEnds = raw.lap_ends ?? [];
    this.lateralAcceleration = raw.lateral_acceleration;
    this.unpacked = null;
  }

  /// All columns as arrays, by name.
  get columns() {
    return (this.unpacked ??= this.unpack());
  }

  /// A planned movement that was driven in the simulation, too.
  get isDriven() {
    return Boolean(this.raw.driven);
  }

  get hasWheels() {
    return this.vehicle.kind === WHEELED;
  }

  unpack() {
    const columns = {};
    for (const name of WHOLE_COLUMNS) columns[name] = floatsOf(this.raw[name]);
    for (const name of SCALED_COLUMNS) columns[name] = this.scaled(this.raw[name]);
    columns.x = columns.x.map((x) => x - this.course.origin.x);
    columns.y = columns.y.map((y) => y - this.course.origin.y);
    columns.heading = unwrapped(columns.heading);
    if (this.course.isRace) this.unpackRace(columns);
    if (this.course.isLane) this.unpackLane(columns);
    if (this.course.plan) this.unpackPlan(columns);
    columns.reached = runningMost(columns.progress);
    columns.pace = columns.speed.map(Math.abs);
    const degrees = (this.vehicle.steering_angle_max * 180) / Math.PI;
    columns.steered = this.hasWheels ? columns.steering.map((part) => part * degrees) : columns.steering;
    const states = this.raw.states ? bytesOf(this.raw.states) : new Uint8Array(2 * this.count);
    const state = (read) => Int8Array.from({ length: this.count }, (_, i) => read(i));
    columns.reason = state((i) => states[2 * i]);
    columns.gear = state((i) => (states[2 * i + 1] & 15) - 2);
    columns.outside = state((i) => (states[2 * i + 1] >> 4) & 1);
    columns.stuck = state((i) => (states[2 * i + 1] >> 5) & 1);
    columns.touching = state((i) => (states[2 * i + 1] >> 6) & 1);
    columns.absent = state((i) => states[2 * i + 1] >> 7);
    return columns;
  }

  /// A column of whole steps, of floats, or of nothing.
  scaled(column) {
    if (!column) return new Float32Array(this.count);
    return typeof column === 'string' ? floatsOf(column) : scaledOf(column);
  }

  /// What only planned movements have, and what follows from it.
  unpackPlan(columns) {
    const { speed, curvature } = columns;
    const { wheelbase, steering_angle_max: most } = this.vehicle;
    columns.along = this.scaled(this.raw.along);
    columns.lateral = speed.map((value, i) => value * Math.abs(value) * curvature[i]);
    if (this.isDriven) {
      for (const name of ['late', 'planned']) columns[name] = floatsOf(this.raw[name]);
      columns.gears = floatsOf(this.raw.gear);
      return;
    }
    columns.steering = curvature.map((value) => Math.atan(value * wheelbase) / most);
    columns.brake = columns.along.map((gain) => (gain < -0.01 ? 0.6 : 0));
  }

  /// What only races have, and what follows from it.
  unpackRace(columns) {
    const pedals = scaledOf(this.raw.pedals);
    const { error, heading, steering } = columns;
    columns.lane = scaledOf(this.raw.lane);
    columns.decider = bytesOf(this.raw.deciders);
    columns.throttle = pedals.map((pedal) => Math.max(pedal, 0));
    columns.brake = pedals.map((pedal) => Math.max(-pedal, 0));
    columns.nearest_x = error.map((size, i) => size * Math.sin(heading[i]));
    columns.nearest_y = error.map((size, i) => -size * Math.cos(heading[i]));
    columns.steer_curvature = steering.map((part) => Math.tan(part * this.vehicle.steering_angle_max) / this.vehicle.wheelbase);
  }

  /// What only those have who keep their lane by rays.
  unpackLane(columns) {
    const pedals = scaledOf(this.raw.pedals);
    columns.throttle = pedals.map((pedal) => Math.max(pedal, 0));
    columns.brake = pedals.map((pedal) => Math.max(-pedal, 0));
    columns.steer_curvature = columns.steering.map((part) => Math.tan(part * this.vehicle.steering_angle_max) / this.vehicle.wheelbase);
    for (const name of ['edge_wanted', 'edge_held', 'gap']) columns[name] = scaledOf(this.raw[name]);
    columns.rays = raysOf(this.raw, this.count);
  }

  indexAt(time) {
    if (time >= this.end - 1e-6) return Math.max(this.count - 1, 0);
    return clamp(Math.floor((time - this.start) / this.step + 1e-6), 0, Math.max(this.count - 1, 0));
  }

  timeAt(index) {
    return Math.min(this.start + index * this.step, Math.max(this.end, this.start));
  }

  /// The sample at or before a time, and how much of the way to the next has passed.
  placeAt(time) {
    const index = clamp(Math.floor((time - this.start) / this.step), 0, Math.max(this.count - 2, 0));
    const from = this.timeAt(index);
    const gap = this.timeAt(index + 1) - from;
    return [index, gap > 0 ? clamp((time - from) / gap, 0, 1) : 0];
  }

  /// Not in the world: what lies between a place where it left and one where it came back is no way.
  isAbsent(index) {
    const { absent } = this.columns;
    return Boolean(absent[index] || absent[index + 1]);
  }

  /// A car that has finished, shown where it crossed the line.
  isHome(index) {
    return this.course.isRace && this.isAbsent(index);
  }

  /// The value of a column at a time, between its samples linear.
  value(name, time) {
    const column = this.columns[name];
    if (this.count < 2) return column[0];
    const [i, part] = this.placeAt(time);
    if ((this.course.isRace || this.course.isLane) && (name === 'x' || name === 'y')) return this.cubic(column, i, part, name === 'x' ? Math.cos : Math.sin);
    return column[i] + (column[i + 1] - column[i]) * part;
  }

  /// A place between samples that are far apart, by speed and heading: Hermite's cubic.
  cubic(column, i, part, along) {
    const { speed, heading } = this.columns;
    const change = column[i + 1] - column[i];
    const [from, to] = [i, i + 1].map((k) => speed[k] * along(heading[k]) * this.step);
    // Who was put elsewhere, or slides, does not go where it faces.
    if (Math.abs(from - change) + Math.abs(to - change) > 3 + 0.3 * Math.abs(change)) return column[i] + change * part;
    const rest = 1 - part;
    return column[i] + change * part * part * (3 - 2 * part) + from * part * rest * rest - to * part * part * rest;
  }

  /// Everything at a time: numbers between the samples, states of the sample before.
  at(time) {
    const now = { index: this.indexAt(time) };
    for (const name of [...WHOLE_COLUMNS, ...SCALED_COLUMNS]) now[name] = this.value(name, time);
    for (const name of ['reason', 'gear', 'outside', 'stuck', 'touching']) now[name] = this.columns[name][now.index];
    return now;
  }
}

/// Number of a driver's colour. Where agents have parts to play it says which: the last one is for
/// whom the others are after.
function hueOf(trial) {
  const { trials } = trial.course;
  if (trial.vehicle.marked) return 4;
  if (!trial.vehicle.role) return trials.indexOf(trial) % 4;
  const roles = new Set(trials.filter(({ vehicle }) => !vehicle.marked).map(({ vehicle }) => vehicle.role));
  return [...roles].indexOf(trial.vehicle.role) % 4;
}

/// What the page shows: title, reasons, courses, and trials with the names that set them apart.
function readRecordings(element) {
  const raw = JSON.parse(element.textContent);
  const courses = raw.courses.map((course) => new Course(course));
  const trials = raw.trials.map((trial, index) => new Trial(trial, index, courses[trial.course]));
  for (const course of courses) course.trials = trials.filter((trial) => trial.course === course);
  const vehicles = new Set(trials.map((trial) => trial.vehicle.name));
  for (const trial of trials) {
    const follower = trial.raw.follower;
    trial.name = trial.course.plan ? trial.vehicle.name : trial.course.isRace ? `${trial.number}: ${trial.vehicle.name}, skill ${trial.raw.skill}` : trial.course.shared ? trial.vehicle.name : vehicles.size > 1 ? `${follower}, ${trial.vehicle.name}` : follower;
    trial.hue = hueOf(trial);
  }
  for (const course of courses) if (course.isRace) course.race = new Race(course, course.trials);
  return { title: raw.title, reasons: raw.reasons, courses, trials };
}
