// A scene of the stage, as the page shows it.
import { newReadout, type Entry, type Figure, type Handle, type Label, type Readout, type Show } from './show';
import { Item, LINE, LOOKS, MARK, Role, SOLID, Shape, TRIANGLE, VEHICLE as V, type SceneInfo, type Stage, type StageModule, type Table } from './stage';
import { bodyColor } from './view/theme';
import { newPose, type VehiclePose } from './view/vehicles';
import type { Ground, Solid } from './view/ground';
import type { Lines } from './view/lines';
import type { ShapeName } from './view/shapes';
import type { Subject } from './view/camera';

const BODY: Record<(typeof LOOKS)[number], ShapeName> = {
  car: 'car', pickup: 'pickup', buggy: 'buggy', scout: 'scout', carrier: 'carrier', tank: 'tank', hovercraft: 'hover', road: 'sport', gt: 'sport',
  formula: 'formula', rally: 'car', truck: 'truck', bus: 'bus', airplane: 'plane', agent: 'car',
  ship: 'ship', pedestrian: 'person', trailer: 'trailer', motorcycle: 'motorcycle', spacecraft: 'hull', helicopter: 'helicopter', drone: 'drone', rocket: 'rocket', submarine: 'submarine',
};
const MARK_COLORS = [0x8c97a5, 0x2fa866, 0xe0a020];
const LINE_COLORS: Partial<Record<number, number>> = { [Shape.LINE]: 0x3aa0ff, [Shape.GATE]: 0xe0a020, [Shape.BAY]: 0xf3f1e7 };
const GHOST_COLOR = 0x9fb4d8;
const FLIES: ReadonlySet<string> = new Set(['airplane', 'spacecraft', 'helicopter', 'drone', 'rocket', 'submarine']);
// Brake lights glow from this pedal on. [1]
const BRAKES = 0.06;

export function stageEntries(module: StageModule): Entry[] {
  return module.scenes.map((info) => ({
    id: info.id, group: info.group, title: info.title, look: info.look, tryThis: info.tryThis, choices: info.choices,
    make: async (seed, choices) => new StageShow(module, info, module.make(info.index, seed, choices)),
  }));
}

class StageShow implements Show {
  readonly poses: VehiclePose[] = [];
  readonly tables: Table[];
  readonly layers;
  readonly hero: number;
  readonly canScrub = true;

  constructor(private readonly module: StageModule, readonly info: SceneInfo, private readonly stage: Stage) {
    this.tables = module.tables(info.index);
    this.layers = module.roles;
    this.refresh();
    let hero = -1;
    for (const role of [Role.HERO, Role.HUMAN, Role.TARGET, Role.PURSUER])
      for (let i = 0; i < this.count && hero < 0; i++) if (stage.i(i, V.role) === role) hero = i;
    // The landing page shows all of them.
    this.hero = info.index === 0 ? -1 : hero;
  }

  get count(): number { return this.stage.count; }
  get time(): number { return this.stage.time; }
  get frame(): number { return this.stage.frame; }
  get hash(): string { return this.stage.hash; }
  get shapesVersion(): number { return this.stage.shapesVersion; }
  step(): void { this.stage.step(); }
  restart(): void { this.stage.restart(); }
  free(): void { this.stage.free(); }
  name(vehicle: number): string { return this.stage.name(vehicle); }
  reason(vehicle: number): string { return this.stage.reason(vehicle); }
  canTake(vehicle: number): boolean { return this.stage.canTake(vehicle); }
  isPlayer(vehicle: number): boolean { return this.stage.i(vehicle, V.player) !== 0; }
  take(vehicle: number, throttle: number, brake: number, steering: number): void { this.stage.take(vehicle, throttle, brake, steering); }
  handBack(vehicle: number): void { this.stage.handBack(vehicle); }
  get(table: number, row: number): number { return this.stage.get(table, row); }
  set(table: number, row: number, value: number): void { this.stage.set(table, row, value); }
  drag(kind: number, index: number, x: number, y: number, heading: number): void { this.stage.drag(kind, index, x, y, heading); }
  save(): Uint8Array { return this.stage.save(); }
  restore(snapshot: Uint8Array): void { this.stage.restore(snapshot); }
  extent(): readonly [number, number, number, number] { return this.stage.extent(); }
  figures(): Figure[] { return this.stage.figures(); }

  refresh(): void {
    const F = this.module.F, I = this.module.I;
    while (this.poses.length < this.stage.count) this.poses.push(newPose());
    for (let i = 0; i < this.stage.count; i++) {
      const at = this.stage.vehiclesAt + i * V.size, pose = this.poses[i]!;
      const look = LOOKS[I[at + V.look]!] ?? 'car', role = I[at + V.role]!;
      pose.shape = BODY[look];
      pose.ghost = role === Role.GHOST;
      pose.color = pose.ghost ? GHOST_COLOR : look === 'bus' ? 0xf2b632 : bodyColor(I[at + V.colour]!);
      pose.hidden = I[at + V.visible] === 0;
      pose.length = F[at + V.length]!; pose.width = F[at + V.width]!; pose.height = F[at + V.height]!;
      pose.wheelRadius = F[at + V.wheel_radius]!; pose.wheelbase = F[at + V.wheelbase]!; pose.rearAxle = F[at + V.rear_axle]!; pose.track = F[at + V.track_width]!;
      pose.x = F[at + V.x]!; pose.y = F[at + V.y]!; pose.z = F[at + V.z]!;
      rotate(pose, F[at + V.heading]!, F[at + V.pitch]!, F[at + V.roll]!);
      pose.steering = F[at + V.wheel_angle]!; pose.frontRoll = F[at + V.front_roll]!; pose.rearRoll = F[at + V.rear_roll]!;
      pose.braking = F[at + V.brake]! > BRAKES || F[at + V.handbrake]! > 0;
      pose.flies = FLIES.has(look);
      if (pose.flies) pose.z -= 0.5 * pose.height;
      if (look === 'agent') { // it has no axles that anybody measured
        pose.wheelRadius = 0.17 * pose.width; pose.wheelbase = 0.6 * pose.length; pose.rearAxle = 0.3 * pose.length; pose.track = 0;
      }
    }
  }

  subject(vehicle: number, out: Subject): Subject {
    const at = this.stage.vehiclesAt + vehicle * V.size, F = this.module.F;
    out.x = F[at + V.x]!; out.y = F[at + V.y]!; out.z = F[at + V.z]!;
    out.heading = F[at + V.heading]!; out.speed = F[at + V.speed]!; out.length = F[at + V.length]!;
    return out;
  }

  read(vehicle: number, out: Readout = newReadout()): Readout {
    const at = this.stage.vehiclesAt + vehicle * V.size, F = this.module.F, I = this.module.I;
    out.throttle = F[at + V.throttle]!; out.brake = F[at + V.brake]!; out.steering = F[at + V.steering]!;
    out.handbrake = F[at + V.handbrake]! > 0; out.gear = F[at + V.gear]!;
    out.speed = F[at + V.speed]!; out.target = F[at + V.target_speed]!; out.error = F[at + V.cross_track_error]!;
    out.lateral = F[at + V.lateral_acceleration]!; out.progress = F[at + V.progress]!;
    out.estimated = I[at + V.estimated] !== 0;
    out.delay = F[at + V.delay]!; out.delayDeviation = F[at + V.delay_deviation]!; out.delayKnown = I[at + V.delay_known] !== 0;
    out.gain = F[at + V.gain]!; out.gainDeviation = F[at + V.gain_deviation]!; out.gainKnown = I[at + V.gain_known] !== 0;
    out.trim = F[at + V.trim]!; out.trimDeviation = F[at + V.trim_deviation]!; out.trimKnown = I[at + V.trim_known] !== 0;
    return out;
  }

  handles(out: Handle[]): Handle[] {
    out.length = 0;
    const marks = this.stage.rows('mark'), solids = this.stage.rows('solid'), F = this.module.F, I = this.module.I;
    for (let i = 0; i < marks.count; i++) {
      const at = marks.at + i * MARK.size;
      if (I[at + MARK.movable] === 0) continue;
      const vehicle = I[at + MARK.vehicle]!, what = ['start', 'goal', 'gate'][I[at + MARK.kind]!] ?? 'mark';
      out.push({ kind: Item.MARK, index: i, x: F[at + MARK.x]!, y: F[at + MARK.y]!, z: F[at + MARK.z]!, heading: F[at + MARK.heading]!,
        reach: 0.5 * F[at + MARK.length]! + 2.5, turns: true, label: vehicle >= 0 ? `${what} of ${this.stage.name(vehicle)}` : what });
    }
    for (let i = 0; i < solids.count; i++) {
      const at = solids.at + i * SOLID.size;
      if (I[at + SOLID.movable] === 0) continue;
      out.push({ kind: Item.SOLID, index: i, x: F[at + SOLID.x]!, y: F[at + SOLID.y]!, z: F[at + SOLID.z]!, heading: F[at + SOLID.heading]!,
        reach: 0.5 * F[at + SOLID.length]! + 1.5, turns: I[at + SOLID.shape] !== Shape.POST, label: 'obstacle' });
    }
    return out;
  }

  // ------------------------------------------------------------------------- what stands there

  build(ground: Ground): void {
    ground.clear();
    // The stage makes these arrays when they are first asked for: memory may grow until all are there.
    const triangles = this.stage.rows('triangle'), lines = this.stage.rows('line'), solids = this.stage.rows('solid');
    const heights = this.stage.grid('height'), cells = this.stage.grid('cell'), F = this.module.F, I = this.module.I;
    let level = true;
    for (let i = 0; i < triangles.count && level; i++) level = F[triangles.at + i * TRIANGLE.size + TRIANGLE.az] === 0 && F[triangles.at + i * TRIANGLE.size + TRIANGLE.bz] === 0;
    for (let i = 0; i < lines.count && level; i++) level = F[lines.at + i * LINE.size + LINE.az] === 0;
    ground.addTriangles(F, I, triangles.at, triangles.count, TRIANGLE.size, TRIANGLE.shape, Shape.SLIPPERY, level);
    ground.addLines(F, I, lines.at, lines.count, LINE.size, LINE.shape, LINE_COLORS, level);
    const all: Solid[] = [];
    for (let i = 0; i < solids.count; i++) {
      const at = solids.at + i * SOLID.size, shape = I[at + SOLID.shape]!;
      all.push({ x: F[at + SOLID.x]!, y: F[at + SOLID.y]!, z: F[at + SOLID.z]!, heading: F[at + SOLID.heading]!, length: F[at + SOLID.length]!, width: F[at + SOLID.width]!,
        height: F[at + SOLID.height]!, round: shape === Shape.POST, kind: shape === Shape.HOUSE ? 'house' : shape === Shape.CAR ? 'car' : shape === Shape.POST ? 'post' : 'wall' });
    }
    ground.addSolids(all);
    if (heights && heights.columns > 1)
      ground.addHills({ x: heights.x, y: heights.y, spacing: heights.spacing, nx: heights.columns, ny: heights.rows,
        heights: F.slice(heights.at >>> 2, (heights.at >>> 2) + heights.columns * heights.rows) });
    if (cells && cells.columns > 0) ground.addCells(cells, this.module.B.slice(cells.at, cells.at + cells.columns * cells.rows));
  }

  marks(lines: Lines): void {
    // How high somebody flies.
    for (let i = 0; i < this.count; i++) {
      const pose = this.poses[i]!;
      if (pose.flies && !pose.hidden) lines.add(pose.x, pose.y, pose.z, pose.x, pose.y, 0, 0x8090a0, 0.8);
    }
    const marks = this.stage.rows('mark'), F = this.module.F, I = this.module.I;
    for (let i = 0; i < marks.count; i++) {
      const at = marks.at + i * MARK.size, kind = I[at + MARK.kind]!, color = MARK_COLORS[kind] ?? 0xffffff;
      const x = F[at + MARK.x]!, y = F[at + MARK.y]!, z = F[at + MARK.z]! + 0.08, a = F[at + MARK.heading]!, wide = I[at + MARK.movable] ? 2.2 : 1.4;
      const c = Math.cos(a), s = Math.sin(a), l = Math.max(0.3, 0.5 * F[at + MARK.length]!), w = Math.max(0.3, 0.5 * F[at + MARK.width]!);
      if (kind === 2) { // two posts
        for (const side of [-1, 1]) lines.add(x - s * w * side, y + c * w * side, z, x - s * w * side, y + c * w * side, z + 2.2, color, 3);
        continue;
      }
      for (const [ax, ay, bx, by] of [[-l, -w, l, -w], [l, -w, l, w], [l, w, -l, w], [-l, w, -l, -w], [0.2 * l, w * 0.7, 0.8 * l, 0], [0.8 * l, 0, 0.2 * l, -w * 0.7]] as const)
        lines.add(x + c * ax - s * ay, y + s * ax + c * ay, z, x + c * bx - s * by, y + s * bx + c * by, z, color, wide);
      if (!I[at + MARK.movable]) continue;
      const tip = l + 2.5; // to be turned by
      lines.add(x + c * l, y + s * l, z, x + c * (tip - 0.5), y + s * (tip - 0.5), z, color, 1.4);
      lines.addCircle(x + c * tip, y + s * tip, z, 0.5, color, 2);
    }
  }

  think(vehicle: number, layers: readonly boolean[], lines: Lines, label: Label): void {
    this.stage.draw(vehicle);
    if (vehicle < 0) return;
    const roles = this.module.roles;
    this.stage.drawnLines((F, at, role) => {
      if (layers[role] !== false) lines.add(F[at]!, F[at + 1]!, F[at + 2]! + 0.1, F[at + 3]!, F[at + 4]!, F[at + 5]! + 0.1, roles[role]?.color ?? 0xffffff, LAYER_WIDTH[roles[role]?.text ?? ''] ?? 1.6);
    });
    this.stage.drawnPoints((F, at, role) => {
      if (layers[role] !== false) lines.addPoint(F[at]!, F[at + 1]!, F[at + 2]! + 0.1, 0.5, roles[role]?.color ?? 0xffffff, 2.4);
    });
    this.stage.drawnTexts((x, y, z, role, text) => { if (layers[role] !== false) label(x, y, z + 1.6, text, false); });
  }
}

const LAYER_WIDTH: Record<string, number> = { tree: 0.8, path: 1.2, corridor: 0.9, ray: 0.9 };

// Heading, then pitch (nose up), then roll (left side up), as a quaternion.
function rotate(pose: VehiclePose, heading: number, pitch: number, roll: number): void {
  const cy = Math.cos(0.5 * heading), sy = Math.sin(0.5 * heading), cp = Math.cos(-0.5 * pitch), sp = Math.sin(-0.5 * pitch), cr = Math.cos(0.5 * roll), sr = Math.sin(0.5 * roll);
  pose.qx = cy * cp * sr - sy * sp * cr;
  pose.qy = cy * sp * cr + sy * cp * sr;
  pose.qz = sy * cp * cr - cy * sp * sr;
  pose.qw = cy * cp * cr + sy * sp * sr;
}
