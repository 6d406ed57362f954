// The panel: choices and sliders of the scene, made from the settings tables; the followed vehicle
// with its reason in words, plots, what is believed of it, and the layers of its thoughts.
import GUI, { type Controller } from 'lil-gui';
import type { Readout, Row, Show, Table } from '../show';
import type { Choice } from '../stage';
import { make, setText, textButton } from './dom';
import { Plots } from './plots';

export interface PanelActs {
  choose(choice: number, value: number): void;
  seed(value: number): void;
  set(table: number, row: number, value: number): void;
  follow(vehicle: number): void;
  drive(vehicle: number): void;
  layers(): void;
}

// Rows that show what the drivers are about come first; all others follow in a closed folder.
const TELLING = /^(speed|skill|aggression|response_time|lateral_acceleration|corner_cut|steering|deceleration|acceleration|avoid\.(gap_time|gap_min|patience)|gap_time|gap_min|time_gap|method|margin|fill|separation.*|alignment.*|cohesion.*|neighbours|driving_side|expansions|slice|radius|count|distance|line\..*)$/;

export class Panel {
  readonly root = make('aside', { id: 'panel', class: 'card', 'aria-label': 'Settings and the followed vehicle' });
  readonly layers: boolean[] = [];
  private readonly choices = make('section', { 'aria-label': 'Scene' });
  private readonly settings = make('section', { 'aria-label': 'Settings' });
  private readonly figures = make('section', { 'aria-label': 'Figures' });
  private readonly figureList = make('dl');
  private readonly vehicle = make('section', { 'aria-label': 'Followed vehicle' });
  private readonly name = make('span');
  private readonly swatch = make('i');
  private readonly reason = make('p', { class: 'reason', role: 'status', 'aria-live': 'off' });
  private readonly values = make('dl');
  private readonly valueCells = new Map<string, HTMLElement>();
  private readonly drive: HTMLButtonElement;
  private readonly beliefs = make('table', { class: 'beliefs' });
  private readonly beliefCells: HTMLElement[][] = [];
  private readonly beliefBox = make('details', {}, make('summary', {}, 'What estimate believes of its steering'), this.beliefs);
  private readonly layerBox = make('details', {}, make('summary', {}, 'Layers'));
  readonly plots = new Plots();
  private gui: GUI | undefined;
  private controllers: { controller: Controller; table: number; row: number }[] = [];
  private followed = -1;
  private nextText = 0;

  constructor(private readonly acts: PanelActs) {
    this.drive = textButton('Drive', () => this.acts.drive(this.followed), true);
    this.drive.id = 'drive';
    const free = textButton('Let it go', () => this.acts.follow(-1));
    for (const [key, text] of [['speed', 'speed'], ['target', 'set point'], ['error', 'cross-track error'], ['lateral', 'lateral acceleration'], ['gear', 'gear'], ['pedals', 'throttle, brake'], ['steering', 'steering']] as const) {
      const cell = make('dd');
      this.valueCells.set(key, cell);
      this.values.append(make('dt', {}, text), cell);
    }
    for (const text of ['delay', 'gain', 'trim']) {
      const cells = [make('td'), make('td'), make('td')];
      this.beliefCells.push(cells);
      this.beliefs.append(make('tr', {}, make('th', { scope: 'row' }, text), ...cells));
    }
    this.vehicle.append(make('h2', {}, this.swatch, this.name), this.reason, make('div', { class: 'row' }, this.drive, free), this.plots.root, this.values, this.beliefBox, this.layerBox);
    this.vehicle.hidden = true;
    this.figures.append(make('h2', {}, 'Measured'), this.figureList);
    this.root.append(this.choices, this.vehicle, this.figures, this.settings);
  }

  // ------------------------------------------------------------------------- the scene

  show(show: Show, choices: readonly Choice[], values: readonly number[], seed: number): void {
    this.choices.replaceChildren(make('h2', {}, 'Scene'));
    choices.forEach((choice, i) => this.choices.append(this.choiceRow(choice, i, values[i] ?? choice.usual)));
    const box = make('input', { type: 'number', min: '0', max: '4294967295', step: '1', value: String(seed), id: 'seed' });
    box.style.width = '90px';
    box.addEventListener('change', () => this.acts.seed(Number(box.value) >>> 0));
    this.choices.append(make('div', { class: 'row' }, make('label', { for: 'seed', title: 'Another seed draws another scene of this kind' }, 'seed'), box, textButton('Another', () => this.acts.seed((seed + 1) >>> 0))));
    this.makeSettings(show);
    this.makeLayers(show);
    this.figureList.replaceChildren();
    this.plots.clear();
  }

  private choiceRow(choice: Choice, index: number, value: number): HTMLElement {
    const id = `choice-${choice.name}`, label = make('label', { for: id, title: choice.meaning }, words(choice.name));
    if (choice.options.length > 0) {
      const select = make('select', { id, title: choice.meaning });
      choice.options.forEach((option, i) => select.append(make('option', { value: String(i) }, words(option))));
      select.value = String(value);
      select.addEventListener('change', () => this.acts.choose(index, Number(select.value)));
      return make('div', { class: 'row' }, label, select);
    }
    const input = make('input', { id, type: 'number', min: String(choice.min), max: String(choice.max), value: String(value), title: choice.meaning });
    input.style.width = '90px';
    input.addEventListener('change', () => this.acts.choose(index, Math.min(choice.max, Math.max(choice.min, Math.round(Number(input.value) || choice.usual)))));
    return make('div', { class: 'row' }, label, input);
  }

  private makeSettings(show: Show): void {
    this.gui?.destroy();
    this.controllers = [];
    this.settings.replaceChildren(make('h2', {}, 'Settings'));
    if (show.tables.length === 0) {
      this.settings.append(make('p', { class: 'hint' }, 'This scene has none that can be changed while it runs.'));
      return;
    }
    const gui = this.gui = new GUI({ container: this.settings, title: 'Settings' });
    gui.$title.hidden = true;
    show.tables.forEach((table, t) => this.makeTable(show, gui, table, t));
    const back = textButton('All back to what they were', () => {
      show.tables.forEach((table, t) => table.rows.forEach((row, r) => { if (show.get(t, r) !== this.first.get(`${t} ${r}`)) this.acts.set(t, r, this.first.get(`${t} ${r}`) ?? row.usual); }));
      this.refreshSettings();
    });
    this.settings.append(make('div', { class: 'row' }, back));
  }

  private readonly first = new Map<string, number>();
  private makeTable(show: Show, gui: GUI, table: Table, t: number): void {
    const folder = gui.addFolder(words(table.name));
    const telling = table.rows.filter((row) => TELLING.test(row.name)), more = telling.length > 0 && telling.length < table.rows.length ? folder.addFolder('more') : undefined;
    table.rows.forEach((row, r) => {
      this.first.set(`${t} ${r}`, show.get(t, r));
      this.controllers.push({ controller: this.makeRow(show, telling.includes(row) || !more ? folder : more, row, t, r), table: t, row: r });
    });
    more?.close();
    if (t > 0) folder.close();
  }

  private makeRow(show: Show, gui: GUI, row: Row, t: number, r: number): Controller {
    const now = Number(show.get(t, r).toPrecision(6)), held = { value: now };
    let controller: Controller;
    if (row.type === 'choice') controller = gui.add(held, 'value', Object.fromEntries(row.options.map((option, i) => [words(option), i])));
    else {
      const [least, most] = sensible(row, now);
      controller = gui.add(held, 'value', least, most, row.type === 'whole' ? 1 : stepOf(most - least));
    }
    const unit = row.unit && row.unit !== '1' ? ` [${row.unit}]` : '';
    controller.name(words(row.name) + unit);
    controller.domElement.title = row.meaning;
    controller.domElement.querySelector('input, select')?.setAttribute('aria-label', `${words(row.name)}${unit}: ${row.meaning}`);
    controller.domElement.dataset.setting = `${t}.${row.name}`;
    controller.onChange((value: number) => this.acts.set(t, r, value));
    return controller;
  }

  private shown: Show | undefined;
  private makeLayers(show: Show): void {
    this.shown = show;
    const list = make('div', { class: 'row' });
    show.layers.forEach((layer, i) => {
      this.layers[i] ??= true;
      const button = make('button', { type: 'button', 'aria-pressed': String(this.layers[i]) }, layer.text);
      button.style.borderLeft = `4px solid #${layer.color.toString(16).padStart(6, '0')}`;
      button.addEventListener('click', () => {
        this.layers[i] = !this.layers[i];
        button.setAttribute('aria-pressed', String(this.layers[i]));
        this.acts.layers();
      });
      list.append(button);
    });
    this.layerBox.replaceChildren(make('summary', {}, 'Layers of its thoughts'), list);
  }

  refreshSettings(): void {
    for (const { controller, table, row } of this.controllers) {
      (controller.object as { value: number }).value = Number(this.shown!.get(table, row).toPrecision(6));
      controller.updateDisplay();
    }
  }

  // ------------------------------------------------------------------------- the vehicle

  follow(show: Show, vehicle: number): void {
    this.followed = vehicle;
    this.vehicle.hidden = vehicle < 0;
    this.plots.clear();
    this.nextText = 0;
    if (vehicle < 0) return;
    setText(this.name, show.name(vehicle));
    this.swatch.style.background = `#${show.poses[vehicle]!.color.toString(16).padStart(6, '0')}`;
    this.drive.hidden = !show.canTake(vehicle);
  }

  /// [now: of the wall clock, s]
  update(show: Show, read: Readout | undefined, now: number): void {
    if (this.root.hidden) return;
    if (read && this.followed >= 0) this.plots.draw(now);
    if (now < this.nextText) return;
    this.nextText = now + 0.2;
    this.showFigures(show);
    if (!read || this.followed < 0) return;
    setText(this.reason, show.isPlayer(this.followed) ? 'you have the wheel' : show.reason(this.followed));
    setText(this.drive, show.isPlayer(this.followed) ? 'Hand it back' : 'Take the wheel');
    const set = (key: string, text: string): void => setText(this.valueCells.get(key)!, text);
    set('speed', `${read.speed.toFixed(1)} m/s  (${(3.6 * read.speed).toFixed(0)} km/h)`);
    set('target', `${read.target.toFixed(1)} m/s`);
    set('error', `${read.error.toFixed(2)} m`);
    set('lateral', `${(read.lateral / 9.80665).toFixed(2)} g`);
    set('gear', read.gear < 0 ? 'reverse' : read.gear === 0 ? 'neutral' : `${read.gear}`);
    set('pedals', `${(100 * read.throttle).toFixed(0)} %, ${(100 * read.brake).toFixed(0)} %${read.handbrake ? ', handbrake' : ''}`);
    set('steering', `${(100 * read.steering).toFixed(0)} % ${read.steering > 0.005 ? 'left' : read.steering < -0.005 ? 'right' : ''}`);
    this.beliefBox.hidden = !read.estimated;
    if (!read.estimated) return;
    [[read.delay, read.delayDeviation, read.delayKnown, 's'], [read.gain, read.gainDeviation, read.gainKnown, ''], [read.trim, read.trimDeviation, read.trimKnown, 'of lock']].forEach(([value, deviation, known, unit], i) => {
      const cells = this.beliefCells[i]!;
      setText(cells[0]!, `${(value as number).toFixed(3)} ${unit}`);
      setText(cells[1]!, `± ${(deviation as number).toFixed(3)}`);
      setText(cells[2]!, known ? 'known' : 'not yet');
    });
  }

  private showFigures(show: Show): void {
    const figures = show.figures();
    this.figures.hidden = figures.length === 0;
    while (this.figureList.children.length < 2 * figures.length) this.figureList.append(make('dt'), make('dd'));
    while (this.figureList.children.length > 2 * figures.length) this.figureList.lastChild!.remove();
    figures.forEach((figure, i) => {
      setText(this.figureList.children[2 * i]!, figure.name);
      setText(this.figureList.children[2 * i + 1]!, figure.value === -1 ? 'not yet' : `${Number(figure.value.toPrecision(4))} ${figure.unit === '1' ? '' : figure.unit}`);
    });
  }
}

export const words = (name: string): string => name.replaceAll('_', ' ').replaceAll('.', ': ');

/// A slider over the whole range of a setting would be too coarse: up to four times of what is usual.
function sensible(row: Row, now: number): [number, number] {
  const around = Math.max(Math.abs(row.usual), Math.abs(now));
  if (row.type === 'whole' || around === 0 || row.max - row.min <= 6 * around) return [row.min, Math.min(row.max, row.min + 1000 > row.max ? row.max : Math.max(row.min + 20, 4 * around))];
  return [Math.max(row.min, row.min < 0 ? -4 * around : row.min), Math.min(row.max, 4 * around)];
}
const stepOf = (range: number): number => 10 ** Math.floor(Math.log10(Math.max(range, 1e-6) / 150));
