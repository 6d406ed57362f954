// Words at places of the world, as elements over the picture: they stay sharp and cost little.
import { Vector3 } from 'three';
import type { View } from '../view/view';
import { make, setText } from './dom';

const MOST = 14;

export class Labels {
  private readonly pool: HTMLSpanElement[] = [];
  private readonly wanted: { x: number; y: number; z: number; text: string; mine: boolean }[] = [];
  private count = 0;
  private readonly place = new Vector3();

  constructor(private readonly root: HTMLElement, private readonly view: View) {
    for (let i = 0; i < MOST; i++) {
      const span = make('span');
      span.hidden = true;
      this.pool.push(span);
      this.wanted.push({ x: 0, y: 0, z: 0, text: '', mine: false });
      root.append(span);
    }
  }

  begin(): void { this.count = 0; }

  readonly add = (x: number, y: number, z: number, text: string, mine: boolean): void => {
    if (this.count >= MOST || !text) return;
    const label = this.wanted[this.count++]!;
    label.x = x; label.y = y; label.z = z; label.text = text; label.mine = mine;
  };

  /// After the picture is drawn: the camera is where it is now.
  end(): void {
    for (let i = 0; i < MOST; i++) {
      const span = this.pool[i]!, label = this.wanted[i]!;
      let hidden = i >= this.count;
      if (!hidden) {
        this.view.project(label.x, label.y, label.z, this.place);
        hidden = this.place.z > 1 || this.place.x < -50 || this.place.y < -20 || this.place.x > this.root.clientWidth + 50 || this.place.y > this.root.clientHeight + 20;
      }
      if (span.hidden !== hidden) span.hidden = hidden;
      if (hidden) continue;
      setText(span, label.text);
      span.classList.toggle('mine', label.mine);
      span.style.transform = `translate(${this.place.x.toFixed(1)}px, ${this.place.y.toFixed(1)}px) translate(-50%, -100%)`;
    }
  }
}
