// A race: who is where, how far apart in time, on which lap, and which car limits which. All of it
// follows from the cars' progress along the track and from when they ended their laps.
'use strict';

const ROWS_A_SECOND = 8; // how often the table's words change while playing

/// The time at which a car came to a place that it has reached by now.
function timeOfReaching(trial, progress) {
  const { reached } = trial.columns;
  const i = Math.min(lastAtMost(reached, progress), trial.count - 2);
  const gained = reached[i + 1] - reached[i];
  const part = gained > 0 ? clamp((progress - reached[i]) / gained, 0, 1) : 0;
  return trial.timeAt(i + part);
}

class Race {
  constructor(course, trials) {
    this.course = course;
    this.trials = trials;
    this.laps = course.raceLaps;
    this.length = course.raceLength;
    this.sight = course.sight;
    this.byNumber = new Map(trials.map((trial) => [trial.number, trial]));
  }

  hasFinished(trial, time) {
    return trial.result.finished && time >= trial.result.time_s;
  }

  /// The leader first. Who has finished keeps the progress of its last crossing of the line.
  order(time) {
    const key = new Map(this.trials.map((trial) => [trial, this.progress(trial, time)]));
    return [...this.trials].sort((a, b) => key.get(b) - key.get(a) || this.finishTime(a) - this.finishTime(b) || a.number - b.number);
  }

  progress(trial, time) {
    return this.hasFinished(trial, time) ? trial.lapEnds.length * this.length : trial.value('progress', time);
  }

  finishTime(trial) {
    return trial.result.finished ? trial.result.time_s : Infinity;
  }

  /// Laps done.
  lapsDone(trial, time) {
    let laps = 0;
    while (laps < trial.lapEnds.length && trial.lapEnds[laps] <= time) laps++;
    return laps;
  }

  lapTime(trial, lap) {
    return trial.lapEnds[lap] - (lap > 0 ? trial.lapEnds[lap - 1] : 0);
  }

  lastLap(trial, time) {
    const laps = this.lapsDone(trial, time);
    return laps > 0 ? this.lapTime(trial, laps - 1) : null;
  }

  bestLap(trial, time) {
    const laps = this.lapsDone(trial, time);
    return laps > 0 ? Math.min(...trial.lapEnds.slice(0, laps).map((_, lap) => this.lapTime(trial, lap))) : null;
  }

  /// So much later does a car come to where the one ahead of it was: seconds, or whole laps. On the
  /// grid there is no such time.
  gap(behind, ahead, time) {
    if (this.hasFinished(behind, time) && this.hasFinished(ahead, time)) {
      const laps = ahead.lapEnds.length - behind.lapEnds.length;
      return laps > 0 ? { laps } : { seconds: behind.result.time_s - ahead.result.time_s };
    }
    const [here, there] = [this.progress(behind, time), this.progress(ahead, time)];
    const laps = Math.floor((there - here) / this.length);
    if (laps > 0) return { laps };
    if (here <= ahead.columns.reached[0]) return { metres: there - here };
    return { seconds: Math.max(Math.min(time, this.finishTime(behind)) - timeOfReaching(ahead, here), 0) };
  }

  /// The car that limits a driver, if any.
  decider(trial, time) {
    return this.byNumber.get(trial.columns.decider[trial.indexAt(time)]);
  }

  /// Those that a driver is told of: who is near enough, but for heights.
  seen(trial, time) {
    const from = { x: trial.value('x', time), y: trial.value('y', time) };
    return this.trials.filter((other) => {
      if (other === trial || other.isAbsent(other.indexAt(time))) return false;
      const at = middleOf(other, time);
      return Math.hypot(at.x - from.x, at.y - from.y) < this.sight;
    });
  }
}

/// Of a car's footprint, at a time.
function middleOf(trial, time) {
  const { reference_to_front: front, length } = trial.vehicle;
  const [angle, ahead] = [trial.value('heading', time), front - 0.5 * length];
  return { x: trial.value('x', time) + ahead * Math.cos(angle), y: trial.value('y', time) + ahead * Math.sin(angle) };
}

function gapText(gap) {
  if (!gap) return '–';
  if (gap.laps) return `+${gap.laps} ${gap.laps > 1 ? 'laps' : 'lap'}`;
  if (gap.metres !== undefined) return `${gap.metres.toFixed(0)} m`;
  return `+${gap.seconds.toFixed(2)}`;
}

function lapText(seconds) {
  if (seconds === null) return '–';
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - 60 * minutes).toFixed(2);
  return minutes > 0 ? `${minutes}:${rest.padStart(5, '0')}` : rest;
}

// ---------------------------------------------------------------- in words

/// The order with its gaps, the lap, and what is ahead of and behind the car that is followed.
class RacePanel {
  /// `choose(trial)` is called when a row is pressed.
  constructor(race, choose) {
    this.race = race;
    this.choose = choose;
    this.last = -Infinity;
    this.rows = race.trials.map(() => this.row());
    $('order').replaceChildren(...this.rows.map(({ node }) => node));
  }

  row() {
    const cells = Array.from({ length: 7 }, () => element('td'));
    const chip = element('button', { type: 'button', className: 'chip' });
    cells[1].append(chip);
    const node = element('tr', { className: 'car' }, cells);
    const row = { node, cells, chip, trial: null };
    node.addEventListener('click', () => this.choose(row.trial));
    return row;
  }

  show(trial, time) {
    const now = performance.now();
    if (Math.abs(now - this.last) < 1000 / ROWS_A_SECOND && this.shown === trial && Math.abs(time - this.time) < 0.5) return;
    [this.last, this.shown, this.time] = [now, trial, time];
    const order = this.race.order(time);
    order.forEach((other, i) => this.fill(this.rows[i], other, order, i, time));
    this.showLap(order[0], time);
    this.showNear(trial, order, time);
  }

  fill(row, trial, order, i, time) {
    const { race } = this;
    const set = (cell, text) => row.cells[cell].textContent !== text && (row.cells[cell].textContent = text);
    if (row.trial !== trial) {
      row.trial = trial;
      row.chip.textContent = String(trial.number);
      row.chip.style.setProperty('--dot', trial.color);
      row.chip.setAttribute('aria-label', `Follow driver ${trial.number}`);
    }
    row.node.setAttribute('aria-current', String(trial === this.shown));
    const finished = race.hasFinished(trial, time);
    set(0, String(i + 1));
    set(2, i === 0 ? (finished ? 'won' : 'leads') : gapText(race.gap(trial, order[0], time)));
    set(3, i === 0 ? '' : gapText(race.gap(trial, order[i - 1], time)));
    set(4, lapText(race.lastLap(trial, time)));
    set(5, lapText(race.bestLap(trial, time)));
    set(6, finished ? 'home' : `${(Math.abs(trial.value('speed', time)) * 3.6).toFixed(0)}`);
  }

  showLap(leader, time) {
    const { race } = this;
    const lap = Math.min(race.lapsDone(leader, time) + 1, race.laps);
    const home = race.trials.filter((trial) => race.hasFinished(trial, time)).length;
    $('race-lap').textContent = home > 0 ? `${home} of ${race.trials.length} home, the first after ${lapText(leader.result.time_s)}` : `Lap ${lap} of ${race.laps}`;
  }

  showNear(trial, order, time) {
    const { race } = this;
    const i = order.indexOf(trial);
    const name = (other, gap) => (other ? `${other.number}  ${gapText(gap)}` : '–');
    $('r-ahead').textContent = i > 0 ? name(order[i - 1], race.gap(trial, order[i - 1], time)) : '–';
    const behind = order[i + 1];
    $('r-behind').textContent = behind ? name(behind, race.gap(behind, trial, time)) : '–';
    const minded = race.decider(trial, time);
    $('r-minds').textContent = minded ? String(minded.number) : 'none';
    const isHome = trial.isAbsent(trial.indexAt(time));
    $('r-sees').textContent = isHome ? '–' : `${race.seen(trial, time).length} / ${race.trials.length - 1}`;
    $('r-lane').textContent = signed(trial.value('lane', time), 2);
    const laps = race.lapsDone(trial, time);
    $('r-lap').textContent = `${Math.min(laps + 1, race.laps)} / ${race.laps}`;
    $('r-place').textContent = `${i + 1} / ${order.length}`;
  }
}

// ---------------------------------------------------------------- on the map

/// Thin lines from the car that is followed to all that its driver sees.
function drawSeen(scene, trial, time) {
  const { context, palette } = scene;
  const { race } = trial.course;
  if (trial.isAbsent(trial.indexAt(time))) return;
  const from = { x: trial.value('x', time), y: trial.value('y', time) };
  context.strokeStyle = palette.intent;
  context.globalAlpha = 0.5;
  context.lineWidth = scene.pixels(1);
  for (const other of race.seen(trial, time)) scene.strokeLine([from, middleOf(other, time)]);
  context.globalAlpha = 1;
}

/// A line from every driver to the car that limits it: thick for the driver that is followed.
function drawMinded(scene, trial, time) {
  const { context, palette } = scene;
  const { race } = trial.course;
  for (const other of race.trials) {
    const minded = race.decider(other, time);
    if (!minded || other.isAbsent(other.indexAt(time)) || minded.isAbsent(minded.indexAt(time))) continue;
    const from = { x: other.value('x', time), y: other.value('y', time) };
    const to = { x: minded.value('x', time), y: minded.value('y', time) };
    if (Math.hypot(to.x - from.x, to.y - from.y) > race.sight) continue;
    context.strokeStyle = other === trial ? palette.intent : other.color;
    context.globalAlpha = other === trial ? 1 : 0.55;
    context.lineWidth = scene.pixels(other === trial ? 2.5 : 1.25);
    scene.strokeLine([from, to]);
  }
  context.globalAlpha = 1;
}

/// Of the other cars, on the screen: words keep clear of them.
function placesOfOthers(scene, trial, time) {
  const here = ({ index, x, y }, other) => !other.isAbsent(index) && scene.view.toScreen({ x, y });
  return trial.course.race.trials.filter((other) => other !== trial)
    .map((other) => here({ index: other.indexAt(time), x: other.value('x', time), y: other.value('y', time) }, other))
    .filter(Boolean).map(({ x, y }) => [x, y]);
}

/// Numbers on the roofs where cars are large; else beside them, the followed and the leader first,
/// and left out where they would lie over one another.
function drawNumbers(scene, trial, time) {
  const { context, view, palette } = scene;
  const { race } = trial.course;
  const order = race.order(time);
  const taken = [];
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const other of [trial, ...order]) {
    if (other === trial && taken.length > 0) continue;
    const at = view.toScreen({ x: other.value('x', time), y: other.value('y', time) });
    const roof = other.vehicle.width * view.scale;
    if (roof >= 13) {
      taken.push(at);
      const angle = other.value('heading', time);
      const back = other.vehicle.reference_to_front - other.vehicle.length * 0.55;
      const middle = view.toScreen({ x: other.value('x', time) + Math.cos(angle) * back, y: other.value('y', time) + Math.sin(angle) * back });
      drawRoofNumber(context, other, middle, Math.min(roof * 0.62, 26));
      continue;
    }
    const place = { x: at.x, y: at.y - 17 };
    if (taken.some((spot) => Math.abs(spot.x - place.x) < 22 && Math.abs(spot.y - place.y) < 15)) continue;
    taken.push(place);
    context.beginPath();
    context.roundRect(place.x - 10, place.y - 7, 20, 14, 4);
    context.fillStyle = other.color;
    context.fill();
    context.strokeStyle = other === trial ? palette.ink : palette.surface;
    context.lineWidth = other === trial ? 2 : 1;
    context.stroke();
    context.font = '700 10px system-ui, sans-serif';
    context.fillStyle = '#ffffff';
    context.fillText(String(other.number), place.x, place.y + 0.5);
  }
}

function drawRoofNumber(context, trial, at, size) {
  context.font = `700 ${size.toFixed(0)}px system-ui, sans-serif`;
  context.strokeStyle = 'rgba(0, 0, 0, .55)';
  context.lineWidth = size / 7;
  context.strokeText(String(trial.number), at.x, at.y);
  context.fillStyle = '#ffffff';
  context.fillText(String(trial.number), at.x, at.y);
}
