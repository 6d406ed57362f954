// A scene in Jolt Physics: a block of obstacles, a navigation mesh of it by Recast, and a follower of
// kerb-drive on the ways that the mesh gives. Obstacles are bodies of Jolt: those that can be moved, or
// the blocked cells of a map of scene/stage as rectangles.
import { JoltWorld, VEHICLES } from '../jolt/vehicles.mjs';
import { rectanglesOf } from '../jolt/cells.mjs';
import { HASH_START, JoltHost, describe, hashMotions, headingOf, loadJolt, loadKerb, pack, packJson, unpack, unpackJson, type Player } from './jolt_host';
import { Navigation, isAhead, loadRecast, type Obstacle, type WayPoint } from './navigation';
import { newReadout, type Figure, type Handle, type Label, type Readout, type Show } from './show';
import { Item, STEP, type Row, type StageModule, type Table } from './stage';
import { newPose, type VehiclePose } from './view/vehicles';
import type { Ground, Solid } from './view/ground';
import type { Lines } from './view/lines';
import type { Subject } from './view/camera';
import type { Follower, Kerb, Path } from '../../bindings/js/dist/index';

export const MAPS = ['blocks', 'car-park', 'field'];
const SIZE = 64, BLOCKS = 13;       // of the place with obstacles that can be moved [m]
const BLOCK_HEIGHT = 2.4, FENCE = 1; // [m]
const TURN = 1.25;                  // of arcs, in turning radii [1]
const REST = 1.5;                   // at a goal [s]
const REBUILD = 6;                  // steps between two meshes while something is dragged
const TRIES = 500;
const FAR = 0.3 ;                   // to a new goal, of the size of the place [1]
const MARGIN = { name: 'margin', unit: 'm', meaning: 'room beside the vehicle that the mesh keeps from obstacles', type: 'number', options: [] as string[], min: 0.1, max: 2, usual: 1 } as const;
const NAMES = ['speed', 'cornerCut', 'lateralAcceleration', 'responseTime', 'deceleration', 'acceleration'];
// Among obstacles. [m/s, g]
const USUAL: Record<string, number> = { speed: 5, lateralAcceleration: 0.4, acceleration: 2.5 };

interface State {
  time: number; frame: number; hash: number; random: number; values: number[]; player: Player | null; reverse: boolean;
  obstacles: [number, number, number][]; goal: { x: number; y: number }; way: WayPoint[] | null; stale: boolean; lost: boolean; rest: number; arrivals: number; error: number; sum: number; metres: number; touched: number;
}

export async function makeMeshShow(module: StageModule, seed: number, choices: readonly number[]): Promise<Show> {
  const [Jolt, kerb, recast] = await Promise.all([loadJolt(), loadKerb('follower'), loadRecast()]);
  return new MeshShow(Jolt, kerb, recast, module, seed, MAPS[choices[0] ?? 0]!, choices[1] ?? 0);
}

class MeshShow implements Show {
  readonly poses: VehiclePose[] = [newPose()];
  readonly count = 1;
  readonly tables: Table[];
  readonly layers = [{ text: 'mesh', color: 0x3fae9a }, { text: 'path', color: 0x4a90d9 }, { text: 'target', color: 0xe0672a }, { text: 'corridor', color: 0x8c97a5 }];
  readonly hero = 0;
  readonly canScrub = true;
  shapesVersion = 1;
  time = 0;
  frame = 0;
  private readonly world: JoltWorld;
  private readonly host: JoltHost;
  private readonly driver: Follower;
  private readonly mesh: Navigation;
  private readonly obstacles: (Obstacle & { body: unknown })[] = [];
  private readonly first: Uint8Array;
  private readonly values: number[];
  private readonly rows;
  private readonly width: number;
  private readonly depth: number;
  private readonly movable: boolean;
  private readonly start = { x: 5, y: 3.5, heading: 0 };
  private cells: { x: number; y: number; spacing: number; columns: number; rows: number; bytes: Uint8Array } | undefined;
  private path: Path;
  private way: WayPoint[] | undefined;
  private goal = { x: 0, y: 0 };
  private random = 1;
  private sum = HASH_START;
  private meshed = '';       // the obstacles that the mesh is of
  private stale = true;      // something was moved since
  private rest = 0;
  private arrivals = 0;
  private error = 0;
  private errorSum = 0;
  private metres = 0;
  private touched = 0;
  private lost = false;
  private seen = -1;         // frame of the last picture
  private preview: WayPoint[] | undefined;

  constructor(Jolt: unknown, private readonly kerb: Kerb, recast: Awaited<ReturnType<typeof loadRecast>>, module: StageModule, private readonly seed: number, map: string, vehicle: number) {
    this.world = new JoltWorld(Jolt, { bodies: 1024 });
    this.movable = map === 'blocks';
    const design = VEHICLES[vehicle] ?? VEHICLES[0]!, rows = kerb.settings('follower');
    this.rows = NAMES.map((name) => rows.find((row) => row.name === name)!);
    this.values = [MARGIN.usual, ...this.rows.map((row) => (USUAL[row.name] ?? row.defaultValue))];
    this.tables = [
      { name: 'mesh', rows: [{ ...MARGIN }] },
      { name: 'driver', rows: this.rows.map((row): Row => ({ name: row.field, unit: row.unit, meaning: row.meaning, type: 'number', options: [], min: row.min, max: row.max, usual: USUAL[row.name] ?? row.defaultValue })) },
    ];
    this.random = this.seeded;
    [this.width, this.depth] = this.movable ? [SIZE, SIZE] : this.readMap(module, map);
    if (this.movable) this.drawBlocks(0.5 * design.length);
    for (const each of this.obstacles) each.body = this.world.addBox(each.x, each.y, 0.5 * BLOCK_HEIGHT, each.heading, each.length, each.width, BLOCK_HEIGHT);
    this.mesh = new Navigation(recast, this.width, this.depth, design.length);
    this.driver = new kerb.Follower(describe(design), null);
    this.path = this.pathOf([{ x: 0, y: 0, left: 2, right: 2 }, { x: 50, y: 0, left: 2, right: 2 }]);
    for (const [x, y, length, width] of this.fence()) this.world.addBox(x, y, 1, 0, length, width, 2);
    this.host = new JoltHost(kerb, this.world, design, this.start.x, this.start.y, this.start.heading);
    this.ensureMesh();
    this.placeStart();
    this.first = this.world.save();
    this.begin();
    this.refresh();
  }

  // --------------------------------------------------------------------------- the place

  private get seeded(): number { return (Math.imul(this.seed, 2654435761) >>> 0) || 1; }
  private next(): number {
    this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0;
    return this.random / 4294967296;
  }

  // One block in each field of a grid of four by four, but where the vehicle starts.
  private drawBlocks(clear: number): void {
    const fields = Array.from({ length: 16 }, (_, i) => i).slice(1);
    while (fields.length > BLOCKS) fields.splice(Math.floor(this.next() * fields.length), 1);
    for (const field of fields) {
      const pitch = SIZE / 4, x = pitch * (field % 4 + 0.3 + 0.4 * this.next()), y = pitch * (Math.floor(field / 4) + 0.3 + 0.4 * this.next());
      const obstacle = { x, y, heading: Math.PI * this.next(), length: 4 + 6 * this.next(), width: 3 + 4 * this.next(), body: undefined };
      if (Math.hypot(x - this.start.x, y - this.start.y) > clear + 9) this.obstacles.push(obstacle);
    }
  }

  // Blocked cells of a map of the stage's planner; obstacles are as few rectangles as rows allow.
  private readMap(module: StageModule, map: string): [number, number] {
    const scene = module.scenes.find((each) => each.id === 'plan/map')!, option = map === 'car-park' ? 'car-park' : 'blocks';
    const stage = module.make(scene.index, this.seed, scene.choices.map((choice) => (choice.name === 'map' ? choice.options.indexOf(option) : choice.usual)));
    const grid = stage.grid('cell')!, bytes = module.B.slice(grid.at, grid.at + grid.columns * grid.rows), [, , width, depth] = stage.extent();
    this.cells = { x: grid.x, y: grid.y, spacing: grid.spacing, columns: grid.columns, rows: grid.rows, bytes };
    stage.free();
    for (const each of rectanglesOf(bytes, grid.columns, grid.rows))
      this.obstacles.push({ x: grid.x + grid.spacing * (each.x + 0.5 * each.columns), y: grid.y + grid.spacing * (each.y + 0.5 * each.rows), heading: 0, length: grid.spacing * each.columns, width: grid.spacing * each.rows, body: undefined });
    return [Math.min(width, grid.columns * grid.spacing), Math.min(depth, grid.rows * grid.spacing)];
  }

  private fence(): [number, number, number, number][] {
    const { width: w, depth: d } = this;
    return [[0.5 * w, -0.5 * FENCE, w + 2 * FENCE, FENCE], [0.5 * w, d + 0.5 * FENCE, w + 2 * FENCE, FENCE], [-0.5 * FENCE, 0.5 * d, FENCE, d], [w + 0.5 * FENCE, 0.5 * d, FENCE, d]];
  }

  private get turning(): number { return TURN * this.kerb.call.vehicleTurningRadius(this.driver.vehicle); }
  private get radius(): number { return 0.5 * this.host.design.width + this.values[0]!; }

  // The mesh is made when somebody needs it and it is not of what stands there now.
  private ensureMesh(): void {
    const now = JSON.stringify([this.radius, this.obstacles.map((each) => [each.x, each.y, each.heading])]);
    if (now === this.meshed) return;
    this.mesh.build(this.obstacles, this.radius);
    this.meshed = now;
    this.shapesVersion++;
  }

  // At the given place, or the nearest that is free.
  private placeStart(): void {
    const at = this.mesh.nearest(this.start.x, this.start.y) ?? this.start;
    this.host.vehicle.put(at.x, at.y, 0, this.start.heading);
  }

  private begin(): void {
    this.random = (this.seeded ^ 0x9e3779b9) >>> 0;
    this.host.tell();
    this.stale = false;
    this.drawGoal();
    this.apply();
  }

  // --------------------------------------------------------------------------- ways

  private pathOf(way: readonly WayPoint[]): Path {
    return new this.kerb.Path(way.map((p) => ({ position: [p.x, p.y, 0] as [number, number, number], left: p.left, right: p.right })));
  }

  private setWay(way: WayPoint[] | undefined): void {
    this.way = way;
    if (!way || way.length < 2) { this.way = undefined; return; }
    const path = this.pathOf(way);
    this.path.free();
    this.path = path;
  }

  private findWay(): boolean {
    this.ensureMesh();
    const m = this.host.numbers;
    this.setWay(this.mesh.route(m[0]!, m[1]!, headingOf(m), this.turning, this.goal.x, this.goal.y));
    this.rest = 0;
    return this.way !== undefined;
  }

  // Somewhere else, by a way that begins ahead and ends where another can begin ahead; what cannot be
  // had is given up in the later tries.
  private drawGoal(): void {
    this.ensureMesh();
    const m = this.host.numbers, x0 = m[0]!, y0 = m[1]!, heading = headingOf(m);
    for (let i = 0; i < TRIES; i++) {
      // Nearer and nearer, then one that it cannot go on from, then one behind it.
      const goal = this.drawPlace(x0, y0, FAR * Math.max(0.2, 1 - 1.5 * i / TRIES)), corners = goal && this.mesh.corners(x0, y0, goal.x, goal.y);
      if (!goal || !corners || (i < 0.95 * TRIES && !this.canBegin(corners, heading))) continue;
      if (i < 0.8 * TRIES && !this.goesOn(corners)) continue;
      this.goal = goal;
      if (this.findWay()) return;
    }
  }

  private canBegin(corners: readonly Place[], heading: number): boolean {
    return isAhead(corners, heading) || this.mesh.turn(corners[0]!.x, corners[0]!.y, heading, this.turning, corners[corners.length - 1]!) !== undefined;
  }

  private drawPlace(x0: number, y0: number, far: number): { x: number; y: number } | undefined {
    const x = this.width * this.next(), y = this.depth * this.next(), at = this.mesh.nearest(x, y);
    const fits = at && Math.hypot(at.x - x, at.y - y) < 0.1 && Math.hypot(x - x0, y - y0) > far * Math.hypot(this.width, this.depth);
    return fits && this.mesh.clearance(x, y) > 0.7 * this.host.design.length ? { x, y } : undefined;
  }

  private goesOn(corners: readonly Place[]): boolean {
    const end = corners[corners.length - 1]!, before = corners[corners.length - 2]!, heading = Math.atan2(end.y - before.y, end.x - before.x);
    for (let i = 0; i < 24; i++) {
      const next = this.drawPlace(end.x, end.y, 0.5 * FAR), way = next && this.mesh.corners(end.x, end.y, next.x, next.y);
      if (way && this.canBegin(way, heading)) return true;
    }
    return false;
  }

  // --------------------------------------------------------------------------- a step

  get hash(): string { return this.sum.toString(16).padStart(8, '0'); }

  step(): void {
    const { host } = this;
    host.tell();
    // At frames that a replay has as well.
    if (this.stale && this.frame % REBUILD === 0) { this.stale = false; this.findWay(); }
    const driven = this.way !== undefined, controls = driven ? this.drive() : undefined;
    if (controls || host.player) host.press(controls ?? this.driver.controls);
    else host.vehicle.press(0, 1, 0, 1, true, STEP);
    this.world.step(STEP);
    for (const each of this.obstacles) if (this.world.touching(host.vehicle, each.body)) { this.touched += STEP; break; }
    this.sum = hashMotions([host], this.sum);
    this.time += STEP;
    this.frame++;
  }

  private drive(): ReturnType<Follower['drive']> {
    const { host, driver } = this;
    driver.path = this.path;
    const controls = driver.drive(host.motion, host.around, STEP), moved = Math.abs(host.vehicle.forwardSpeed()) * STEP;
    this.error = driver.decision.crossTrackError;
    if (!host.player) { this.errorSum += Math.abs(this.error) * moved; this.metres += moved; }
    // Who has backed out, or was carried past the end, asks for a way from where it is now.
    const lost = driver.reason.startsWith('stuck') || driver.reason.startsWith('missed');
    if (this.lost && !lost) this.stale = true;
    this.lost = lost;
    if (driver.reason !== 'arrived') this.rest = 0;
    else if ((this.rest += STEP) > REST) { this.arrivals++; this.drawGoal(); }
    return controls;
  }

  restart(): void {
    this.world.restore(this.first);
    this.driver.restart();
    this.host.player = undefined;
    this.time = this.frame = this.arrivals = this.error = this.errorSum = this.metres = this.touched = 0;
    this.sum = HASH_START;
    // What was moved stays where it is, and the vehicle begins beside it.
    this.obstacles.forEach((each) => { if (this.movable) this.world.putBody(each.body, each.x, each.y, 0.5 * BLOCK_HEIGHT, each.heading); });
    this.ensureMesh();
    this.placeStart();
    this.begin();
  }

  free(): void {
    this.world.destroy();
    this.mesh.free();
    this.driver.free();
    this.path.free();
    this.host.free();
  }

  save(): Uint8Array {
    const { time, frame, random, values, goal, stale, lost, rest, arrivals, error, metres, touched, host } = this;
    const state: State = { time, frame, hash: this.sum, random, values, player: host.player ?? null, reverse: host.reverse, obstacles: this.movable ? this.obstacles.map((each) => [each.x, each.y, each.heading]) : [], goal, way: this.way ?? null, stale, lost, rest, arrivals, error, sum: this.errorSum, metres, touched };
    return pack([packJson(state), this.world.save(), this.driver.save()]);
  }
  restore(snapshot: Uint8Array): void {
    const [bytes, world, driver] = unpack(snapshot), was = unpackJson<State>(bytes!);
    this.world.restore(world!);
    this.driver.restore(driver!);
    const { hash, values, player, reverse, obstacles, way, sum, ...rest } = was;
    Object.assign(this, rest);
    this.sum = hash;
    this.errorSum = sum;
    this.values.splice(0, Infinity, ...values);
    this.host.player = player ?? undefined;
    this.host.reverse = reverse;
    obstacles.forEach(([x, y, heading], i) => Object.assign(this.obstacles[i]!, { x, y, heading }));
    this.setWay(way ?? undefined);
    this.host.tell();
    this.ensureMesh();
    this.shapesVersion++;
  }

  // --------------------------------------------------------------------------- what people do

  name(): string { return `Jolt's ${this.host.design.name}`; }
  reason(): string { return this.way || this.host.player ? this.driver.reason : 'no way to the goal'; }
  read(_vehicle: number, out: Readout = newReadout()): Readout {
    this.host.read(this.driver.controls, out);
    out.target = this.way ? this.driver.decision.targetSpeed : 0; out.error = this.error; out.progress = this.metres;
    return out;
  }
  refresh(): void { this.host.pose(this.poses[0]!, 2, (this.host.player ? this.host.player.b : this.driver.controls.brake) > 0.06); }
  subject(_vehicle: number, out: Subject): Subject { return this.host.subject(out); }
  isPlayer(): boolean { return this.host.player !== undefined; }
  canTake(): boolean { return true; }
  take(_vehicle: number, throttle: number, brake: number, steering: number): void { this.host.take(throttle, brake, steering); }
  handBack(): void { this.host.player = undefined; this.stale = true; }
  get(table: number, row: number): number { return this.values[table === 0 ? 0 : row + 1]!; }
  set(table: number, row: number, value: number): void {
    this.values[table === 0 ? 0 : row + 1] = value;
    if (table === 0) this.stale = true;
    else this.apply();
  }
  private apply(): void { this.rows.forEach((row, i) => this.driver.settings.set(row.name, this.values[i + 1]!)); }

  handles(out: Handle[]): Handle[] {
    out.length = 0;
    out.push({ kind: Item.MARK, index: 0, x: this.goal.x, y: this.goal.y, z: 0, heading: 0, reach: 0, turns: false, label: 'goal' });
    if (this.movable) this.obstacles.forEach((each, i) => out.push({ kind: Item.SOLID, index: i, x: each.x, y: each.y, z: 0, heading: each.heading, reach: 0.5 * each.length + 1.5, turns: true, label: 'obstacle' }));
    return out;
  }

  drag(kind: number, index: number, x: number, y: number, heading: number): void {
    if (!(x > 0 && y > 0 && x < this.width && y < this.depth)) throw new Error('it would be outside');
    if (kind === Item.MARK) this.goal = { x, y };
    else if (kind === Item.VEHICLE) {
      if (this.obstacles.some((each) => gap(each, x, y) < 0.5 * this.host.design.width)) throw new Error('an obstacle is there');
      this.host.vehicle.put(x, y, 0, heading);
    } else {
      const each = this.obstacles[index]!, to = { ...each, x, y, heading }, m = this.host.vehicle.motion(this.host.numbers);
      if (!this.movable || gap(to, m[0]!, m[1]!) < 0.6 * this.host.design.length) throw new Error('the vehicle is there');
      Object.assign(each, { x, y, heading });
      this.world.putBody(each.body, x, y, 0.5 * BLOCK_HEIGHT, heading);
      this.shapesVersion++;
    }
    this.stale = true;
  }

  // --------------------------------------------------------------------------- the picture

  build(ground: Ground): void {
    ground.clear();
    const solids: Solid[] = this.fence().map(([x, y, length, width]) => ({ x, y, z: 0, heading: 0, length, width, height: 0.8, round: false, kind: 'wall' }));
    if (this.cells) ground.addCells(this.cells, this.cells.bytes);
    else solids.push(...this.obstacles.map((each): Solid => ({ ...each, z: 0, height: BLOCK_HEIGHT, round: false, kind: 'house' })));
    ground.addSolids(solids);
    ground.addArea(this.mesh.triangles, 0x3fae9a, 0.16);
  }

  marks(lines: Lines): void {
    lines.addCircle(this.goal.x, this.goal.y, 0.1, 1.1, 0x2fa866, 3);
    lines.addPoint(this.goal.x, this.goal.y, 0.1, 0.8, 0x2fa866, 3);
  }

  think(_vehicle: number, layers: readonly boolean[], lines: Lines, label: Label): void {
    const m = this.host.vehicle.motion(this.host.numbers);
    // While time stands, what comes of a drag is shown; it is driven when time goes on.
    if (this.stale && this.frame === this.seen) { this.ensureMesh(); this.preview = this.mesh.route(m[0]!, m[1]!, headingOf(m), this.turning, this.goal.x, this.goal.y); }
    else if (!this.stale) this.preview = undefined;
    this.seen = this.frame;
    const { edges } = this.mesh;
    if (layers[0] !== false) for (let i = 0; i < edges.length; i += 4) lines.add(edges[i]!, edges[i + 1]!, 0.06, edges[i + 2]!, edges[i + 3]!, 0.06, 0x3fae9a, 0.9);
    const way = this.preview ?? this.way ?? [];
    for (let i = 0; i + 1 < way.length; i++) {
      const a = way[i]!, b = way[i + 1]!;
      if (layers[1] !== false) lines.add(a.x, a.y, 0.1, b.x, b.y, 0.1, 0x4a90d9, 2);
      if (layers[3] === false) continue;
      const long = Math.hypot(b.x - a.x, b.y - a.y) || 1, lx = (a.y - b.y) / long, ly = (b.x - a.x) / long;
      for (const [wide, other] of [[a.left, b.left], [-a.right, -b.right]] as const)
        lines.add(a.x + lx * wide, a.y + ly * wide, 0.08, b.x + lx * other, b.y + ly * other, 0.08, 0x8c97a5, 0.8);
    }
    if (this.way && layers[2] !== false) {
      const d = this.driver.decision;
      lines.add(m[0]!, m[1]!, 0.2, d.target.x, d.target.y, 0.2, 0xe0672a, 1.6);
      lines.addPoint(d.target.x, d.target.y, 0.1, 0.6, 0xe0672a, 2.4);
    }
    label(m[0]!, m[1]!, m[2]! + 2.6, `${this.host.vehicle.forwardSpeed().toFixed(1)} m/s: ${this.reason()}`, false);
  }

  extent(): readonly [number, number, number, number] { return [0, 0, this.width, this.depth]; }
  figures(): Figure[] {
    return [{ name: 'triangles of the mesh', unit: '1', value: this.mesh.polygons }, { name: 'building it took', unit: 'ms', value: this.mesh.milliseconds }, { name: 'goals reached', unit: '1', value: this.arrivals },
      { name: 'cross-track error, mean', unit: 'm', value: this.metres > 1 ? this.errorSum / this.metres : -1 }, { name: 'touched an obstacle', unit: 's', value: this.touched }];
  }
}

interface Place { x: number; y: number }

// Distance of a point from an obstacle; 0 inside. [m]
function gap(obstacle: Obstacle, x: number, y: number): number {
  const c = Math.cos(obstacle.heading), s = Math.sin(obstacle.heading), dx = x - obstacle.x, dy = y - obstacle.y;
  return Math.hypot(Math.max(0, Math.abs(c * dx + s * dy) - 0.5 * obstacle.length), Math.max(0, Math.abs(c * dy - s * dx) - 0.5 * obstacle.width));
}
