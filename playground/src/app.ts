// The page: the tree of scenes, the running one, the camera, and everything that people can do.
import { Driving } from './driving';
import { readLink, writeLink, type Link } from './link';
import { Pointer } from './pointer';
import { Recorder } from './record';
import { newReadout, type Entry, type Handle, type Readout, type Show } from './show';
import { STEP } from './stage';
import { iconButton, icon, make, setText, textButton } from './ui/dom';
import { Labels } from './ui/labels';
import { Panel } from './ui/panel';
import { Tree } from './ui/tree';
import { newPose, type VehiclePose } from './view/vehicles';
import { View } from './view/view';
import type { CameraMode, Subject } from './view/camera';

const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 60];
// A frame simulates no longer than this; what is left is dropped, and time runs slower. [ms]
const BUDGET = 24;
const STAR_SECONDS = 14;
const CAMERAS: readonly (readonly [CameraMode, string])[] = [['glide', 'glide'], ['follow', 'follow'], ['free', 'by hand'], ['top', 'from above']];

export class App {
  readonly view: View;
  readonly panel: Panel;
  readonly tree: Tree;
  readonly driving = new Driving();
  readonly recorder = new Recorder();
  entries: Entry[] = [];
  entry: Entry | undefined;
  show: Show | undefined;
  followed = -1;
  driven = -1;
  running = true;
  speed = 1;
  steps = 0;            ///< simulated since the page was opened
  stepCost = 0;         ///< mean of a step [µs]
  readonly frameCost = { mean: 0, drawn: 0 }; ///< of a frame: what the scene takes, what all takes [ms]
  private seed = 1;
  private choices: number[] = [];
  private ghost: Show | undefined;
  private settings: Record<string, number> = {};
  private left = 0;     // time not yet simulated [s]
  private last = 0;     // when the last frame was [ms]
  private shapes = -1;
  private moveAt = -1;  // handle that the keyboard moves
  private loading = 0;
  private hovered = -1;
  private readonly readout: Readout = newReadout();
  private readonly subject: Subject = { x: 0, y: 0, z: 0, heading: 0, speed: 0, length: 4 };
  private readonly shown: VehiclePose[] = [];
  private before = new Float64Array(0);
  private readonly handles: Handle[] = [];
  private readonly labels: Labels;

  private readonly title = make('div', { id: 'title', class: 'card' });
  private readonly heading = make('h1');
  private readonly sentence = make('p');
  private readonly pause: HTMLButtonElement;
  private readonly clock = make('span', { class: 'time' });
  private readonly scrub = make('input', { type: 'range', min: '0', max: '1', value: '1', step: '1', 'aria-label': 'Time: go back to what was recorded' });
  private readonly speedBox = make('select', { 'aria-label': 'Speed of time', title: 'Speed of time (L: slow motion)' });
  private readonly cameraBox = make('select', { 'aria-label': 'Camera', title: 'Camera (C)' });
  private readonly driveButton: HTMLButtonElement;
  private readonly ghostButton: HTMLButtonElement;
  private readonly cost = make('div', { id: 'cost', class: 'card' });
  private readonly toast = make('div', { id: 'toast', class: 'card', role: 'status', hidden: '' });
  private readonly help: HTMLDialogElement;

  constructor(root: HTMLElement) {
    this.view = new View(root.querySelector<HTMLCanvasElement>('#view')!);
    this.labels = new Labels(root.querySelector('#labels')!, this.view);
    this.tree = new Tree((entry) => { void this.open(entry); if (innerWidth <= 760 || innerHeight <= 480) this.toggle(this.tree.root, false); });
    this.panel = new Panel({
      choose: (choice, value) => { this.choices[choice] = value; void this.reload(); },
      seed: (value) => { this.seed = value; void this.reload(); },
      set: (table, row, value) => this.setting(table, row, value),
      follow: (vehicle) => this.follow(vehicle),
      drive: (vehicle) => this.toggleWheel(vehicle),
      layers: () => undefined,
    });
    this.pause = iconButton('pause', 'Pause', () => this.setRunning(!this.running), 'Space');
    this.driveButton = textButton('Take a wheel', () => this.toggleWheel(this.driven >= 0 ? this.driven : this.followed), true);
    this.ghostButton = iconButton('ghost', 'Ghost: goes on with the settings of now, so that you see what a change makes', () => void this.toggleGhost());
    this.help = this.makeHelp();
    this.buildBar(root);
    this.buildTransport(root);
    root.append(this.tree.root, this.panel.root, this.cost, this.toast, this.driving.pads, this.help);
    this.listen();
    this.setDark(matchMedia('(prefers-color-scheme: dark)').matches);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => this.setDark(event.matches));
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    this.view.camera.calm = calm.matches;
    calm.addEventListener('change', () => { this.view.camera.calm = calm.matches; });
    const small = innerWidth <= 1000 || innerHeight <= 480;
    this.toggle(this.tree.root, !small);
    this.toggle(this.panel.root, !small);
  }

  // --------------------------------------------------------------------------- the page

  private less!: HTMLButtonElement;
  private sentenceTimer = 0;
  private treeButton!: HTMLButtonElement;
  private panelButton!: HTMLButtonElement;

  private buildBar(root: HTMLElement): void {
    this.treeButton = iconButton('menu', 'Scenes', () => this.toggle(this.tree.root), 'T');
    this.panelButton = iconButton('sliders', 'Settings and the followed vehicle', () => this.toggle(this.panel.root), 'P');
    this.treeButton.setAttribute('aria-controls', 'tree');
    this.panelButton.setAttribute('aria-controls', 'panel');
    const less = iconButton('fold', 'Hide the sentences', () => {
      const short = this.title.classList.toggle('short');
      less.style.rotate = short ? '180deg' : '';
      less.setAttribute('aria-label', short ? 'Show the sentences' : 'Hide the sentences');
    });
    less.classList.add('less');
    this.less = less;
    this.title.append(less, this.heading, this.sentence);
    root.append(make('header', { id: 'bar' },
      make('div', { class: 'card buttons' }, this.treeButton),
      this.title, make('span', { class: 'gap' }),
      make('div', { class: 'card buttons' },
        iconButton('share', 'Copy a link to this scene with its seed and settings', () => void this.share()),
        iconButton('sun', 'Light or dark', () => this.setDark(!this.view.theme.dark)),
        iconButton('help', 'Keys and fingers', () => this.help.showModal(), '?'),
        this.panelButton)));
  }

  private buildTransport(root: HTMLElement): void {
    for (const speed of SPEEDS) this.speedBox.append(make('option', { value: String(speed) }, speed < 1 ? `1/${1 / speed} ×` : `${speed} ×`));
    this.speedBox.value = '1';
    this.speedBox.addEventListener('change', () => this.setSpeed(Number(this.speedBox.value)));
    for (const [mode, text] of CAMERAS) this.cameraBox.append(make('option', { value: mode }, text));
    this.cameraBox.addEventListener('change', () => this.setCamera(this.cameraBox.value as CameraMode));
    this.scrub.addEventListener('input', () => this.goTo(Number(this.scrub.value)));
    root.append(make('div', { id: 'transport', class: 'card', role: 'toolbar', 'aria-label': 'Time, camera and wheel' },
      make('div', { class: 'set' },
        iconButton('previous', 'Previous scene', () => this.neighbour(-1), '['),
        iconButton('restart', 'Restart', () => this.restart(), 'R'), this.pause,
        iconButton('step', 'Single step', () => this.singleStep(), '.'),
        iconButton('slow', 'Slow motion', () => this.setSpeed(this.speed === 0.25 ? 1 : 0.25), 'L'),
        iconButton('next', 'Next scene', () => this.neighbour(1), ']')),
      this.scrub, this.clock, this.speedBox, this.cameraBox, this.ghostButton, this.driveButton));
  }

  private makeHelp(): HTMLDialogElement {
    const rows: [string, string][] = [
      ['click a vehicle', 'follow it; a second click, E or Enter takes its wheel'],
      ['W A S D or arrows', 'drive, while you have a wheel; else turn the camera'],
      ['E', 'take the wheel, hand it back'], ['N, Shift N', 'follow the next, the previous vehicle'],
      ['Space . R L', 'pause, single step, restart, slow motion'], ['[ ]', 'previous, next scene'], ['/', 'search the scenes'],
      ['T P', 'tree of scenes, panel'], ['C', 'camera: glide, follow, by hand, from above'], ['+ -', 'nearer, farther'],
      ['M', 'choose something that can be moved; then arrows move it, Q and Z turn it'],
      ['drag', 'vehicles, goals and obstacles where they can be moved; else the camera'], ['gamepad', 'left stick steers, triggers are pedals, A takes the wheel'],
      ['Escape', 'let go of everything'],
    ];
    const table = make('table');
    for (const [keys, does] of rows) table.append(make('tr', {}, make('td', {}, make('kbd', {}, keys)), make('td', {}, does)));
    const dialog = make('dialog', { 'aria-label': 'Keys and fingers' }, make('h2', {}, 'Keys and fingers'), table);
    dialog.append(make('div', { class: 'row' }, textButton('Close', () => dialog.close(), true)));
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    return dialog;
  }

  private toggle(part: HTMLElement, shown = part.hidden): void {
    part.hidden = !shown;
    const small = innerWidth <= 760 || innerHeight <= 480;
    if (shown && small) (part === this.tree.root ? this.panel.root : this.tree.root).hidden = true;
    document.documentElement.classList.toggle('tree-open', !this.tree.root.hidden);
    this.treeButton.setAttribute('aria-expanded', String(!this.tree.root.hidden));
    this.panelButton.setAttribute('aria-expanded', String(!this.panel.root.hidden));
    this.treeButton.setAttribute('aria-pressed', String(!this.tree.root.hidden));
    this.panelButton.setAttribute('aria-pressed', String(!this.panel.root.hidden));
  }

  setDark(dark: boolean): void {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    this.view.setDark(dark);
    this.panel.plots.rebuild();
  }

  private toastTimer = 0;
  say(text: string): void {
    setText(this.toast, text);
    this.toast.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => { this.toast.hidden = true; }, 3500);
  }

  // --------------------------------------------------------------------------- scenes

  addEntries(entries: readonly Entry[]): void {
    this.entries = [...this.entries, ...entries];
    this.tree.fill(this.entries);
    if (this.entry) this.tree.mark(this.entry);
  }

  async start(): Promise<void> {
    await this.openLink();
    addEventListener('hashchange', () => { if (location.hash !== this.written) void this.openLink(); });
    requestAnimationFrame((now) => this.frame(now));
  }

  private async openLink(): Promise<void> {
    const link = readLink(), entry = this.entries.find((each) => each.id === link.scene) ?? this.entries[0];
    if (!entry) return;
    if (link.scene && entry.id !== link.scene) this.say(`There is no scene "${link.scene}".`);
    this.choices = entry.choices.map((choice) => {
      const told = link.choices[choice.name];
      if (told === undefined) return choice.usual;
      const option = choice.options.indexOf(told), value = option >= 0 ? option : Math.round(Number(told));
      return Number.isFinite(value) ? Math.min(choice.max, Math.max(choice.min, value)) : choice.usual;
    });
    this.seed = link.seed >>> 0;
    this.settings = link.settings;
    await this.load(entry);
    if (!this.show && entry !== this.entries[0]) await this.open(this.entries[0]!);
    if (link.follow >= 0 && this.show && link.follow < this.show.count) this.follow(link.follow);
    if (CAMERAS.some(([mode]) => mode === link.camera)) this.setCamera(link.camera as CameraMode);
  }

  async open(entry: Entry): Promise<void> {
    this.choices = entry.choices.map((choice) => choice.usual);
    this.settings = {};
    this.seed = 1;
    await this.load(entry);
    this.write();
  }

  private async reload(): Promise<void> {
    if (!this.entry) return;
    const followed = this.followed;
    await this.load(this.entry);
    if (this.show && followed >= 0 && followed < this.show.count) this.follow(followed);
    this.write();
  }

  private async load(entry: Entry): Promise<void> {
    const turn = ++this.loading;
    let show: Show;
    try {
      show = await entry.make(this.seed, this.choices);
    } catch (error) {
      this.say(`${entry.title}: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (turn !== this.loading) { show.free(); return; }
    this.show?.free();
    this.dropGhost();
    this.show = show;
    this.entry = entry;
    this.recorder.clear();
    this.driven = this.followed = this.hovered = this.moveAt = this.star = -1;
    this.left = 0;
    this.stepCost = 0;
    this.setRunning(true);
    this.driving.reset();
    this.driving.showPads(false);
    this.applySettings(show);
    this.build();
    this.frameScene(show);
    this.tree.mark(entry);
    setText(this.heading, entry.title);
    this.sentence.replaceChildren(make('b', {}, entry.look), ' ', entry.tryThis);
    // A phone has no room for them for long.
    clearTimeout(this.sentenceTimer);
    if (this.title.classList.contains('short')) this.less.click();
    if (innerWidth <= 760) this.sentenceTimer = window.setTimeout(() => { if (!this.title.classList.contains('short')) this.less.click(); }, 9000);
    document.title = `${entry.title} – Kerb playground`;
    this.panel.show(show, entry.choices, this.choices, this.seed);
    this.follow(show.hero, false);
    this.remember();
  }

  private applySettings(show: Show): void {
    for (const [name, value] of Object.entries(this.settings)) {
      const [table, row] = this.find(show, name);
      if (row < 0) continue;
      try { show.set(table, row, value); } catch (error) { this.say(String(error instanceof Error ? error.message : error)); }
    }
  }

  private find(show: Show, name: string): [number, number] {
    const at = name.indexOf('.'), table = show.tables.findIndex((each) => each.name === name.slice(0, at));
    return [table, table < 0 ? -1 : show.tables[table]!.rows.findIndex((row) => row.name === name.slice(at + 1))];
  }

  private build(): void {
    this.show!.build(this.view.ground);
    this.shapes = this.show!.shapesVersion;
  }

  private frameScene(show: Show): void {
    const [x0, y0, x1, y1] = show.extent(), size = Math.max(45, Math.hypot(x1 - x0, y1 - y0));
    this.view.camera.frame(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0, 0.62 * size);
    // A camera that does not glide begins near whoever is to be looked at.
    if (this.view.camera.calm && show.hero >= 0) {
      const { x, y, z } = show.subject(show.hero, this.subject);
      this.view.camera.frame(x, y, z, Math.min(0.62 * size, 60));
    }
    this.setCamera(this.view.camera.calm ? 'free' : 'glide');
  }

  private neighbour(by: number): void {
    if (!this.entry) return;
    const count = this.entries.length, at = this.entries.indexOf(this.entry);
    void this.open(this.entries[(at + by + count) % count]!);
  }

  restart(): void {
    if (!this.show) return;
    this.handBack();
    this.show.restart();
    this.ghost?.restart();
    this.recorder.clear();
    this.left = 0;
    this.panel.plots.clear();
    this.remember();
  }

  // --------------------------------------------------------------------------- settings, link, ghost

  private setting(table: number, row: number, value: number): void {
    const show = this.show!, what = show.tables[table]!, name = `${what.name}.${what.rows[row]!.name}`;
    try {
      this.act((each) => each.set(table, row, value));
      this.settings[name] = value;
      this.write();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  /// Does something to the scene, so that it can be replayed.
  private act(act: (show: Show) => void): void {
    const show = this.show!;
    if (show.canScrub) this.recorder.act(show, act);
    else act(show);
  }

  private written = '';
  private link(): Link {
    const choices: Record<string, string> = {};
    this.entry!.choices.forEach((choice, i) => { if (this.choices[i] !== choice.usual) choices[choice.name] = choice.options[this.choices[i]!] ?? String(this.choices[i]); });
    return { scene: this.entry!.id, seed: this.seed, choices, settings: this.settings, follow: this.followed, camera: this.view.camera.mode };
  }
  private write(): void {
    if (!this.entry) return;
    this.written = writeLink(this.link());
    history.replaceState(null, '', this.written);
  }
  private async share(): Promise<void> {
    this.write();
    try {
      await navigator.clipboard.writeText(location.href);
      this.say('The link is copied: it has the scene, its seed and settings.');
    } catch {
      this.say('The link is in the address bar: copy it from there.');
    }
  }

  private async toggleGhost(): Promise<void> {
    if (this.ghost) { this.dropGhost(); return; }
    if (!this.entry || !this.show) return;
    this.ghost = await this.entry.make(this.seed, this.choices);
    this.applySettings(this.ghost);
    this.restart();
    this.ghostButton.setAttribute('aria-pressed', 'true');
    this.say('Both begin anew. Change a setting now: the ghost keeps the old one.');
  }
  private dropGhost(): void {
    this.ghost?.free();
    this.ghost = undefined;
    this.ghostButton.setAttribute('aria-pressed', 'false');
  }

  // --------------------------------------------------------------------------- whom to follow, the wheel

  follow(vehicle: number, near = true): void {
    const show = this.show;
    if (!show) return;
    if (this.driven >= 0 && vehicle !== this.driven) this.handBack();
    this.followed = vehicle;
    this.panel.follow(show, vehicle);
    if (vehicle >= 0 && near) this.setCamera('follow');
    else if (vehicle < 0 && this.view.camera.mode === 'follow') this.setCamera(this.view.camera.calm ? 'free' : 'glide');
    this.updateDrive();
    this.write();
  }

  private updateDrive(): void {
    const show = this.show, has = this.driven >= 0;
    setText(this.driveButton, has ? 'Hand it back' : this.followed < 0 ? 'Take a wheel' : 'Take the wheel');
    this.driveButton.hidden = !has && (!show || !show.canTake(this.followed < 0 ? this.nextToTake(show) : this.followed));
    this.driving.showPads(has && matchMedia('(pointer: coarse)').matches);
  }

  // Whose wheel it is when nobody is followed: of whom the camera looks at, else of the first that has one.
  private nextToTake(show: Show): number {
    if (this.star >= 0 && this.star < show.count && show.canTake(this.star)) return this.star;
    for (let i = 0; i < show.count; i++) if (show.canTake(i) && !show.poses[i]!.hidden) return i;
    return -1;
  }

  toggleWheel(vehicle: number): void {
    const show = this.show;
    if (!show) return;
    if (this.driven >= 0) { this.handBack(); return; }
    if (vehicle < 0) vehicle = this.nextToTake(show);
    if (vehicle < 0) return;
    if (!show.canTake(vehicle)) { this.say('Nobody can drive this one.'); return; }
    if (this.followed !== vehicle) this.follow(vehicle);
    this.driven = vehicle;
    this.driving.reset();
    this.setCamera('follow');
    this.setRunning(true);
    this.updateDrive();
    this.say(matchMedia('(pointer: coarse)').matches ? 'You drive: left pad steers, right pad is throttle and brake.' : 'You drive: W A S D or arrows. E hands it back.');
    this.view.canvas.focus({ preventScroll: true });
  }

  private handBack(): void {
    if (this.driven < 0) return;
    const vehicle = this.driven;
    this.driven = -1;
    this.act((show) => show.handBack(vehicle));
    this.driving.reset();
    this.updateDrive();
  }

  private steer(): void {
    if (this.driven < 0) return;
    const { throttle, brake, steering } = this.driving, vehicle = this.driven;
    this.driving.update(STEP, this.show!.read(vehicle, this.readout).speed);
    if (throttle === this.driving.throttle && brake === this.driving.brake && steering === this.driving.steering && this.show!.isPlayer(vehicle)) return;
    const t = this.driving.throttle, b = this.driving.brake, s = this.driving.steering;
    this.act((show) => show.take(vehicle, t, b, s));
  }

  // --------------------------------------------------------------------------- time

  setRunning(running: boolean): void {
    this.running = running;
    this.left = 0;
    this.pause.innerHTML = icon(running ? 'pause' : 'play');
    this.pause.setAttribute('aria-label', running ? 'Pause' : 'Go on');
  }

  private setSpeed(speed: number): void {
    this.speed = speed;
    this.speedBox.value = String(speed);
  }

  setCamera(mode: CameraMode): void {
    if (mode === 'follow' && this.followed < 0 && this.show && this.show.count > 0) { this.follow(Math.max(0, this.show.hero)); return; }
    this.view.camera.setMode(mode);
    this.cameraBox.value = mode;
  }

  private singleStep(): void {
    this.setRunning(false);
    this.step();
    this.remember();
  }

  goTo(frame: number): void {
    const show = this.show;
    if (!show?.canScrub) return;
    this.setRunning(false);
    this.recorder.goTo(show, frame);
    this.panel.refreshSettings();
    this.remember();
  }

  private step(): void {
    const show = this.show!;
    this.steer();
    if (show.canScrub) this.recorder.see(show);
    const begun = performance.now();
    show.step();
    const cost = 1000 * (performance.now() - begun);
    this.stepCost = this.stepCost === 0 ? cost : this.stepCost + 0.02 * (cost - this.stepCost);
    this.ghost?.step();
    this.steps++;
    if (this.followed >= 0) this.panel.plots.add(show.time, show.read(this.followed, this.readout));
  }

  // Poses of before the last step, between which and those after it is drawn.
  private remember(): void {
    const show = this.show!;
    show.refresh();
    if (this.before.length < 8 * show.count) this.before = new Float64Array(8 * show.count);
    for (let i = 0; i < show.count; i++) {
      const pose = show.poses[i]!, at = 8 * i;
      this.before[at] = pose.x; this.before[at + 1] = pose.y; this.before[at + 2] = pose.z;
      this.before[at + 3] = pose.qx; this.before[at + 4] = pose.qy; this.before[at + 5] = pose.qz; this.before[at + 6] = pose.qw;
    }
  }

  private simulate(dt: number): void {
    const begun = performance.now();
    this.left += dt * this.speed;
    let steps = Math.floor(this.left / STEP);
    if (steps > 0) this.left -= steps * STEP;
    while (steps > 0) {
      if (performance.now() - begun > BUDGET) break;
      if (steps === 1) this.remember();
      this.step();
      steps--;
    }
    this.show!.refresh();
    this.frameCost.mean += 0.05 * (performance.now() - begun - this.frameCost.mean);
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const dt = Math.min(0.25, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const show = this.show;
    if (!show) return;
    if (this.driving.gamepadButton()) this.toggleWheel(this.followed);
    if (this.running && !document.hidden) this.simulate(dt);
    if (show.shapesVersion !== this.shapes) this.build();
    this.draw(show, dt, now / 1000);
  }

  private draw(show: Show, dt: number, now: number): void {
    const share = this.running ? Math.min(1, this.left / STEP) : 1, count = this.blend(show, share);
    // Who is not there yet is nothing to look at: then it is the whole scene.
    const subject = this.followed >= 0 && !this.shown[this.followed]!.hidden ? this.subjectOf(show) : undefined;
    const camera = this.view.camera.mode;
    this.view.lines.clear();
    this.view.marks.clear();
    this.labels.begin();
    if (this.followed >= 0) show.think(this.followed, this.panel.layers, this.view.lines, this.labels.add);
    show.marks(this.view.marks);
    this.markVehicles(show);
    this.view.draw(this.shown, count, subject ?? (camera === 'glide' ? this.starOf(show, now) : undefined), dt);
    this.labels.end();
    if (this.followed >= 0) show.read(this.followed, this.readout);
    this.panel.update(show, this.followed >= 0 ? this.readout : undefined, now);
    this.updateHud(show, now);
  }

  private nextHud = 0;
  private updateHud(show: Show, now: number): void {
    if (this.view.camera.mode !== this.cameraBox.value) this.cameraBox.value = this.view.camera.mode;
    if (now < this.nextHud) return;
    this.nextHud = now + 0.25;
    setText(this.clock, clockText(show.time));
    this.scrub.disabled = !show.canScrub;
    this.scrub.min = String(this.recorder.first);
    this.scrub.max = String(Math.max(this.recorder.last, show.frame));
    this.scrub.value = String(show.frame);
    this.scrub.setAttribute('aria-valuetext', clockText(show.time));
    setText(this.cost, `${show.count} ${show.count === 1 ? 'vehicle' : 'vehicles'} · ${(this.stepCost / Math.max(1, show.count)).toFixed(1)} µs each a step, driver and physics · ${this.frameCost.mean.toFixed(1)} ms a frame`);
  }

  private blend(show: Show, share: number): number {
    while (this.shown.length < show.count + (this.ghost?.count ?? 0)) this.shown.push(newPose());
    for (let i = 0; i < show.count; i++) {
      const to = show.poses[i]!, pose = Object.assign(this.shown[i]!, to), at = 8 * i, b = this.before;
      const moved = Math.hypot(to.x - b[at]!, to.y - b[at + 1]!);
      if (share >= 1 || moved > 6) continue;
      pose.x = mix(b[at]!, to.x, share); pose.y = mix(b[at + 1]!, to.y, share); pose.z = mix(b[at + 2]!, to.z, share);
      const sign = b[at + 3]! * to.qx + b[at + 4]! * to.qy + b[at + 5]! * to.qz + b[at + 6]! * to.qw < 0 ? -1 : 1;
      pose.qx = mix(sign * b[at + 3]!, to.qx, share); pose.qy = mix(sign * b[at + 4]!, to.qy, share); pose.qz = mix(sign * b[at + 5]!, to.qz, share); pose.qw = mix(sign * b[at + 6]!, to.qw, share);
      const size = 1 / Math.hypot(pose.qx, pose.qy, pose.qz, pose.qw);
      pose.qx *= size; pose.qy *= size; pose.qz *= size; pose.qw *= size;
    }
    let count = show.count;
    if (this.ghost) {
      this.ghost.refresh();
      for (let i = 0; i < this.ghost.count && i < show.count; i++) {
        if (this.followed >= 0 && i !== this.followed) continue;
        const pose = Object.assign(this.shown[count]!, this.ghost.poses[i]!);
        pose.ghost = true;
        pose.color = 0x9fb4d8;
        count++;
      }
    }
    return count;
  }

  private subjectOf(show: Show, vehicle = this.followed): Subject {
    const pose = this.shown[vehicle]!;
    show.subject(vehicle, this.subject);
    this.subject.x = pose.x; this.subject.y = pose.y; this.subject.z = pose.z;
    return this.subject;
  }

  // Whom the gliding camera looks at where nobody is the hero: a moving vehicle among many others. It
  // stays with one for some seconds.
  private star = -1;
  private starUntil = 0;
  private starOf(show: Show, now: number): Subject | undefined {
    if (show.count < 8) return this.crowdOf(show);
    if (show.hero >= 0) return undefined;
    if (this.star < 0 || this.star >= show.count || now > this.starUntil || this.shown[this.star]?.hidden) {
      let best = -Infinity;
      const before = this.shown[this.star];
      for (let i = 0; i < show.count; i++) {
        const pose = this.shown[i]!;
        if (pose.hidden || pose.ghost || i === this.star) continue;
        let near = 0;
        for (let k = 0; k < show.count; k++) if (k !== i && Math.hypot(this.shown[k]!.x - pose.x, this.shown[k]!.y - pose.y) < 35) near++;
        const score = near + Math.min(3, 0.4 * show.read(i, this.readout).speed);
        if (score > best) { best = score; this.star = i; }
      }
      this.starUntil = now + STAR_SECONDS;
      const next = this.shown[this.star];
      if (before && next && Math.hypot(next.x - before.x, next.y - before.y) > 60) this.view.camera.jump();
    }
    return this.star < 0 ? undefined : this.subjectOf(show, this.star);
  }

  // A few are looked at together: where they are in the mean, and as wide as they are apart.
  private crowdOf(show: Show): Subject | undefined {
    const mean = { x: 0, y: 0, z: 0, vx: 0, vy: 0, length: 0 };
    let count = 0, apart = 0;
    for (let i = 0; i < show.count; i++) {
      if (this.shown[i]!.hidden) continue;
      const each = this.subjectOf(show, i);
      count++;
      mean.x += each.x; mean.y += each.y; mean.z += each.z; mean.length += each.length;
      mean.vx += each.speed * Math.cos(each.heading); mean.vy += each.speed * Math.sin(each.heading);
    }
    if (count === 0) return undefined;
    mean.x /= count; mean.y /= count; mean.z /= count;
    for (let i = 0; i < show.count; i++) {
      const pose = this.shown[i]!;
      if (!pose.hidden) apart = Math.max(apart, Math.hypot(pose.x - mean.x, pose.y - mean.y, pose.z - mean.z));
    }
    const speed = Math.hypot(mean.vx, mean.vy) / count, heading = Math.atan2(mean.vy, mean.vx);
    return Object.assign(this.subject, { x: mean.x, y: mean.y, z: mean.z, speed, heading, length: Math.max(mean.length / count, apart / 7) });
  }

  // A ring round the followed vehicle, and names of it and of the one under the mouse.
  private markVehicles(show: Show): void {
    const ring = (vehicle: number, color: number): void => {
      const pose = this.shown[vehicle];
      if (pose && !pose.hidden) this.view.marks.addCircle(pose.x, pose.y, pose.z + 0.1, 0.62 * pose.length, color, 2);
    };
    if (this.followed >= 0) {
      ring(this.followed, this.driven >= 0 ? 0xff7a3a : 0xffffff);
      const pose = this.shown[this.followed]!;
      if (this.driven >= 0) this.labels.add(pose.x, pose.y, pose.z + pose.height + 0.5, 'you', true);
    }
    if (this.hovered >= 0 && this.hovered !== this.followed && this.hovered < show.count) {
      const pose = this.shown[this.hovered]!;
      ring(this.hovered, 0xffd24a);
      this.labels.add(pose.x, pose.y, pose.z + pose.height + 0.5, `${show.name(this.hovered)}: ${show.reason(this.hovered)}`, false);
    }
    if (this.moveAt >= 0) {
      const handle = show.handles(this.handles)[this.moveAt];
      if (handle) { this.view.marks.addCircle(handle.x, handle.y, handle.z + 0.1, 2, 0xff7a3a, 3); this.labels.add(handle.x, handle.y, handle.z + 2, `${handle.label}: arrows move it`, true); }
    }
  }

  // --------------------------------------------------------------------------- input

  private listen(): void {
    new Pointer(this.view, {
      show: () => this.show,
      follow: (vehicle) => this.follow(vehicle),
      drive: (vehicle) => this.toggleWheel(vehicle),
      drag: (kind, index, x, y, heading) => {
        try { this.act((show) => show.drag(kind, index, x, y, heading)); } catch { /* nothing can be there */ }
        this.remember();
      },
      dragged: () => undefined,
      hover: (vehicle) => { this.hovered = vehicle; },
    });
    addEventListener('keydown', (event) => this.keyDown(event));
    addEventListener('keyup', (event) => this.driving.key(event.code, false));
    addEventListener('blur', () => this.driving.releaseAll());
  }

  private keyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (target.matches('input:not([type="range"]), select, textarea') && event.key !== 'Escape') return;
    if (this.driven >= 0 && this.driving.key(event.code, true)) { event.preventDefault(); return; }
    // Space and Enter press a button that has the focus; arrows move a slider.
    if (target.matches('button, summary, a') && (event.key === ' ' || event.key === 'Enter')) return;
    if (target.matches('input[type="range"]') && event.key.startsWith('Arrow')) return;
    if (this.moveByKeys(event) || this.command(event) || this.moveCamera(event)) event.preventDefault();
  }

  private command(event: KeyboardEvent): boolean {
    switch (event.key) {
      case ' ': this.setRunning(!this.running); return true;
      case '.': this.singleStep(); return true;
      case 'r': case 'R': this.restart(); return true;
      case 'l': case 'L': this.setSpeed(this.speed === 0.25 ? 1 : 0.25); return true;
      case '[': case 'PageUp': this.neighbour(-1); return true;
      case ']': case 'PageDown': this.neighbour(1); return true;
      case '/': this.toggle(this.tree.root, true); this.tree.focusSearch(); return true;
      case 't': case 'T': this.toggle(this.tree.root); return true;
      case 'p': case 'P': this.toggle(this.panel.root); return true;
      case 'g': case 'G': void this.toggleGhost(); return true;
      case 'c': case 'C': this.setCamera(CAMERAS[(CAMERAS.findIndex(([mode]) => mode === this.view.camera.mode) + 1) % CAMERAS.length]![0]); return true;
      case 'e': case 'E': case 'Enter': this.toggleWheel(this.driven >= 0 ? this.driven : this.followed); return true;
      case 'n': case 'N': this.followNext(event.shiftKey ? -1 : 1); return true;
      case 'm': case 'M': this.chooseHandle(); return true;
      case '?': this.help.showModal(); return true;
      case 'Escape': this.letGo(); return true;
      default: return false;
    }
  }

  private letGo(): void {
    if (this.driven >= 0) this.handBack();
    else if (this.moveAt >= 0) this.moveAt = -1;
    else if (this.followed >= 0) this.follow(-1);
    else if (innerWidth <= 760) { this.toggle(this.tree.root, false); this.toggle(this.panel.root, false); }
  }

  private followNext(by: number): void {
    const show = this.show;
    if (!show || show.count === 0) return;
    for (let k = 1; k <= show.count; k++) {
      const next = (((this.followed + by * k) % show.count) + show.count) % show.count;
      if (!show.poses[next]!.hidden && !show.poses[next]!.ghost) { this.follow(next); this.say(`${show.name(next)}: ${show.reason(next)}`); return; }
    }
  }

  private chooseHandle(): void {
    const handles = this.show?.handles(this.handles) ?? [];
    if (handles.length === 0) { this.say('Nothing can be moved here but vehicles: drag them.'); return; }
    this.moveAt = (this.moveAt + 1) % handles.length;
    this.say(`${handles[this.moveAt]!.label}: arrows move it, Q and Z turn it, Escape lets go.`);
  }

  private moveByKeys(event: KeyboardEvent): boolean {
    if (this.moveAt < 0) return false;
    const handle = this.show?.handles(this.handles)[this.moveAt];
    if (!handle) { this.moveAt = -1; return false; }
    const far = event.shiftKey ? 5 : 1;
    const move = ({ ArrowUp: [0, far, 0], ArrowDown: [0, -far, 0], ArrowLeft: [-far, 0, 0], ArrowRight: [far, 0, 0], KeyQ: [0, 0, 0.1], KeyZ: [0, 0, -0.1] } as Record<string, [number, number, number]>)[event.code];
    if (!move) return false;
    const { kind, index, x, y, heading } = handle;
    try { this.act((show) => show.drag(kind, index, x + move[0], y + move[1], heading + move[2])); } catch { this.say('It cannot be there.'); }
    return true;
  }

  private moveCamera(event: KeyboardEvent): boolean {
    const camera = this.view.camera, by = 22;
    switch (event.code) {
      case 'ArrowLeft': case 'KeyA': camera.turn(by, 0); return true;
      case 'ArrowRight': case 'KeyD': camera.turn(-by, 0); return true;
      case 'ArrowUp': case 'KeyW': camera.turn(0, by); return true;
      case 'ArrowDown': case 'KeyS': camera.turn(0, -by); return true;
    }
    if (event.key === '+' || event.key === '=') camera.zoomBy(0.85);
    else if (event.key === '-') camera.zoomBy(1 / 0.85);
    else return false;
    return true;
  }
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;
function clockText(seconds: number): string {
  const whole = Math.floor(seconds / 60);
  return `${whole}:${(seconds - 60 * whole).toFixed(1).padStart(4, '0')}`;
}
