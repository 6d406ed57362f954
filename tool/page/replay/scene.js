// What is drawn on the map: the course, the driven line, the vehicles, and what the driver thinks.
// Shapes that do not move are Path2D in world coordinates, built once; the rest is a few strokes.
'use strict';

// Viridis at nine even steps: equal changes of speed look equal, and it reads without colour.
const VIRIDIS = ['#440154', '#482878', '#3e4989', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
const SPEED_BINS = 24;
const SEAM = 0.4; // by which lanes overlap, so that no light shows between them [m]
const EVENT_SECONDS = 20; // how long marks stay where many drive
const [WHEELED, TRACKED] = [0, 1]; // kerb_vehicle_kind
const TRAIL_SECONDS = 6; // of agents
const HOME_ALPHA = 0.5; // of cars that have finished: they are out of the others' way

/// A colour between two, all written #rrggbb.
function mix(from, to, part) {
  const channel = (color, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  const value = (i) => Math.round(channel(from, i) + (channel(to, i) - channel(from, i)) * part);
  return `#${[0, 1, 2].map((i) => value(i).toString(16).padStart(2, '0')).join('')}`;
}

/// Viridis without the end that vanishes into the ground.
function speedColor(part, dark) {
  const place = (dark ? 0.22 + 0.78 * part : 0.04 + 0.86 * part) * (VIRIDIS.length - 1);
  const i = Math.min(Math.floor(place), VIRIDIS.length - 2);
  return mix(VIRIDIS[i], VIRIDIS[i + 1], place - i);
}

function readPalette() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const palette = { dark: matchMedia('(prefers-color-scheme: dark)').matches };
  for (const name of ['ground', 'surface', 'line', 'ink', 'muted', 'faint', 'road', 'grid', 'intent', 'error', 'good', 'glass', 'centre', 'solid', 'contour'])
    palette[name] = color(name);
  palette.roadEdge = color('road-edge');
  palette.drivers = [0, 1, 2, 3, 4].map((i) => color(`driver-${i}`));
  palette.speeds = Array.from({ length: SPEED_BINS }, (_, i) => speedColor(i / (SPEED_BINS - 1), palette.dark));
  // Mixed with the road instead of translucent: overlapping ends would show as beads.
  palette.faintSpeeds = palette.speeds.map((color) => mix(palette.road, color, palette.dark ? 0.38 : 0.36));
  return palette;
}

/// Racers bring their own; of the others there are few.
function driverColor(palette, trial) {
  return trial.color ?? palette.drivers[trial.hue];
}

// ---------------------------------------------------------------- shapes of a course

/// The corridor as a union of quadrilaterals and, outside corners, circular sectors. All turn the
/// same way round, so that overlaps fill instead of cancelling.
function corridorShape(course) {
  const shape = new Path2D();
  let last = null;
  for (let i = 0; i < course.segmentCount; i++) {
    const segment = segmentOf(course, i);
    if (!segment) continue;
    addQuad(shape, course, segment);
    if (last) addSector(shape, course, last, segment);
    last = segment;
  }
  if (course.closed && last) addSector(shape, course, last, segmentOf(course, 0) ?? last);
  return shape;
}

function segmentOf(course, i) {
  const next = (i + 1) % course.count;
  const dx = course.x[next] - course.x[i];
  const dy = course.y[next] - course.y[i];
  const length = Math.hypot(dx, dy);
  return length > 0 ? { from: i, to: next, dx: dx / length, dy: dy / length } : null;
}

function addQuad(shape, course, { from, to, dx, dy }) {
  const corner = (i, side) => [course.x[i] - dy * side, course.y[i] + dx * side];
  shape.moveTo(...corner(from, course.left[from]));
  shape.lineTo(...corner(to, course.left[to]));
  shape.lineTo(...corner(to, -course.right[to]));
  shape.lineTo(...corner(from, -course.right[from]));
  shape.closePath();
}

function addSector(shape, course, before, after) {
  const i = after.from;
  const turn = before.dx * after.dy - before.dy * after.dx;
  const [x, y] = [course.x[i], course.y[i]];
  const leftOf = (segment) => Math.atan2(segment.dx, -segment.dy);
  shape.moveTo(x, y);
  if (turn < 0) shape.arc(x, y, course.left[i], leftOf(before), leftOf(after), true);
  else shape.arc(x, y, course.right[i], leftOf(after) + Math.PI, leftOf(before) + Math.PI, true);
  shape.closePath();
}

/// Streets of one width share a stroke.
function streetShapes(course) {
  const shapes = new Map();
  for (const { half, points } of course.streets) {
    if (!shapes.has(half)) shapes.set(half, new Path2D());
    const shape = shapes.get(half);
    points.forEach(({ x, y }, i) => (i ? shape.lineTo(x, y) : shape.moveTo(x, y)));
  }
  return shapes;
}

/// The line itself: stretches driven forwards and in reverse apart.
function centreShapes(course) {
  const shapes = { forwards: new Path2D(), reverse: new Path2D() };
  for (let i = 0; i < course.segmentCount; i++) {
    const next = (i + 1) % course.count;
    const shape = course.direction[i] < 0 ? shapes.reverse : shapes.forwards;
    const goesOn = i > 0 && course.direction[i] === course.direction[i - 1];
    if (!goesOn) shape.moveTo(course.x[i], course.y[i]);
    shape.lineTo(course.x[next], course.y[next]);
  }
  return shapes;
}

/// Bars across the corridor: start, finish and stops.
function courseBars(course) {
  const bars = [];
  const add = (i, segment, kind, text) => segment && bars.push({ i, segment, kind, text });
  for (let i = 0; i < course.count; i++)
    if (course.stop[i] > 0)
      add(i, segmentOf(course, Math.min(i, course.segmentCount - 1)), 'stop',
        course.stop[i] >= 1e5 ? 'stop' : `stop ${+course.stop[i].toFixed(1)} s`);
  add(0, segmentOf(course, 0), 'start', course.closed ? 'start, finish' : 'start');
  if (!course.closed) add(course.count - 1, segmentOf(course, course.count - 2), 'finish', 'finish');
  return bars;
}

/// Walls of one thickness share a stroke; posts are discs.
function solidShapes(course) {
  const walls = new Map();
  const posts = new Path2D();
  const boxes = new Path2D();
  for (const solid of course.solids) {
    if (solid.isPost) {
      posts.moveTo(solid.x1 + solid.thickness / 2, solid.y1);
      posts.arc(solid.x1, solid.y1, solid.thickness / 2, 0, 2 * Math.PI);
      continue;
    }
    if (solid.isBox) {
      addBox(boxes, solid);
      continue;
    }
    if (!walls.has(solid.thickness)) walls.set(solid.thickness, new Path2D());
    const shape = walls.get(solid.thickness);
    shape.moveTo(solid.x1, solid.y1);
    shape.lineTo(solid.x2, solid.y2);
  }
  return { walls, posts, boxes };
}

/// Square ends, where walls are drawn with round ones to close the gaps at their corners.
function addBox(shape, { x1, y1, x2, y2, thickness }) {
  const half = thickness / 2 / (Math.hypot(x2 - x1, y2 - y1) || 1);
  const [ax, ay] = [-(y2 - y1) * half, (x2 - x1) * half];
  shape.moveTo(x1 + ax, y1 + ay);
  shape.lineTo(x2 + ax, y2 + ay);
  shape.lineTo(x2 - ax, y2 - ay);
  shape.lineTo(x1 - ax, y1 - ay);
  shape.closePath();
}

function zoneShape(zone) {
  const shape = new Path2D();
  if (zone.radius > 0) {
    shape.arc(zone.x, zone.y, zone.radius, 0, 2 * Math.PI);
    return shape;
  }
  const [c, s] = [Math.cos(zone.heading), Math.sin(zone.heading)];
  for (const [a, b] of [[1, 1], [-1, 1], [-1, -1], [1, -1]])
    shape.lineTo(zone.x + a * zone.halfLength * c - b * zone.halfWidth * s, zone.y + a * zone.halfLength * s + b * zone.halfWidth * c);
  shape.closePath();
  return shape;
}

/// Lines of equal height, by marching squares; saddles are left out.
function contourShape(terrain) {
  const shape = new Path2D();
  if (!terrain) return shape;
  const { nx, ny, heights } = terrain;
  const least = heights.reduce((a, b) => Math.min(a, b), Infinity);
  const most = heights.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(most - least > 0.1)) return shape;
  const step = roundDown((most - least) / 6);
  for (let height = Math.ceil(least / step) * step; height < most; height += step)
    for (let j = 0; j + 1 < ny; j++) for (let i = 0; i + 1 < nx; i++) addContour(shape, terrain, i, j, height);
  return shape;
}

function addContour(shape, { x, y, spacing, nx, heights }, i, j, height) {
  const ends = [];
  for (const [a, b, da, db] of [[0, 0, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1], [1, 0, 0, 1]]) {
    const from = heights[(j + b) * nx + i + a];
    const to = heights[(j + b + db) * nx + i + a + da];
    if (from < height === to < height) continue;
    const part = (height - from) / (to - from);
    ends.push([x + (i + a + part * da) * spacing, y + (j + b + part * db) * spacing]);
  }
  if (ends.length !== 2) return;
  shape.moveTo(...ends[0]);
  shape.lineTo(...ends[1]);
}

function boundsOf(course) {
  if (course.plan) return course.plan.bounds;
  const bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  const include = (x, y) => {
    bounds.left = Math.min(bounds.left, x);
    bounds.right = Math.max(bounds.right, x);
    bounds.bottom = Math.min(bounds.bottom, y);
    bounds.top = Math.max(bounds.top, y);
  };
  for (let i = 0; i < course.count; i++) include(course.x[i], course.y[i]);
  for (const { x1, y1, x2, y2 } of course.solids) {
    include(x1, y1);
    include(x2, y2);
  }
  // A driver that lost its way is worth seeing, but not at the price of the course.
  const reach = Math.max(bounds.right - bounds.left, bounds.top - bounds.bottom, 40) * 0.25;
  const limit = course.agents ? { left: -Infinity, right: Infinity, bottom: -Infinity, top: Infinity } : { ...bounds };
  for (const trial of course.trials) {
    const { x, y } = trial.columns;
    for (let i = 0; i < trial.count; i++)
      include(clamp(x[i], limit.left - reach, limit.right + reach), clamp(y[i], limit.bottom - reach, limit.top + reach));
  }
  return bounds;
}

function courseShapes(course) {
  return (course.shapes ??= {
    corridor: corridorShape(course),
    streets: streetShapes(course),
    centre: centreShapes(course),
    bars: courseBars(course),
    solids: solidShapes(course),
    zones: course.zones.map((zone) => ({ shape: zoneShape(zone), grip: zone.grip })),
    contours: contourShape(course.terrain),
    bounds: boundsOf(course),
  });
}

// ---------------------------------------------------------------- shapes of a trial

/// The same colours for all trials on a course, from 0 to a whole number above the fastest.
function speedSpan(course) {
  if (course.speedMost) return course.speedMost;
  let most = 1;
  for (const trial of course.trials) for (const speed of trial.columns.pace) most = Math.max(most, speed);
  return (course.speedMost = most > 30 ? Math.ceil(most / 5) * 5 : Math.ceil(most));
}

function binsOf(trial) {
  const most = speedSpan(trial.course);
  return (trial.bins ??= Uint8Array.from(trial.columns.pace, (speed) =>
    clamp(Math.round((speed / most) * (SPEED_BINS - 1)), 0, SPEED_BINS - 1)));
}

/// The whole driven line, one shape for each colour.
function drivenShapes(trial) {
  if (trial.driven) return trial.driven;
  const bins = binsOf(trial);
  const { x, y } = trial.columns;
  trial.driven = Array.from({ length: SPEED_BINS }, () => new Path2D());
  for (let i = 1; i < trial.count; i++) {
    const shape = trial.driven[bins[i]];
    if (i === 1 || bins[i] !== bins[i - 1]) shape.moveTo(x[i - 1], y[i - 1]);
    shape.lineTo(x[i], y[i]);
  }
  return trial.driven;
}

/// Where it got stuck, and where it touched a solid; touches within a second are one.
function eventsOf(trial) {
  if (trial.events) return trial.events;
  const { x, y, stuck, touching } = trial.columns;
  const events = { stuck: [], touches: [] };
  const apart = 1 / trial.step;
  for (let i = 0, last = -Infinity; i < trial.count; i++) {
    if (stuck[i] && !stuck[i - 1]) events.stuck.push({ i, x: x[i], y: y[i] });
    if (!touching[i]) continue;
    if (i > last + apart) events.touches.push({ i, x: x[i], y: y[i] });
    last = i;
  }
  return (trial.events = events);
}

// ---------------------------------------------------------------- drawing

class Scene {
  constructor(canvas, view, reasons) {
    this.context = canvas.getContext('2d', { alpha: false });
    this.view = view;
    this.reasons = reasons;
    this.palette = readPalette();
  }

  /// A length on the screen as a length in the world.
  pixels(count) {
    return count / this.view.scale;
  }

  draw(trial, time, options) {
    const { context, palette, view } = this;
    const now = trial.at(time);
    view.applyScreen(context);
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, view.width, view.height);
    view.applyWorld(context);
    context.lineJoin = context.lineCap = 'round';
    const { agents, isRace, isLane, plan } = trial.course;
    if (plan) drawPlan(this, trial, now, time, options.thoughts);
    else this.drawCourse(trial.course);
    if (plan);
    else if (agents || isRace || isLane) this.drawTrails(trial.course, time);
    else this.drawDriven(trial, now);
    if (trial.course.shared) this.drawTraffic(trial, time);
    else if (!plan) this.drawEvents(trial);
    if (options.ghosts && !trial.course.shared) for (const ghost of trial.course.trials) if (ghost !== trial) this.drawGhost(ghost, time);
    const thoughts = options.thoughts && !agents && !plan && !((isRace || isLane) && trial.isAbsent(now.index));
    if (isRace && options.sight) drawSeen(this, trial, time);
    if (isRace && options.thoughts) drawMinded(this, trial, time);
    if (isLane && thoughts) drawRays(this, trial, now);
    if (thoughts) this.drawThoughts(trial, now);
    this.drawVehicle(trial, now, driverColor(palette, trial), false);
    if (thoughts) this.drawPoints(trial, now);
    view.applyScreen(context);
    if (!plan) this.drawBarLabels(trial.course);
    if (options.ghosts && !trial.course.shared) this.drawGhostLabels(trial, time);
    if (isRace) drawNumbers(this, trial, time);
    if (thoughts && !this.isSpeck(trial.vehicle)) this.drawThought(trial.vehicle, now, isRace ? placesOfOthers(this, trial, time) : []);
    this.drawScaleBar();
  }

  drawCourse(course) {
    const { context, palette } = this;
    const { corridor, centre, bars } = courseShapes(course);
    this.drawStreets(course);
    // The outline of a union: stroke all its parts, then fill over what lies inside.
    context.strokeStyle = palette.roadEdge;
    context.lineWidth = this.pixels(2);
    context.stroke(corridor);
    context.fillStyle = palette.road;
    context.fill(corridor);
    this.drawGround(course);
    if (course.isRace) this.drawRacingLine(course);
    else this.drawCentre(centre);
    for (const bar of bars) this.drawBar(course, bar);
    this.drawSolids(course);
  }

  drawStreets(course) {
    const { context, palette } = this;
    const { streets } = courseShapes(course);
    for (const [rim, color] of [[2, palette.roadEdge], [0, palette.road]]) {
      context.strokeStyle = color;
      for (const [half, shape] of streets) {
        context.lineWidth = 2 * half + SEAM + this.pixels(rim);
        context.stroke(shape);
      }
    }
  }

  /// Slippery ground is blue as water, the less grip the more; heights are contour lines.
  drawGround(course) {
    const { context, palette } = this;
    const { zones, contours } = courseShapes(course);
    for (const { shape, grip } of zones) {
      context.globalAlpha = grip < 1 ? 0.42 - 0.3 * Math.max(grip, 0) : 0.2;
      context.fillStyle = grip < 1 ? '#3d7fd1' : palette.contour;
      context.fill(shape);
    }
    context.globalAlpha = 1;
    context.strokeStyle = palette.contour;
    context.lineWidth = this.pixels(1);
    context.stroke(contours);
  }

  drawSolids(course) {
    const { context, palette } = this;
    const { walls, posts, boxes } = courseShapes(course).solids;
    context.strokeStyle = context.fillStyle = palette.solid;
    for (const [thickness, shape] of walls) {
      context.lineWidth = Math.max(thickness, this.pixels(1.5));
      context.stroke(shape);
    }
    context.fill(boxes);
    context.fill(posts);
    context.lineWidth = this.pixels(1.5);
    context.stroke(posts);
  }

  drawRacingLine({ line, closed }) {
    const { context, palette } = this;
    context.strokeStyle = palette.centre;
    context.lineWidth = this.pixels(1);
    context.globalAlpha = 0.7;
    this.strokeLine(closed ? [...line, line[0]] : line);
    context.globalAlpha = 1;
  }

  drawCentre({ forwards, reverse }) {
    const { context, palette } = this;
    context.lineWidth = this.pixels(1);
    context.strokeStyle = palette.centre;
    context.setLineDash([this.pixels(7), this.pixels(6)]);
    context.stroke(forwards);
    context.lineWidth = this.pixels(1.5);
    context.setLineDash([this.pixels(1), this.pixels(5)]);
    context.stroke(reverse);
    context.setLineDash([]);
  }

  /// All who drive in the same town, what happened to them lately, and a ring round the one that is
  /// followed.
  drawTraffic(trial, time) {
    const { context, palette } = this;
    for (const other of trial.course.trials) {
      const lately = ({ i }) => other.timeAt(i) <= time && other.timeAt(i) > time - EVENT_SECONDS;
      const { stuck, touches } = eventsOf(other);
      this.drawMarks(stuck.filter(lately), touches.filter(lately));
      if (other !== trial) this.drawVehicle(other, other.at(time), driverColor(palette, other), false);
    }
    if (trial.isAbsent(trial.indexAt(time)) && !trial.isHome(trial.indexAt(time))) return;
    context.strokeStyle = palette.intent;
    context.lineWidth = this.pixels(2);
    context.beginPath();
    context.arc(trial.value('x', time), trial.value('y', time), Math.max(trial.vehicle.length, this.pixels(16)), 0, 2 * Math.PI);
    context.stroke();
  }

  /// Where agents were in the last seconds.
  drawTrails(course, time) {
    const { context, palette } = this;
    context.lineWidth = this.pixels(1.5);
    context.globalAlpha = 0.35;
    for (const trial of course.trials) {
      const { x, y } = trial.columns;
      const last = trial.indexAt(time);
      context.strokeStyle = driverColor(palette, trial);
      context.beginPath();
      context.moveTo(trial.value('x', time), trial.value('y', time));
      for (let i = last; i >= 0 && trial.timeAt(i) > time - TRAIL_SECONDS && !trial.isAbsent(i); i--) context.lineTo(x[i], y[i]);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawEvents(trial) {
    const { stuck, touches } = eventsOf(trial);
    this.drawMarks(stuck, touches);
  }

  /// A cross where it got stuck, a ring where it touched something.
  drawMarks(stuck, touches) {
    const { context, palette } = this;
    for (const touch of touches) this.drawDot(touch, 3.5, palette.surface, palette.error);
    const size = this.pixels(5);
    context.strokeStyle = palette.error;
    context.lineWidth = this.pixels(3);
    for (const { x, y } of stuck) {
      this.strokeLine([{ x: x - size, y: y - size }, { x: x + size, y: y + size }]);
      this.strokeLine([{ x: x - size, y: y + size }, { x: x + size, y: y - size }]);
    }
  }

  drawBar(course, { i, segment, kind }) {
    const { context, palette } = this;
    const { dx, dy } = segment;
    context.strokeStyle = kind === 'stop' ? palette.error : palette.ink;
    context.lineWidth = this.pixels(kind === 'stop' ? 2.5 : 2);
    context.beginPath();
    context.moveTo(course.x[i] - dy * course.left[i], course.y[i] + dx * course.left[i]);
    context.lineTo(course.x[i] + dy * course.right[i], course.y[i] - dx * course.right[i]);
    context.stroke();
  }

  drawBarLabels(course) {
    const { context, palette, view } = this;
    context.font = '500 11px system-ui, sans-serif';
    context.textBaseline = 'middle';
    for (const { i, segment, kind, text } of courseShapes(course).bars) {
      if (kind === 'stop' && view.scale < 2.5) continue;
      const side = { x: course.x[i] + segment.dy * course.right[i], y: course.y[i] - segment.dx * course.right[i] };
      const middle = view.toScreen({ x: course.x[i], y: course.y[i] });
      const edge = view.toScreen(side);
      const length = Math.hypot(edge.x - middle.x, edge.y - middle.y) || 1;
      const out = { x: (edge.x - middle.x) / length, y: (edge.y - middle.y) / length };
      context.textAlign = out.x > 0.4 ? 'left' : out.x < -0.4 ? 'right' : 'center';
      context.fillStyle = kind === 'stop' ? palette.error : palette.muted;
      this.drawText(text, edge.x + out.x * 8, edge.y + out.y * 13);
    }
  }

  /// All of the line faintly, and in full what has been driven by now.
  drawDriven(trial, now) {
    const { context, palette } = this;
    context.lineWidth = this.pixels(3);
    drivenShapes(trial).forEach((shape, bin) => {
      context.strokeStyle = palette.faintSpeeds[bin];
      context.stroke(shape);
    });
    this.drawPast(trial, now);
  }

  drawPast(trial, now) {
    const { context, palette } = this;
    const { x, y } = trial.columns;
    const bins = binsOf(trial);
    for (let from = 0; from < now.index;) {
      const bin = bins[from + 1];
      let to = from + 1;
      while (to < now.index && bins[to + 1] === bin) to++;
      context.strokeStyle = palette.speeds[bin];
      context.beginPath();
      context.moveTo(x[from], y[from]);
      for (let i = from + 1; i <= to; i++) context.lineTo(x[i], y[i]);
      if (to === now.index) context.lineTo(now.x, now.y);
      context.stroke();
      from = to;
    }
  }

  drawGhost(ghost, time) {
    this.context.globalAlpha = 0.5;
    this.drawVehicle(ghost, ghost.at(time), driverColor(this.palette, ghost), true);
    this.context.globalAlpha = 1;
  }

  /// Names beside the ghosts, left out where they would lie over each other.
  drawGhostLabels(trial, time) {
    const { context, palette, view } = this;
    context.font = '500 11px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const taken = [view.toScreen(trial.at(time))];
    for (const ghost of trial.course.trials) {
      if (ghost === trial) continue;
      const at = view.toScreen({ x: ghost.value('x', time), y: ghost.value('y', time) });
      if (taken.some((other) => Math.hypot(other.x - at.x, other.y - at.y) < 64)) continue;
      taken.push(at);
      context.fillStyle = driverColor(palette, ghost);
      this.drawText(ghost.name, at.x, at.y + Math.max(16, 2.4 * view.scale));
    }
  }

  // -------------------------------------------------------------- the vehicle

  /// True to size, from above; an arrow where its true size would be a speck.
  drawVehicle(trial, now, color, isGhost) {
    const { context, view } = this;
    const vehicle = trial.vehicle;
    const isHome = trial.isHome(now.index);
    if (trial.isAbsent(now.index) && !isHome) return;
    context.save();
    if (isHome) context.globalAlpha = HOME_ALPHA;
    context.translate(now.x, now.y);
    context.rotate(now.heading);
    // Of a crowd, each is small: large arrows would hide one another.
    const { agents, isRace } = trial.course;
    const isCrowd = agents || isRace || trial.course.isLane;
    if (isCrowd ? vehicle.length * view.scale < 8 : this.isSpeck(vehicle)) this.drawMarker(color, isCrowd ? 4.5 : isGhost ? 7 : 9);
    else this.drawBody(vehicle, color, isGhost);
    if (view.scale > 5 && !isGhost) this.drawDetails(vehicle, now);
    context.restore();
  }

  isSpeck(vehicle) {
    return vehicle.length * this.view.scale < 16;
  }

  drawMarker(color, pixels) {
    const { context, palette } = this;
    const size = this.pixels(pixels);
    context.beginPath();
    context.moveTo(size, 0);
    context.lineTo(-0.8 * size, 0.75 * size);
    context.lineTo(-0.45 * size, 0);
    context.lineTo(-0.8 * size, -0.75 * size);
    context.closePath();
    context.strokeStyle = palette.surface;
    context.lineWidth = this.pixels(4);
    context.stroke();
    context.fillStyle = color;
    context.fill();
  }

  drawBody(vehicle, color, isGhost) {
    const { context, palette } = this;
    const { length, width } = vehicle;
    const rear = vehicle.reference_to_front - length;
    context.beginPath();
    context.roundRect(rear, -width / 2, length, width, [width * 0.16, width * 0.3, width * 0.3, width * 0.16]);
    context.fillStyle = isGhost ? palette.surface : color;
    context.fill();
    context.strokeStyle = isGhost ? color : palette.surface;
    context.lineWidth = this.pixels(1.5);
    context.stroke();
  }

  drawDetails(vehicle, now) {
    if (vehicle.kind === WHEELED) this.drawWheels(vehicle, now.steering * vehicle.steering_angle_max);
    if (vehicle.kind === TRACKED) this.drawTracks(vehicle);
    this.drawCabin(vehicle);
    if (now.brake > 0.03) this.drawBrakeLights(vehicle, now.brake);
  }

  /// Windscreen and rear window, so that front and back are told apart at a glance.
  drawCabin(vehicle) {
    const { context } = this;
    const { length, width } = vehicle;
    const rear = vehicle.reference_to_front - length;
    const pane = (from, to, narrow, wide) => {
      context.beginPath();
      context.moveTo(rear + length * from, -width * narrow);
      context.lineTo(rear + length * to, -width * wide);
      context.lineTo(rear + length * to, width * wide);
      context.lineTo(rear + length * from, width * narrow);
      context.closePath();
      context.fill();
    };
    context.fillStyle = 'rgba(255, 255, 255, .55)';
    pane(0.56, 0.68, 0.34, 0.4);
    context.fillStyle = 'rgba(255, 255, 255, .28)';
    pane(0.2, 0.27, 0.36, 0.33);
  }

  drawBrakeLights(vehicle, brake) {
    const { context, palette } = this;
    const rear = vehicle.reference_to_front - vehicle.length;
    context.globalAlpha = 0.4 + 0.6 * Math.min(brake * 2, 1);
    context.fillStyle = palette.error;
    for (const side of [-1, 1])
      context.fillRect(rear - 0.06, side * vehicle.width * 0.32 - vehicle.width * 0.12, 0.22, vehicle.width * 0.24);
    context.globalAlpha = 1;
  }

  drawWheels(vehicle, steering) {
    const rear = -vehicle.reference_to_rear_axle;
    const half = vehicle.width / 2 - 0.06;
    // Each front wheel rolls round the same centre: Ackermann's angles about the mean.
    const turn = Math.tan(steering) / vehicle.wheelbase;
    for (const side of [-half, half]) {
      this.drawWheel(rear, side, 0);
      this.drawWheel(rear + vehicle.wheelbase, side, Math.atan((vehicle.wheelbase * turn) / (1 - side * turn)));
    }
  }

  drawTracks(vehicle) {
    const { context, palette } = this;
    const { length, width } = vehicle;
    const rear = vehicle.reference_to_front - length;
    context.fillStyle = palette.ink;
    context.globalAlpha = 0.75;
    for (const side of [-width / 2, width / 2 - width * 0.17]) context.fillRect(rear + length * 0.03, side, length * 0.94, width * 0.17);
    context.globalAlpha = 1;
  }

  drawWheel(x, y, angle) {
    const { context, palette } = this;
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.fillStyle = palette.ink;
    context.beginPath();
    context.roundRect(-0.36, -0.14, 0.72, 0.28, 0.07);
    context.fill();
    context.restore();
  }

  // -------------------------------------------------------------- what the driver thinks

  drawThoughts(trial, now) {
    const { context, palette } = this;
    const rear = rearAxle(trial.vehicle, now);
    const target = { x: now.x + now.target_x, y: now.y + now.target_y };
    context.strokeStyle = palette.intent;
    this.drawLookahead(trial.course, now);
    context.lineWidth = this.pixels(1.25);
    context.setLineDash([this.pixels(1), this.pixels(4)]);
    this.strokeLine([rear, target]);
    context.setLineDash([]);
    context.lineWidth = this.pixels(2.25);
    this.strokeLine(steeringArc(rear, now));
  }

  /// The stretch of the course that the driver looks along.
  drawLookahead(course, now) {
    const { context } = this;
    if (!(now.lookahead > 0) || course.count < 2 || course.isRace) return;
    const from = course.closed ? now.progress % course.length : now.progress;
    context.lineWidth = Math.max(this.pixels(7), 0.5);
    context.globalAlpha = 0.22;
    this.strokeLine(course.stretch(from, Math.min(from + now.lookahead, course.length)));
    context.globalAlpha = 1;
  }

  strokeLine(points) {
    const { context } = this;
    context.beginPath();
    points.forEach((point, i) => (i ? context.lineTo(point.x, point.y) : context.moveTo(point.x, point.y)));
    context.stroke();
  }

  /// Nearest point with the error to it, and the target: over the vehicle, or they would hide.
  drawPoints(trial, now) {
    const { context, palette } = this;
    const nearest = { x: now.x + now.nearest_x, y: now.y + now.nearest_y };
    context.strokeStyle = palette.error;
    context.lineWidth = this.pixels(2);
    this.strokeLine([now, nearest]);
    if (!this.isSpeck(trial.vehicle)) this.drawDot(nearest, 3, palette.error, palette.surface);
    const target = { x: now.x + now.target_x, y: now.y + now.target_y };
    this.drawDot(target, 6, palette.surface, palette.intent);
    this.drawDot(target, 2.25, palette.intent, palette.intent);
  }

  drawDot(point, radius, fill, stroke) {
    const { context } = this;
    context.beginPath();
    context.arc(point.x, point.y, this.pixels(radius), 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.strokeStyle = stroke;
    context.lineWidth = this.pixels(1.75);
    context.stroke();
  }

  /// Speed, target speed and reason beside the vehicle.
  drawThought(vehicle, now, others) {
    const { context, palette, view } = this;
    const text = `${Math.abs(now.speed).toFixed(1)} → ${now.target_speed.toFixed(1)} m/s`;
    const reason = this.reasons[now.reason] ?? '';
    context.font = '600 12px system-ui, sans-serif';
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    const width = Math.max(context.measureText(text).width, context.measureText(reason).width, 96) + 20;
    const [x, y] = this.placeFor(vehicle, now, width, 42, others);
    context.beginPath();
    context.roundRect(x, y, width, 42, 8);
    context.fillStyle = palette.glass;
    context.fill();
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.stroke();
    context.fillStyle = palette.ink;
    context.fillText(text, x + 10, y + 14);
    context.font = '12px system-ui, sans-serif';
    context.fillStyle = palette.muted;
    context.fillText(reason, x + 10, y + 29);
  }

  /// Where a box goes: behind the vehicle, else beside it, else ahead, the first place in view
  /// that covers neither vehicle nor target; where there is none, the one that covers least.
  placeFor(vehicle, now, width, height, others) {
    const { view } = this;
    const at = view.toScreen(now);
    const target = view.toScreen({ x: now.x + now.target_x, y: now.y + now.target_y });
    const angle = now.heading + view.rotation;
    const rear = (vehicle.length - vehicle.reference_to_front) * view.scale;
    const front = vehicle.reference_to_front * view.scale;
    const side = (vehicle.width / 2) * view.scale;
    const ahead = Math.max(front, Math.hypot(target.x - at.x, target.y - at.y));
    const kept = [...this.keptClear(at, target, angle, rear, front), ...others];
    let best = null;
    for (const [turn, reach] of [[Math.PI, rear], [Math.PI / 2, side], [-Math.PI / 2, side], [0, ahead]]) {
      const place = this.boxBeyond(at, angle + turn, reach + 12, width, height);
      const hidden = kept.filter(([x, y]) => isInBox(x, y, place, width, height, 10)).length;
      if (!best || hidden < best.hidden) best = { place, hidden };
    }
    return best.place;
  }

  /// Points of the screen along the vehicle and from it to its target.
  keptClear(at, target, angle, rear, front) {
    const points = [];
    for (let part = 0; part <= 1; part += 0.125) {
      const along = part * (rear + front) - rear;
      points.push([at.x + Math.cos(angle) * along, at.y - Math.sin(angle) * along]);
      points.push([at.x + (target.x - at.x) * part, at.y + (target.y - at.y) * part]);
    }
    return points;
  }

  /// The corner of a box that begins so far from a point in a direction, moved into view: beyond
  /// the line across that direction by half of the box's extent along it.
  boxBeyond(at, angle, distance, width, height) {
    const { view } = this;
    const [c, s] = [Math.cos(angle), -Math.sin(angle)];
    const reach = distance + (Math.abs(c) * width + Math.abs(s) * height) / 2;
    const top = view.compact ? 40 : 84; // below the title
    return [clamp(at.x + c * reach - width / 2, 8, view.width - width - 8),
      clamp(at.y + s * reach - height / 2, top, view.height - height - 8)];
  }

  drawScaleBar() {
    const { context, palette, view } = this;
    const metres = roundDown(110 / view.scale);
    const width = metres * view.scale;
    const x = view.compact ? view.width - 16 - width : 20;
    const y = view.compact ? 30 : view.height - 20;
    context.strokeStyle = palette.muted;
    context.lineWidth = 1.5;
    context.lineCap = 'butt';
    context.beginPath();
    context.moveTo(x, y - 5);
    context.lineTo(x, y);
    context.lineTo(x + width, y);
    context.lineTo(x + width, y - 5);
    context.stroke();
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.fillStyle = palette.muted;
    this.drawText(metres >= 1000 ? `${metres / 1000} km` : `${metres} m`, x + width / 2, y - 6);
  }

  /// With a halo of the ground's colour, readable on the road too.
  drawText(text, x, y) {
    const { context, palette } = this;
    context.strokeStyle = palette.ground;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }
}

/// Whether a point lies in a box or within a margin of it.
function isInBox(x, y, [left, top], width, height, margin) {
  return x > left - margin && x < left + width + margin && y > top - margin && y < top + height + margin;
}

function rearAxle(vehicle, now) {
  return {
    x: now.x - Math.cos(now.heading) * vehicle.reference_to_rear_axle,
    y: now.y - Math.sin(now.heading) * vehicle.reference_to_rear_axle,
  };
}

/// The circle that the rear axle is told to drive, as far as the driver looks.
function steeringArc(from, now) {
  const length = clamp(now.lookahead, 4, 40) * (now.gear < 0 ? -1 : 1);
  const points = [];
  for (let i = 0; i <= 32; i++) {
    const distance = (length * i) / 32;
    const turn = now.steer_curvature * distance;
    // The chord of an arc: sin(x)/x, whose limit is 1.
    const chord = Math.abs(turn) > 1e-4 ? (Math.sin(turn / 2) / (turn / 2)) * distance : distance;
    const direction = now.heading + turn / 2;
    points.push({ x: from.x + chord * Math.cos(direction), y: from.y + chord * Math.sin(direction) });
  }
  return points;
}

/// The greatest of 1, 2, 5, 10, 20 … that is at most `value`.
function roundDown(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * (value >= 5 * power ? 5 : value >= 2 * power ? 2 : 1);
}
