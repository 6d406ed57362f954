// Records a running scene, so that it can be scrubbed: a snapshot every half second, and between them
// what people did. Going to a frame restores the snapshot before it and drives on from there, with
// the same acts in the same frames; so it comes to the same hash.
import type { Show } from './show';

const EVERY = 30;                 // steps between snapshots
const BYTES_MAX = 96 * 1024 * 1024;

export type Act = (show: Show) => void;
interface Mark { frame: number; snapshot: Uint8Array }

export class Recorder {
  private marks: Mark[] = [];
  private acts: { frame: number; act: Act }[] = [];
  private bytes = 0;
  private every = EVERY;
  last = 0; ///< latest frame that was seen

  clear(): void {
    this.marks = [];
    this.acts = [];
    this.bytes = 0;
    this.every = EVERY;
    this.last = 0;
  }

  get first(): number { return this.marks[0]?.frame ?? this.last; }

  /// Does something to the scene, and remembers it.
  act(show: Show, act: Act): void {
    this.cutAfter(show.frame);
    act(show);
    this.acts.push({ frame: show.frame, act });
  }

  /// Before each step.
  see(show: Show): void {
    const frame = show.frame;
    if (frame < this.last) this.cutAfter(frame);
    this.last = frame + 1;
    const latest = this.marks[this.marks.length - 1];
    if (latest && frame - latest.frame < this.every) return;
    const snapshot = show.save();
    this.marks.push({ frame, snapshot });
    this.bytes += snapshot.length;
    // Too much: the older half keeps every other one.
    while (this.bytes > BYTES_MAX && this.marks.length > 8) this.thin();
  }

  private thin(): void {
    const half = this.marks.length >> 1, kept = this.marks.filter((_, i) => i >= half || i % 2 === 0);
    if (kept.length === this.marks.length) { this.marks.shift(); }
    else this.marks = kept;
    if (this.marks.length > 400) this.marks.shift();
    this.bytes = this.marks.reduce((sum, mark) => sum + mark.snapshot.length, 0);
  }

  // From here on another future begins.
  private cutAfter(frame: number): void {
    while (this.marks.length > 0 && this.marks[this.marks.length - 1]!.frame > frame) this.bytes -= this.marks.pop()!.snapshot.length;
    this.acts = this.acts.filter((entry) => entry.frame <= frame);
    this.last = Math.min(this.last, frame);
  }

  /// Brings the scene to a frame that was seen.
  goTo(show: Show, frame: number): void {
    let mark: Mark | undefined;
    for (const each of this.marks) if (each.frame <= frame) mark = each;
    if (!mark) return;
    const here = show.frame;
    if (here > frame || here < mark.frame) show.restore(mark.snapshot);
    // Acts may be done twice in their frame: they say how things are to be, not how to change.
    for (let k = show.frame; k <= frame; k++) {
      for (const entry of this.acts) if (entry.frame === k) entry.act(show);
      if (k < frame) show.step();
    }
  }
}
