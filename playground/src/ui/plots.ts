// Three plots of the followed vehicle over the last twenty seconds: controls, speed, error.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Readout } from '../show';
import { make } from './dom';

const SECONDS = 20, RATE = 20, POINTS = SECONDS * RATE;
const COLORS = { throttle: '#2fa866', brake: '#d9433b', steering: '#3a7fd6', speed: '#3a7fd6', target: '#e0902a', error: '#a05fc9' };

class Ring {
  readonly values: number[] = [];
  push(value: number): void {
    this.values.push(value);
    if (this.values.length > POINTS) this.values.shift();
  }
  clear(): void { this.values.length = 0; }
}

export class Plots {
  readonly root = make('div', { role: 'img', 'aria-label': 'Plots of throttle, brake and steering, of speed and its set point, and of the cross-track error' });
  private readonly rings = { time: new Ring(), throttle: new Ring(), brake: new Ring(), steering: new Ring(), speed: new Ring(), target: new Ring(), error: new Ring() };
  private plots: { plot: uPlot; names: (keyof Plots['rings'])[] }[] = [];
  private nextTime = 0;
  private nextDraw = 0;
  private width = 0;

  clear(): void {
    for (const ring of Object.values(this.rings)) ring.clear();
    this.nextTime = 0;
  }

  add(time: number, read: Readout): void {
    const times = this.rings.time.values;
    if (times.length > 0 && time < times[times.length - 1]!) this.clear();
    if (time < this.nextTime) return;
    this.nextTime = time + 1 / RATE;
    this.rings.time.push(time);
    this.rings.throttle.push(read.throttle);
    this.rings.brake.push(-read.brake);
    this.rings.steering.push(read.steering);
    this.rings.speed.push(read.speed);
    this.rings.target.push(read.target);
    this.rings.error.push(read.error);
  }

  /// [now: of the wall clock, s]
  draw(now: number): void {
    if (now < this.nextDraw) return;
    this.nextDraw = now + 0.12;
    const width = this.root.clientWidth;
    if (width < 40) return;
    if (this.plots.length === 0 || Math.abs(width - this.width) > 2) this.build(width);
    for (const { plot, names } of this.plots) plot.setData([this.rings.time.values, ...names.map((name) => this.rings[name].values)] as uPlot.AlignedData);
  }

  rebuild(): void { this.width = 0; }

  private build(width: number): void {
    this.width = width;
    for (const { plot } of this.plots) plot.destroy();
    this.root.replaceChildren();
    this.plots = [
      this.plot(width, 'controls', ['throttle', 'brake', 'steering'], [-1.05, 1.05]),
      this.plot(width, 'speed [m/s]', ['speed', 'target']),
      this.plot(width, 'error [m]', ['error']),
    ];
  }

  private plot(width: number, title: string, names: (keyof Plots['rings'] & keyof typeof COLORS)[], range?: [number, number]): { plot: uPlot; names: (keyof Plots['rings'])[] } {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--soft').trim(), line = style.getPropertyValue('--line').trim();
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    const box = make('div', { class: 'plot' });
    this.root.append(make('div', { class: 'hint' }, `${title}: `, ...names.flatMap((name, i) => {
      const text = make('span', {}, (i ? ', ' : '') + (name === 'brake' ? 'brake (below 0)' : name === 'target' ? 'set point' : name));
      text.style.color = COLORS[name];
      return [text];
    })), box);
    const plot = new uPlot({
      width, height: 84, legend: { show: false }, cursor: { show: false }, padding: [4, 6, 0, 0],
      scales: { x: { time: false }, y: range ? { range } : { range: (_u, least, most) => [Math.min(least, -0.5), Math.max(most, 0.5)] } },
      axes: [{ ...axis, size: 18, space: 50 }, { ...axis, size: 34, space: 26 }],
      series: [{}, ...names.map((name) => ({ stroke: COLORS[name], width: 1.5, points: { show: false } }))],
    }, [[], ...names.map(() => [])] as unknown as uPlot.AlignedData, box);
    return { plot, names };
  }
}
