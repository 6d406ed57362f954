// The page as a whole: which trial, what time, playing or not; and everything that can be pressed.
// Nothing is drawn unless something changed; frames are asked for one by one only while playing.
'use strict';

const $ = (id) => document.getElementById(id);

// Muted, told apart on light and dark ground; by kerb_reason.
const REASON_COLORS = ['#9ea3aa', '#a9b8a4', '#e39a55', '#6f9bd1', '#5f86b8', '#a58bc9', '#d9655b',
  '#b24a42', '#8d959e', '#5fae7b', '#4fa9a9', '#e8590c', '#c2255c', '#862e9c', '#846358', '#4c6ef5',
  '#22a6b8', '#d68910', '#e03131', '#e03131', '#d6336c', '#7f5539', '#9c36b5', '#74b816'];
const PACES = [0.25, 0.5, 1, 2, 4, 8];
const OPEN_LENGTH = 24; // pixels: where a vehicle would be shorter, a page of many opens on one of them
const FOLLOW_SPAN = 60; // metres across the shorter side when a vehicle is first followed

const signed = (value, digits) => (Number(value.toFixed(digits)) > 0 ? '+' : '') + fixed(value, digits);

/// Degrees at the wheels; of what has none, per cent of all that it can turn.
const steeringOf = (vehicle, now) =>
  (vehicle.kind === WHEELED ? (now.steering * vehicle.steering_angle_max * 180) / Math.PI : now.steering * 100);

class Player {
  constructor(recordings) {
    this.recordings = recordings;
    this.options = { follow: false, headingUp: false, thoughts: true, ghosts: false, leader: false, sight: true };
    this.pace = 1;
    this.playing = false;
    this.frameAsked = false;
    this.lastTick = 0;
    this.view = new View($('scene'), (byHand) => this.viewChanged(byHand));
    this.scene = new Scene($('scene'), this.view, recordings.reasons);
    this.charts = new Charts($('charts'), (time) => this.seek(time));
    this.fillLists();
    if (recordings.trials[0].course.laps) this.speakOf('laps');
    if (recordings.trials[0].course.plan) this.speakOf('plan');
    if (recordings.trials[0].course.isLane) this.speakOf('lane');
    if (recordings.trials[0].course.agents) this.speakOf('agents');
    if (recordings.trials.some((trial) => trial.isDriven)) this.speakOf('driven');
    if (recordings.trials[0].course.isRace) this.beginRace(recordings.trials[0].course.race);
    this.listen();
    this.trial = recordings.trials[0];
    this.time = this.trial.begin;
    this.readHash() || this.choose(this.trial, this.time);
    this.playAtOnce();
  }

  /// Unless a link points at a moment, or the viewer prefers reduced motion.
  playAtOnce() {
    const pointed = new URLSearchParams(location.hash.slice(1)).has('time');
    if (!pointed && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.play();
  }

  // -------------------------------------------------------------- state

  choose(trial, time) {
    const courseChanged = this.shown?.course !== trial.course;
    if (trial.course.agents) agentColumns(trial);
    this.trial = this.shown = trial;
    this.time = clamp(time, trial.begin, trial.end);
    document.documentElement.style.setProperty('--driver', trial.color ?? `var(--driver-${trial.hue})`);
    this.showChoice();
    this.prepareScrubber();
    if (courseChanged) this.open();
    this.refresh();
  }

  seek(time) {
    this.time = clamp(time, this.trial.begin, this.trial.end);
    this.draw();
    this.writeHashSoon();
  }

  stepBy(frames) {
    this.pause();
    const { trial } = this;
    const index = Math.round((this.time - trial.start) / trial.step) + frames;
    const first = Math.ceil((trial.begin - trial.start) / trial.step);
    this.seek(trial.timeAt(clamp(index, first, Math.max(trial.count - 1, 0))));
  }

  play() {
    if (this.time >= this.trial.end) this.time = this.trial.begin;
    this.setPlaying(true);
    this.lastTick = 0;
    this.askFrame();
  }

  pause() {
    if (!this.playing) return;
    this.setPlaying(false);
    this.writeHashSoon();
  }

  setPlaying(playing) {
    this.playing = playing;
    $('play').classList.toggle('playing', playing);
    $('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  }

  setPace(pace) {
    this.pace = pace;
    $('pace').value = String(pace);
  }

  toggle(option, value = !this.options[option]) {
    this.options[option] = value;
    const id = option === 'headingUp' ? 'heading-up' : option;
    $(id).setAttribute('aria-pressed', String(value));
    if (option === 'ghosts') $('ghost-names').hidden = !value;
  }

  // -------------------------------------------------------------- frames

  /// Draws once before the next screen refresh, however often it is asked.
  draw() {
    this.askFrame();
  }

  askFrame() {
    if (this.frameAsked) return;
    this.frameAsked = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    this.frameAsked = false;
    if (this.playing) this.advance(now);
    this.drawNow();
    if (this.playing) this.askFrame();
  }

  drawNow() {
    if (this.options.leader) this.chooseLeader();
    this.aim();
    this.scene.draw(this.trial, this.time, this.options);
    this.showTime();
  }

  chooseLeader() {
    const [leader] = this.trial.course.race.order(this.time);
    if (leader !== this.trial) {
      this.options.leader = false; // while it is chosen, which draws
      this.choose(leader, this.time);
      this.options.leader = true;
    }
  }

  advance(now) {
    // A tab that was hidden comes back with a long pause, which is not part of the drive.
    const passed = this.lastTick ? Math.min((now - this.lastTick) / 1000, 0.1) : 0;
    this.lastTick = now;
    this.time = Math.min(this.time + passed * this.pace, this.trial.end);
    if (this.time >= this.trial.end) this.pause();
  }

  /// Keeps the followed vehicle where it belongs on the screen.
  aim() {
    const { follow, headingUp } = this.options;
    this.view.rotation = headingUp ? Math.PI / 2 - this.trial.value('heading', this.time) : 0;
    this.view.sink = follow && headingUp ? 0.18 : 0;
    if (!follow) return;
    this.view.x = this.trial.value('x', this.time);
    this.view.y = this.trial.value('y', this.time);
  }

  /// After a change of size, colours or trial: everything, and at once, because an opaque canvas
  /// that is new or has a new size is black until it is drawn.
  refresh() {
    this.view.resize();
    this.drawRibbon();
    this.drawLegend();
    this.charts.show(this.trial, this.options, this.scene.palette);
    this.drawNow();
  }

  // -------------------------------------------------------------- view

  fit() {
    this.toggle('follow', false);
    this.toggle('headingUp', false);
    this.view.fit(courseShapes(this.trial.course).bounds);
    this.fitted = true;
    this.draw();
  }

  /// The whole, or where many drive and would be specks there, one of them with its neighbourhood.
  open() {
    this.fit();
    const { course, vehicle } = this.trial;
    if (course.shared && !course.agents && vehicle.length * this.view.scale < OPEN_LENGTH) this.follow(true);
  }

  follow(value = !this.options.follow) {
    this.toggle('follow', value);
    if (!value) this.toggle('headingUp', false);
    const shorter = Math.min(this.view.width, this.view.height);
    if (value && this.view.scale < shorter / FOLLOW_SPAN) this.view.scale = shorter / FOLLOW_SPAN;
    this.fitted = false;
    this.draw();
  }

  headingUp() {
    this.toggle('headingUp');
    if (this.options.headingUp) this.follow(true);
    this.draw();
  }

  zoom(factor) {
    this.view.zoom(factor);
    this.viewChanged(false);
  }

  viewChanged(byHand) {
    if (byHand && this.options.follow) this.follow(false);
    this.fitted = false;
    this.draw();
  }

  resized() {
    const changed = this.view.resize();
    if (changed && this.fitted) this.view.fit(courseShapes(this.trial.course).bounds);
    this.refresh();
  }

  // -------------------------------------------------------------- what is shown in words

  showTime() {
    const { trial, time } = this;
    const now = trial.at(time);
    this.charts.moveTo(time);
    $('scrub').value = time;
    $('scrub').setAttribute('aria-valuetext', `${time.toFixed(1)} of ${trial.end.toFixed(1)} seconds`);
    this.panel?.show(trial, time);
    $('clock').replaceChildren(element('b', { textContent: fixed(time, 2) }), element('span', { textContent: ` / ${trial.end.toFixed(2)} s` }));
    if (trial.course.plan) showPlan(trial, time, now);
    else this.showThoughts(now);
    if (trial.course.isLane) showLane(trial, now);
    if (trial.course.agents) showAgent(trial, time, now);
  }

  showThoughts(now) {
    const { trial } = this;
    const degrees = (angle) => (angle * 180) / Math.PI;
    const set = (id, text) => ($(id).textContent = text);
    set('r-speed', Math.abs(now.speed).toFixed(1));
    set('r-target', now.target_speed.toFixed(1));
    set('r-reason', this.recordings.reasons[now.reason] ?? '');
    $('r-reason').style.setProperty('--why', REASON_COLORS[now.reason] ?? REASON_COLORS[0]);
    set('r-error', signed(now.error, 2));
    set('r-heading', signed(degrees(now.heading_error), 1));
    set('r-radius', radiusText(now.curvature));
    set('r-steering', signed(steeringOf(trial.vehicle, now), trial.vehicle.kind === WHEELED ? 1 : 0));
    set('r-steering-unit', trial.vehicle.kind === WHEELED ? '°' : '%');
    set('r-lookahead', now.lookahead.toFixed(1));
    set('r-progress', fixed(now.progress, 1));
    set('r-gear', now.gear < 0 ? 'reverse' : now.gear === 0 ? 'neutral' : String(now.gear));
    set('r-throttle', (now.throttle * 100).toFixed(0));
    set('r-brake', (now.brake * 100).toFixed(0));
    $('m-throttle').style.setProperty('--level', now.throttle);
    $('m-brake').style.setProperty('--level', now.brake);
    set('r-corridor', now.stuck ? 'stuck' : now.touching ? 'touching' : now.outside ? 'outside' : 'inside');
    $('r-corridor').className = now.stuck || now.touching || now.outside ? 'bad' : '';
  }

  showChoice() {
    const { trial } = this;
    $('course').value = String(this.recordings.courses.indexOf(trial.course));
    $('driver').replaceChildren(...trial.course.trials.map((other) => element('option', { value: String(other.index), textContent: other.name })));
    $('driver').value = String(trial.index);
    document.querySelector('#about h1').textContent = trial.course.name;
    document.querySelector('#about h1 + p').textContent = trial.course.about;
    $('ghost-names').replaceChildren(...trial.course.trials.map((other) =>
      element('span', { textContent: other.name, style: { '--dot': `var(--driver-${other.hue})` } })));
    $('ghosts').hidden = trial.course.shared;
    $('thoughts').hidden = trial.course.agents;
    document.body.classList.toggle('agents', trial.course.agents);
    for (const row of document.querySelectorAll('tr.trial'))
      row.setAttribute('aria-current', String(Number(row.dataset.trial) === trial.index));
  }

  // -------------------------------------------------------------- scrubber and legend

  prepareScrubber() {
    const scrub = $('scrub');
    scrub.min = this.trial.begin;
    scrub.max = this.trial.end;
    scrub.value = this.time;
  }

  /// Why the driver went no faster, over the whole drive; red below it where something was wrong.
  drawRibbon() {
    const { trial } = this;
    const canvas = $('ribbon');
    const context = this.charts.prepare(canvas);
    const { reason, outside, stuck, touching } = trial.columns;
    const inset = 2; // the thumb's middle runs from here to here
    const width = canvas.clientWidth - 2 * inset;
    if (trial.course.plan) {
      drawPlanRibbon(context, trial, this.scene.palette, inset, width);
      return;
    }
    const xOf = (i) => inset + (i / Math.max(trial.count - 1, 1)) * width;
    const runs = (column, draw) => {
      for (let from = 0, to; from < trial.count - 1; from = to) {
        for (to = from + 1; to < trial.count - 1 && column[to] === column[from]; to++);
        draw(column[from], xOf(from), xOf(to));
      }
    };
    context.save();
    context.beginPath();
    context.roundRect(inset, 4, width, 8, 4);
    context.clip();
    runs(reason, (value, from, to) => {
      context.fillStyle = REASON_COLORS[value] ?? REASON_COLORS[0];
      context.fillRect(from, 4, to - from + 0.5, 8);
    });
    context.restore();
    context.fillStyle = this.scene.palette.error;
    for (const column of [outside, stuck, touching]) runs(column, (value, from, to) => value && context.fillRect(from, 14, Math.max(to - from, 1.5), 2));
  }

  drawLegend() {
    $('legend-slow').textContent = '0';
    $('legend-fast').textContent = String(speedSpan(this.trial.course));
    document.querySelector('#legend i').style.background = `linear-gradient(90deg, ${this.scene.palette.speeds.join(', ')})`;
  }

  // -------------------------------------------------------------- lists

  /// Other words for what is shown of lines, which have no driver, and of races.
  speakOf(kind) {
    for (const node of document.querySelectorAll(`[data-${kind}]`)) node.textContent = node.dataset[kind];
    document.body.classList.add(kind);
  }

  beginRace(race) {
    this.speakOf('race');
    this.panel = new RacePanel(race, (trial) => this.chooseByHand(trial));
  }

  fillLists() {
    const { courses, title } = this.recordings;
    $('title').textContent = title;
    if (courses[0].isRace) return;
    $('course').replaceChildren(...courses.map((course, i) => element('option', { value: String(i), textContent: course.name })));
    if (!courses[0].plan) $('trials').replaceChildren(...courses.flatMap((course) => this.courseRows(course)));
  }

  courseRows(course) {
    const heading = element('tr', { className: 'group' }, [element('th', { scope: 'rowgroup', colSpan: 7, textContent: course.name })]);
    return [heading, ...course.trials.map((trial) => this.trialRow(trial))];
  }

  trialRow(trial) {
    const result = trial.result;
    const name = element('button', { type: 'button', textContent: trial.name, style: { '--dot': `var(--driver-${trial.hue})` } });
    const cell = (key, digits, better) => element('td', {
      textContent: result[key] === null ? '–' : result[key].toFixed(digits),
      className: isBest(trial, key, better) ? 'best' : '',
    });
    const time = cell('time_s', 1, Math.min);
    if (!result.finished) Object.assign(time, { className: 'bad', textContent: 'not finished' });
    const stuck = cell('stuck_events', 0);
    if (result.stuck_events > 0) stuck.className = 'bad';
    stuck.classList.add('not-lane');
    const digits = trial.course.isLane ? 3 : 2; // lanes are kept within a hand's breadth
    const row = element('tr', { className: 'trial' }, [element('td', {}, [name]), cell('cte_mean_m', digits, Math.min),
      cell('cte_max_m', digits, Math.min), cell('inside_corridor_percent', 1, Math.max), time, cell('speed_mean_mps', 1), stuck]);
    row.dataset.trial = String(trial.index);
    row.addEventListener('click', () => this.chooseByHand(trial));
    return row;
  }

  chooseByHand(trial) {
    const sameCourse = trial.course === this.trial.course;
    if (this.options.leader) this.toggle('leader', false);
    this.choose(trial, sameCourse ? this.time : trial.begin);
    this.writeHashSoon();
  }

  chooseBy(step) {
    const { trials } = this.recordings;
    this.chooseByHand(trials[(this.trial.index + step + trials.length) % trials.length]);
  }

  // -------------------------------------------------------------- permalink

  readHash() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    const trial = this.recordings.trials[Number(parameters.get('trial')) - 1];
    if (!trial) return false;
    this.choose(trial, Number(parameters.get('time')) || trial.begin);
    return true;
  }

  /// Waits until the user is done: browsers limit how often an address may change.
  writeHashSoon() {
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => {
      const hash = `#trial=${this.trial.index + 1}&time=${this.time.toFixed(2)}`;
      if (location.hash !== hash) history.replaceState(null, '', hash);
    }, 200);
  }

  // -------------------------------------------------------------- input

  listen() {
    const press = (id, action) => $(id).addEventListener('click', action);
    press('play', () => this.togglePlay());
    press('restart', () => this.restart());
    press('back', () => this.stepBy(-1));
    press('forth', () => this.stepBy(1));
    press('fit', () => this.fit());
    press('follow', () => this.follow());
    press('heading-up', () => this.headingUp());
    press('thoughts', () => this.flip('thoughts'));
    press('ghosts', () => this.flip('ghosts'));
    press('leader', () => this.flip('leader'));
    press('sight', () => this.flip('sight'));
    press('help', () => $('keys').showModal());
    this.listenToMap();
    this.listenToLists();
    this.listenToWindow();
  }

  /// A press that does not drag chooses the vehicle under it, where many drive.
  listenToMap() {
    let from = null;
    $('scene').addEventListener('pointerdown', (event) => (from = event));
    $('scene').addEventListener('click', (event) => {
      if (!from || Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) > 4) return;
      const box = $('scene').getBoundingClientRect();
      this.chooseAt(event.clientX - box.left, event.clientY - box.top);
    });
  }

  chooseAt(x, y) {
    if (!this.trial.course.shared) return;
    let nearest = null;
    for (const trial of this.trial.course.trials) {
      const at = this.view.toScreen({ x: trial.value('x', this.time), y: trial.value('y', this.time) });
      const away = Math.hypot(at.x - x, at.y - y);
      if (away < Math.max(14, trial.vehicle.length * this.view.scale) && !(nearest?.away <= away)) nearest = { trial, away };
    }
    if (nearest) this.chooseByHand(nearest.trial);
  }

  listenToLists() {
    $('scrub').addEventListener('input', () => this.seek(Number($('scrub').value)));
    $('pace').addEventListener('change', () => this.setPace(Number($('pace').value)));
    $('course').addEventListener('change', () => this.chooseByHand(this.recordings.courses[Number($('course').value)].trials[0]));
    $('driver').addEventListener('change', () => this.chooseByHand(this.recordings.trials[Number($('driver').value)]));
    for (const input of document.querySelectorAll('input[name="axis"]')) input.addEventListener('change', () => this.setAxis(input.value));
    $('keys').addEventListener('click', (event) => event.target === $('keys') && $('keys').close());
  }

  listenToWindow() {
    document.addEventListener('keydown', (event) => this.key(event));
    addEventListener('hashchange', () => this.readHash());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.scene.palette = readPalette();
      this.refresh();
    });
    const observer = new ResizeObserver(() => this.resized());
    for (const id of ['map', 'charts']) observer.observe($(id));
  }

  togglePlay() {
    if (this.playing) this.pause();
    else this.play();
  }

  restart() {
    this.seek(this.trial.begin);
  }

  flip(option) {
    this.toggle(option);
    this.refresh();
  }

  setAxis(axis) {
    this.charts.axis = axis;
    document.querySelector(`input[name="axis"][value="${axis}"]`).checked = true;
    this.refresh();
  }

  changePace(step) {
    this.setPace(PACES[clamp(PACES.indexOf(this.pace) + step, 0, PACES.length - 1)]);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
    if (event.target.tagName === 'SELECT') return;
    // Space on a button presses it; only the play button may be pressed twice.
    if (event.key === ' ' && event.target.tagName === 'BUTTON') return;
    const action = this.actionFor(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey);
    if (!action) return;
    event.preventDefault();
    action();
  }

  actionFor(key, shift) {
    const frames = shift ? Math.max(Math.round(1 / this.trial.step), 1) : 1;
    const actions = {
      ' ': () => this.togglePlay(),
      ArrowLeft: () => this.stepBy(-frames),
      ArrowRight: () => this.stepBy(frames),
      r: () => this.restart(),
      Home: () => this.restart(),
      End: () => this.seek(this.trial.end),
      ',': () => this.changePace(-1),
      '.': () => this.changePace(1),
      p: () => this.chooseBy(-1),
      n: () => this.chooseBy(1),
      f: () => this.follow(),
      h: () => this.headingUp(),
      0: () => this.fit(),
      '+': () => this.zoom(1.25),
      '=': () => this.zoom(1.25),
      '-': () => this.zoom(0.8),
      t: () => this.flip('thoughts'),
      g: () => this.flip('ghosts'),
      l: () => this.trial.course.isRace && this.flip('leader'),
      s: () => this.trial.course.isRace && this.flip('sight'),
      x: () => this.setAxis(this.charts.axis === 'time' ? 'distance' : 'time'),
      '?': () => $('keys').showModal(),
    };
    return actions[key];
  }
}

/// A straight has no radius worth reading.
function radiusText(curvature) {
  const size = Math.abs(curvature);
  return size < 0.001 ? '–' : size >= 0.999 ? '< 1' : (1 / size).toFixed(1);
}

function isBest(trial, key, better) {
  const values = trial.course.trials.map((other) => other.result[key]);
  return Boolean(better) && values.length > 1 && trial.result[key] === better(...values) && new Set(values).size > 1;
}

{
  const recordings = readRecordings($('recordings'));
  if (recordings.trials.length) new Player(recordings);
  else document.querySelector('#about h1').textContent = 'Nothing was driven';
}
