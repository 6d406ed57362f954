// What the page shows: a running scene, whoever simulates it. The stage's scenes and those in Jolt
// are both behind this.
import type { Choice, Row, Table } from './stage';
import type { Ground } from './view/ground';
import type { Lines } from './view/lines';
import type { Subject } from './view/camera';
import type { VehiclePose } from './view/vehicles';

/// An entry of the tree.
export interface Entry {
  id: string; group: string; title: string; look: string; tryThis: string;
  choices: Choice[];
  make(seed: number, choices: readonly number[]): Promise<Show>;
}

/// What is known of the followed vehicle now. One object, filled again and again.
export interface Readout {
  throttle: number; brake: number; steering: number; handbrake: boolean; gear: number;
  speed: number; target: number; error: number; lateral: number; progress: number;
  estimated: boolean;
  delay: number; delayDeviation: number; delayKnown: boolean;
  gain: number; gainDeviation: number; gainKnown: boolean;
  trim: number; trimDeviation: number; trimKnown: boolean;
}
export const newReadout = (): Readout => ({
  throttle: 0, brake: 0, steering: 0, handbrake: false, gear: 0, speed: 0, target: 0, error: 0, lateral: 0, progress: 0,
  estimated: false, delay: 0, delayDeviation: 0, delayKnown: false, gain: 1, gainDeviation: 0, gainKnown: false, trim: 0, trimDeviation: 0, trimKnown: false,
});

/// Something that can be dragged.
export interface Handle { kind: number; index: number; x: number; y: number; z: number; heading: number; reach: number; turns: boolean; label: string }

export interface Figure { name: string; unit: string; value: number }
export type Label = (x: number, y: number, z: number, text: string, mine: boolean) => void;

export interface Show {
  readonly poses: VehiclePose[];
  readonly count: number;
  readonly time: number;
  readonly frame: number;
  readonly tables: Table[];
  readonly layers: { text: string; color: number }[];
  readonly hero: number;        ///< to look at first; -1: all of it
  readonly shapesVersion: number;
  readonly canScrub: boolean;
  readonly hash: string;
  step(): void;
  restart(): void;
  free(): void;
  refresh(): void;              ///< poses from the state
  subject(vehicle: number, out: Subject): Subject;
  name(vehicle: number): string;
  reason(vehicle: number): string;
  read(vehicle: number, out: Readout): Readout;
  isPlayer(vehicle: number): boolean;
  canTake(vehicle: number): boolean;
  take(vehicle: number, throttle: number, brake: number, steering: number): void;
  handBack(vehicle: number): void;
  get(table: number, row: number): number;
  set(table: number, row: number, value: number): void;
  handles(out: Handle[]): Handle[];
  drag(kind: number, index: number, x: number, y: number, heading: number): void;
  save(): Uint8Array;
  restore(snapshot: Uint8Array): void;
  build(ground: Ground): void;  ///< roads, houses …
  think(vehicle: number, layers: readonly boolean[], lines: Lines, label: Label): void;
  marks(lines: Lines): void;    ///< goals, gates, rays of the page itself
  extent(): readonly [number, number, number, number];
  figures(): Figure[];
}
export type { Row, Table };
