// How a movement was found: before time 0 the tree of the search grows, then better movements take
// the place of worse ones; from 0 on the last one is driven.
'use strict';

const [SEARCH_LEAST, SEARCH_MOST] = [2, 9]; // how long the search is shown [s]
const ANSWER_SECONDS = 0.22; // for each better movement …
const ANSWERS_MOST = 4; // … up to so long in all
const REST_SECONDS = 0.7; // the best one is looked at before it is driven
const CHUNK = 400; // arcs that share shapes
const COST_BINS = 16;
const COSTS = { light: ['#3878cc', '#8c5cb8', '#de734d'], dark: ['#6ea8ff', '#b98be0', '#ff9d6e'] };

/// Blue where the search begins, violet, orange at its far ends.
function costColor(part, dark) {
  const stops = dark ? COSTS.dark : COSTS.light;
  return part < 0.5 ? mix(stops[0], stops[1], 2 * part) : mix(stops[1], stops[2], 2 * part - 1);
}

class Plan {
  constructor(raw, origin) {
    Object.assign(this, { outcome: raw.outcome, lowerBound: raw.lower_bound, expansions: raw.expansions, steps: raw.steps, leftOut: raw.left_out, costMost: raw.cost_most });
    const move = ([x, y, heading]) => ({ x: x - origin.x, y: y - origin.y, heading });
    this.from = move(raw.from);
    this.to = move(raw.to);
    this.arcs = rowsOf(raw.arcs, 7).map(([x, y, heading, curvature, length, cost, expansion]) =>
      ({ x: x - origin.x, y: y - origin.y, heading, curvature, length, cost, expansion }));
    this.answers = raw.answers.map(({ way, ...answer }) =>
      ({ ...answer, points: rowsOf(way, 3).map(([x, y, speed]) => ({ x: x - origin.x, y: y - origin.y, speed: Math.abs(speed) })) }));
    // Cells and box of a turned map are in its own frame.
    this.turn = raw.turn && move(raw.turn);
    const corner = this.turn ? { x: 0, y: 0 } : origin;
    const boxesOf = (base64) => rowsOf(base64 ?? '', 4).map(([x, y, width, height]) => ({ x: x - corner.x, y: y - corner.y, width, height }));
    this.cells = boxesOf(raw.cells);
    this.priced = boxesOf(raw.priced);
    this.box = raw.box && rowsOf(raw.box, 4).map(([x0, y0, x1, y1]) => [x0 - corner.x, y0 - corner.y, x1 - x0, y1 - y0])[0];
    this.movers = rowsOf(raw.movers, 7).map(([x, y, heading, vx, vy, length, width]) => ({ x: x - origin.x, y: y - origin.y, heading, vx, vy, length, width }));
    this.polygons = [];
    for (const [x, y, begins] of rowsOf(raw.polygons ?? '', 3)) {
      if (begins) this.polygons.push([]);
      this.polygons[this.polygons.length - 1].push({ x: x - origin.x, y: y - origin.y });
    }
    this.layOut();
  }

  /// When what is shown.
  layOut() {
    this.searchSeconds = this.arcs.length ? clamp(1.2 * Math.log10(this.expansions + 10), SEARCH_LEAST, SEARCH_MOST) : 0;
    this.answerSeconds = this.answers.length > 1 ? Math.min(ANSWER_SECONDS * this.answers.length, ANSWERS_MOST) : 0;
    this.prelude = this.searchSeconds + this.answerSeconds + (this.answers.length ? REST_SECONDS : 0);
  }

  /// Expansions that are done at a time.
  expansionsAt(time) {
    const passed = time + this.prelude;
    return passed >= this.searchSeconds ? this.expansions : Math.floor((passed / this.searchSeconds) * this.expansions);
  }

  arcsAt(time) {
    const done = this.expansionsAt(time);
    return done >= this.expansions ? this.arcs.length : firstAbove(this.arcs, done);
  }

  /// Index of the best movement known at a time; -1: none yet.
  answerAt(time) {
    const passed = time + this.prelude - this.searchSeconds;
    if (passed < 0 || !this.answers.length) return -1;
    if (passed >= this.answerSeconds) return this.answers.length - 1;
    return Math.floor((passed / this.answerSeconds) * this.answers.length);
  }

  phaseAt(time) {
    if (time >= 0) return this.answers.length ? 'Driving' : this.outcome.replaceAll('_', ' ');
    if (time + this.prelude < this.searchSeconds) return 'Searching';
    return this.answerAt(time) < this.answers.length - 1 ? 'Improving' : 'Found';
  }

  get bounds() {
    const bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    const include = ({ x, y }, room = 0) => {
      bounds.left = Math.min(bounds.left, x - room);
      bounds.right = Math.max(bounds.right, x + room);
      bounds.bottom = Math.min(bounds.bottom, y - room);
      bounds.top = Math.max(bounds.top, y + room);
    };
    include(this.from, 4);
    include(this.to, 4);
    for (const { points } of this.answers) for (const point of points) include(point, 2);
    for (const arc of this.arcs) include(arc);
    return bounds;
  }
}

function firstAbove(arcs, expansion) {
  let low = 0;
  let high = arcs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (arcs[middle].expansion <= expansion) low = middle + 1;
    else high = middle;
  }
  return low;
}

// ---------------------------------------------------------------- shapes

function addArc(shape, { x, y, heading, curvature, length }) {
  shape.moveTo(x, y);
  const turn = curvature * length;
  if (Math.abs(turn) < 1e-4) {
    shape.lineTo(x + length * Math.cos(heading), y + length * Math.sin(heading));
    return;
  }
  const radius = 1 / curvature;
  const [cx, cy] = [x - radius * Math.sin(heading), y + radius * Math.cos(heading)];
  const from = heading - (curvature > 0 ? Math.PI / 2 : -Math.PI / 2);
  shape.arc(cx, cy, Math.abs(radius), from, from + turn, turn < 0);
}

const costBin = (plan, arc) => clamp(Math.floor((arc.cost / (plan.costMost || 1)) * COST_BINS), 0, COST_BINS - 1);

/// Arcs from one index to another as shapes by colour.
function treeShapes(plan, from, to) {
  const shapes = new Map();
  for (let i = from; i < to; i++) {
    const bin = costBin(plan, plan.arcs[i]);
    if (!shapes.has(bin)) shapes.set(bin, new Path2D());
    addArc(shapes.get(bin), plan.arcs[i]);
  }
  return shapes;
}

/// A shape of boxes in the frame of the map.
function boxShape(plan, boxes) {
  const shape = new Path2D();
  for (const { x, y, width, height } of boxes) shape.rect(x, y, width, height);
  if (!plan.turn) return shape;
  const turned = new Path2D();
  turned.addPath(shape, new DOMMatrix().translate(plan.turn.x, plan.turn.y).rotate((plan.turn.heading * 180) / Math.PI));
  return turned;
}

function obstacleShape(plan) {
  if (plan.obstacles) return plan.obstacles;
  const shape = boxShape(plan, plan.cells);
  for (const polygon of plan.polygons) {
    polygon.forEach(({ x, y }, i) => (i ? shape.lineTo(x, y) : shape.moveTo(x, y)));
    shape.closePath();
  }
  return (plan.obstacles = shape);
}

/// Ground that had better be kept off.
function pricedShape(plan) {
  if (plan.lawn) return plan.lawn;
  return (plan.lawn = boxShape(plan, plan.priced));
}

// ---------------------------------------------------------------- on the map

function drawPlanGround(scene, trial) {
  const { context, palette } = scene;
  const { plan } = trial.course;
  context.globalAlpha = 0.32;
  context.fillStyle = palette.good;
  context.fill(pricedShape(plan));
  context.fillStyle = palette.solid;
  context.globalAlpha = 0.55;
  context.fill(obstacleShape(plan), 'nonzero');
  context.globalAlpha = 1;
  if (plan.box) {
    context.strokeStyle = palette.roadEdge;
    context.lineWidth = scene.pixels(1);
    const [x, y, width, height] = plan.box;
    context.stroke(boxShape(plan, [{ x, y, width, height }]));
  }
  drawPlanEnd(scene, trial.vehicle, plan.from, palette.muted);
  drawPlanEnd(scene, trial.vehicle, plan.to, palette.error);
}

/// The outline at an end, and which way it faces.
function drawPlanEnd(scene, vehicle, { x, y, heading }, color) {
  const { context } = scene;
  const { length, width, reference_to_front: front } = vehicle;
  context.save();
  context.translate(x, y);
  context.rotate(heading);
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = scene.pixels(1.5);
  context.beginPath();
  context.rect(front - length, -width / 2, length, width);
  context.globalAlpha = 0.14;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
  context.beginPath();
  context.moveTo(front, 0);
  context.lineTo(front - 0.4 * width, 0.4 * width);
  context.lineTo(front - 0.4 * width, -0.4 * width);
  context.fill();
  context.restore();
}

function drawTree(scene, plan, time) {
  const { context, palette } = scene;
  const count = plan.arcsAt(time);
  plan.chunks ??= [];
  context.lineWidth = scene.pixels(plan.arcs.length > 3000 ? 0.7 : 1.1);
  context.globalAlpha = time < 0 && plan.answerAt(time) < 0 ? 0.75 : 0.32;
  const stroke = (shapes) => shapes.forEach((shape, bin) => {
    context.strokeStyle = costColor(bin / (COST_BINS - 1), palette.dark);
    context.stroke(shape);
  });
  const whole = Math.floor(count / CHUNK);
  for (let i = 0; i < whole; i++) stroke((plan.chunks[i] ??= treeShapes(plan, i * CHUNK, (i + 1) * CHUNK)));
  stroke(treeShapes(plan, whole * CHUNK, count));
  // What was found last, so that the eye sees where it grows.
  if (time < 0 && count > 0 && plan.answerAt(time) < 0) {
    context.globalAlpha = 1;
    context.strokeStyle = palette.ink;
    context.lineWidth = scene.pixels(1.6);
    const latest = new Path2D();
    const { expansion } = plan.arcs[count - 1];
    for (let i = count - 1; i >= 0 && plan.arcs[i].expansion === expansion; i--) addArc(latest, plan.arcs[i]);
    context.stroke(latest);
  }
  context.globalAlpha = 1;
}

/// A movement on the way, coloured by speed.
function drawAnswer(scene, course, { points }) {
  const { context, palette } = scene;
  const most = speedSpan(course);
  context.lineWidth = scene.pixels(3);
  for (let i = 1; i < points.length; i++) {
    const bin = clamp(Math.round((points[i].speed / most) * (SPEED_BINS - 1)), 0, SPEED_BINS - 1);
    context.strokeStyle = palette.speeds[bin];
    context.beginPath();
    context.moveTo(points[i - 1].x, points[i - 1].y);
    context.lineTo(points[i].x, points[i].y);
    context.stroke();
  }
}

/// What was planned, beneath what is driven.
function drawPlannedLine(scene, { answers }) {
  const { context, palette } = scene;
  const { points } = answers[answers.length - 1];
  context.strokeStyle = palette.intent;
  context.globalAlpha = 0.4;
  context.lineWidth = scene.pixels(7);
  context.beginPath();
  points.forEach(({ x, y }, i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
  context.globalAlpha = 1;
}

/// Those who cross the way: they set out when the movement does.
function drawMovers(scene, plan, time) {
  const { context, palette } = scene;
  const passed = Math.max(time, 0);
  for (const { x, y, heading, vx, vy, length, width } of plan.movers) {
    context.save();
    context.translate(x + vx * passed, y + vy * passed);
    context.rotate(heading);
    context.beginPath();
    context.roundRect(-length / 2, -width / 2, length, width, [width * 0.16, width * 0.3, width * 0.3, width * 0.16]);
    context.fillStyle = palette.intent;
    context.fill();
    context.strokeStyle = palette.surface;
    context.lineWidth = scene.pixels(1.5);
    context.stroke();
    context.restore();
  }
}

/// All that lies beneath the vehicle.
function drawPlan(scene, trial, now, time, showsTree) {
  const { course } = trial;
  drawPlanGround(scene, trial);
  if (showsTree) drawTree(scene, course.plan, time);
  drawMovers(scene, course.plan, time);
  const answer = course.plan.answerAt(time);
  if (trial.isDriven && time >= 0) drawPlannedLine(scene, course.plan);
  if (time >= 0 && course.plan.answers.length) scene.drawDriven(trial, now);
  else if (answer >= 0) drawAnswer(scene, course, course.plan.answers[answer]);
}

// ---------------------------------------------------------------- in words

/// Under the scrubber: searching, improving, driving by speed.
function drawPlanRibbon(context, trial, palette, inset, width) {
  const { plan } = trial.course;
  const xOf = (time) => inset + ((time - trial.begin) / Math.max(trial.end - trial.begin, 1e-3)) * width;
  const fill = (from, to, color) => {
    context.fillStyle = color;
    context.fillRect(xOf(from), 4, xOf(to) - xOf(from) + 0.5, 8);
  };
  const improves = trial.begin + plan.searchSeconds;
  for (let i = 0; i < COST_BINS; i++)
    fill(trial.begin + (plan.searchSeconds * i) / COST_BINS, trial.begin + (plan.searchSeconds * (i + 1)) / COST_BINS, costColor(i / (COST_BINS - 1), palette.dark));
  if (improves < 0) fill(improves, 0, palette.centre);
  const bins = binsOf(trial);
  for (let i = 0; i + 1 < trial.count; i++) fill(trial.timeAt(i), trial.timeAt(i + 1), palette.speeds[bins[i]]);
}

function showPlan(trial, time, now) {
  const { plan } = trial.course;
  const set = (id, text) => ($(id).textContent = text);
  const answer = plan.answers[plan.answerAt(time)];
  set('p-phase', plan.phaseAt(time));
  set('p-cost', answer ? answer.cost.toFixed(2) : '–');
  set('p-bound', plan.lowerBound.toFixed(2));
  set('p-expansions', plan.expansionsAt(time).toLocaleString('en'));
  set('p-arcs', (plan.arcsAt(time) + (time >= 0 ? plan.leftOut : 0)).toLocaleString('en'));
  set('p-steps', (time >= 0 ? plan.steps : answer ? answer.steps : plan.expansionsAt(time)).toLocaleString('en'));
  set('p-above', answer && plan.lowerBound > 0 ? `+${(100 * (answer.cost / plan.lowerBound - 1)).toFixed(1)}` : '–');
  set('p-speed', time < 0 ? '–' : fixed(now.speed, 1));
  set('p-side', time < 0 ? '–' : signed(trial.value('lateral', time), 1));
  set('p-radius', time < 0 ? '–' : radiusText(now.curvature));
  set('p-along', time < 0 ? '–' : signed(trial.value('along', time), 1));
  if (trial.isDriven) showDriving(trial, Math.max(time, 0), now);
}

function showDriving(trial, time, now) {
  const set = (id, text) => ($(id).textContent = text);
  const gear = Math.round(trial.columns.gears[trial.indexAt(time)]);
  set('p-off', now.error.toFixed(2));
  set('p-late', signed(trial.value('late', time), 2));
  set('p-gear', gear < 0 ? 'reverse' : gear === 0 ? 'neutral' : String(gear));
  set('p-steering', signed(steeringOf(trial.vehicle, now), trial.hasWheels ? 1 : 0));
  set('p-steering-unit', trial.hasWheels ? '°' : '%');
  for (const pedal of ['throttle', 'brake']) {
    set(`p-${pedal}`, (now[pedal] * 100).toFixed(0));
    $(`p-${pedal}-level`).style.setProperty('--level', now[pedal]);
  }
}
