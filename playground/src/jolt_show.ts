// Scenes in Jolt Physics: its vehicles, driven by the followers of kerb-drive with what Kerb's own
// calibrator has measured of them (playground/jolt/measured.json). All of it is loaded when such a scene
// is opened first. A ghost drives the same course on the reference physics, by the stage.
import { JoltWorld, VEHICLES, type Design } from '../jolt/vehicles.mjs';
import { HASH_START, JoltHost, describe, hashMotions, loadJolt, loadKerb, pack, packJson, unpack, unpackJson, type Player } from './jolt_host';
import { newReadout, type Figure, type Handle, type Label, type Readout, type Show } from './show';
import { Item, STEP, type Row, type StageModule, type Table } from './stage';
import { newPose, type VehiclePose } from './view/vehicles';
import { COURSES, INDEXES } from './jolt_entries';
import type { Ground, Ribbon } from './view/ground';
import type { Lines } from './view/lines';
import type { Subject } from './view/camera';
import type { Controls, Driver, Follower, Kerb, Neighbours, Parker, Path, Pose, Racer, RacingLine, VehicleInit } from '../../bindings/js/dist/index';

export type Kind = 'follow' | 'race' | 'park';
interface Loaded { Jolt: unknown; courses: Courses; kerb: Kerb }
const MODULES = { follow: 'follower', race: 'racer', park: 'seek' } as const;
let courses: Promise<Courses> | undefined;

async function load(kind: Kind): Promise<Loaded> {
  const kerb = loadKerb(MODULES[kind]), Jolt = loadJolt();
  courses ??= import('../jolt/courses.wasm?url').then(({ default: address }) => Courses.load(address));
  return { Jolt: await Jolt, courses: await courses, kerb: await kerb };
}

type Exports = Record<string, (...given: number[]) => number> & { memory: WebAssembly.Memory };

/// The waypoints of scene/course, of a module of their own.
class Courses {
  private constructor(private readonly call: Exports) {}
  static async load(address: string): Promise<Courses> {
    const nothing = new Proxy({}, { get: () => () => 0 });
    const made = await WebAssembly.instantiate(await (await fetch(address)).arrayBuffer(), new Proxy({}, { get: () => nothing }) as WebAssembly.Imports);
    const call = made.instance.exports as Exports;
    call._initialize!();
    return new Courses(call);
  }
  waypoints(index: number, track: boolean): Course {
    const most = 4000, at = this.call.malloc!(40 * most + 4), count = track ? this.call.track!(index, at, most) : this.call.waypoints!(index, at, most, at + 40 * most);
    const F = new Float32Array(this.call.memory.buffer), I = new Int32Array(this.call.memory.buffer), points: WaypointRow[] = [];
    for (let i = 0; i < Math.min(most, Math.abs(count)); i++) {
      const k = at / 4 + 10 * i;
      points.push({ x: F[k]!, y: F[k + 1]!, z: F[k + 2]!, left: F[k + 3]!, right: F[k + 4]!, speedLimit: F[k + 5]!, stop: F[k + 6]!, bank: F[k + 7]!, grip: F[k + 8]!, direction: I[k + 9]! });
    }
    const speed = track ? 0 : F[at / 4 + 10 * most]!;
    this.call.free!(at);
    return { points, closed: count < 0, speed };
  }
}
interface Course { points: WaypointRow[]; closed: boolean; speed: number }
interface WaypointRow { x: number; y: number; z: number; left: number; right: number; speedLimit: number; stop: number; bank: number; grip: number; direction: number }

export async function makeJoltShow(module: StageModule, kind: Kind, seed: number, choices: readonly number[], copies: number): Promise<Show> {
  return new JoltShow(await load(kind), module, kind, choices[0] ?? 1, choices[1] ?? 0, copies, seed);
}

// The settings that can be changed, by kind.
const TOLD: Record<Kind, { table: 'follower' | 'racer' | 'parker'; names: string[] }> = {
  follow: { table: 'follower', names: ['speed', 'lateralAcceleration', 'responseTime', 'cornerCut', 'deceleration', 'acceleration', 'avoid.gapTime', 'avoid.gapMin'] },
  race: { table: 'racer', names: ['skill', 'aggression'] },
  park: { table: 'parker', names: ['speed', 'acceleration', 'deceleration', 'radiusFactor', 'directionChangeCost', 'reverseCostFactor'] },
};
const SPACING = 5; // between vehicles at the start, beside their lengths [m]
const HIDE_AFTER = 3; // s at the end of an open course, then it begins anew

const PARK_PITCH = 34, PARK_REACH = 11, PARK_REST = 2.5; // lots beside one another, goals in them [m]; rest in a bay [s]

interface Driven { host: JoltHost; driver: Driver; line: RacingLine | undefined; goal: Pose | undefined; lot: number; start: { x: number; y: number; heading: number }; controls: Controls; arrived: number; error: number; sum: number; metres: number }
// What a snapshot has beside the bytes of Jolt, of the drivers and of the ghost.
interface CarState { player: Player | null; reverse: boolean; arrived: number; error: number; sum: number; metres: number; goal: [number, number, number, number] | null }
interface State { time: number; frame: number; hash: number; parked: number; random: number; values: number[]; cars: CarState[] }

const EMPTY: Course = { points: [{ x: 0, y: 0, z: 0, left: 2, right: 2, speedLimit: 100, stop: 0, bank: 0, grip: 1, direction: 1 }, { x: 50, y: 0, z: 0, left: 2, right: 2, speedLimit: 100, stop: 0, bank: 0, grip: 1, direction: 1 }], closed: false, speed: 5 };

class JoltShow implements Show {
  readonly poses: VehiclePose[] = [];
  readonly tables: Table[];
  readonly layers = [{ text: 'path', color: 0x4a90d9 }, { text: 'target', color: 0xe0672a }];
  readonly hero = 0;
  readonly shapesVersion = 1;
  readonly canScrub = true;
  time = 0;
  frame = 0;
  private readonly world: JoltWorld;
  private readonly first: Uint8Array; // of the world, at the start
  private sum = HASH_START;
  private cars: Driven[] = [];
  private readonly hosts: JoltHost[] = [];
  private readonly path: Path;
  private readonly lines: RacingLine[] = [];
  private random = 1;
  private readonly neighbours: Neighbours;
  private readonly course;
  private readonly values: number[];
  private readonly rows;
  private readonly ghost;

  constructor(private readonly loaded: Loaded, module: StageModule, private readonly kind: Kind, courseChoice: number, vehicleChoice: number, copies: number, private readonly seed: number) {
    const kerb = loaded.kerb;
    this.course = kind === 'park' ? EMPTY : loaded.courses.waypoints(kind === 'race' ? courseChoice : INDEXES[courseChoice]!, kind === 'race');
    this.path = new kerb.Path(this.course.points.map((p) => ({ position: [p.x, p.y, p.z] as [number, number, number], left: p.left, right: p.right, speedLimit: p.speedLimit, stop: p.stop, bank: p.bank, grip: p.grip, direction: p.direction })), { closed: this.course.closed });
    this.world = new JoltWorld(loaded.Jolt);
    this.neighbours = new kerb.Neighbours(64);
    const rows = kerb.settings(TOLD[kind].table);
    this.rows = TOLD[kind].names.map((name) => rows.find((row) => row.name === name)!).filter(Boolean);
    this.values = this.rows.map((row) => (kind === 'follow' && row.name === 'speed' ? this.course.speed : row.defaultValue));
    this.tables = [{ name: 'driver', rows: this.rows.map((row): Row => ({ name: row.field, unit: row.unit, meaning: row.meaning, type: row.type === 'choice' ? 'choice' : row.type === 'number' ? 'number' : 'whole', options: [...(row.choices ?? [])], min: row.min, max: row.max, usual: row.defaultValue })) }];
    // The parker is for vehicles that steer by wheels and reverse.
    const some = kind === 'park' ? VEHICLES.filter((each) => each.kind === 'wheeled') : VEHICLES, designs = vehicleChoice === 0 ? some : [some[vehicleChoice - 1]!];
    for (let copy = 0; copy < copies; copy++) for (const design of designs) this.add(design);
    const scene = module.scenes.find((each) => each.id === 'follower/courses');
    this.ghost = kind === 'follow' && copies === 1 && scene ? module.make(scene.index, 1, scene.choices.map((choice) => choice.name === 'course' ? Math.max(0, choice.options.indexOf(COURSES[courseChoice]!)) : choice.usual)) : undefined;
    this.place();
    this.first = this.world.save();
    this.refresh();
  }

  private add(design: Design): void {
    const kerb = this.loaded.kerb, described = describe(design);
    const line = this.kind === 'race' ? this.lineFor(described) : undefined;
    const driver: Driver = this.kind === 'race' ? new kerb.Racer(described, line) : this.kind === 'park' ? new kerb.Parker(described) : new kerb.Follower(described, this.path, { steering: 'learned' });
    const host = new JoltHost(kerb, this.world, design, 0, 40 * this.cars.length, 0);
    host.around.neighbours = this.neighbours;
    host.around.id = this.cars.length + 1;
    this.hosts.push(host);
    this.cars.push({ host, driver, line, goal: this.kind === 'park' ? new kerb.Pose() : undefined, lot: this.cars.length, start: { x: 0, y: 0, heading: 0 }, controls: driver.controls, arrived: 0, error: 0, sum: 0, metres: 0 });
    this.poses.push(newPose());
  }

  // The racing line of a vehicle, once for all of its kind.
  private readonly lineOf = new Map<string, RacingLine>();
  private lineFor(described: VehicleInit): RacingLine {
    const key = JSON.stringify(described), known = this.lineOf.get(key);
    if (known) return known;
    const solver = new this.loaded.kerb.LineSolver(this.path, { vehicle: described });
    while (solver.advance(50)) { /* until it is found */ }
    const line = solver.line(3);
    solver.free();
    this.lineOf.set(key, line);
    this.lines.push(line);
    return line;
  }

  // Even in 0 … 1, the same in every run of a seed.
  private next(): number {
    this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0;
    return this.random / 4294967296;
  }

  private newGoal(car: Driven): void {
    const heading = 2 * Math.PI * this.next(), goal = car.goal!;
    goal.position.x = PARK_PITCH * (car.lot % 3) + PARK_REACH * (2 * this.next() - 1);
    goal.position.y = PARK_PITCH * Math.floor(car.lot / 3) + PARK_REACH * (2 * this.next() - 1);
    goal.forward.x = Math.cos(heading); goal.forward.y = Math.sin(heading);
  }

  private placeToPark(): void {
    this.random = this.seeded;
    for (const car of this.cars) car.host.vehicle.put(PARK_PITCH * (car.lot % 3), PARK_PITCH * Math.floor(car.lot / 3), 0, 2 * Math.PI * this.next());
    this.drawGoals();
  }

  private get seeded(): number { return (Math.imul(this.seed, 2654435761) >>> 0) || 1; }
  private drawGoals(): void {
    this.random = (this.seeded ^ 0x9e3779b9) >>> 0;
    for (const car of this.cars) this.newGoal(car);
  }

  // One behind the other: the first far enough from the beginning that all have room.
  private place(): void {
    if (this.kind === 'park') { this.placeToPark(); return; }
    let station = 0;
    for (let i = this.cars.length - 1; i >= 0; i--) {
      const car = this.cars[i]!, length = car.host.design.length;
      const sample = this.path.sampleAt(station);
      const heading = Math.atan2(sample.direction.y, sample.direction.x);
      car.start = { x: sample.position.x, y: sample.position.y, heading };
      car.host.vehicle.put(sample.position.x, sample.position.y, 0, heading);
      station += length + SPACING;
    }
  }

  get count(): number { return this.poses.length; }
  get hash(): string { return this.sum.toString(16).padStart(8, '0'); }

  step(): void {
    this.neighbours.clear();
    this.cars.forEach((car, i) => car.host.tell(this.neighbours, i + 1));
    for (const car of this.cars) {
      car.host.press(this.drive(car));
      const moved = Math.abs(car.host.vehicle.forwardSpeed()) * STEP;
      car.error = this.errorOf(car);
      if (!car.host.player) { car.sum += Math.abs(car.error) * moved; car.metres += moved; }
      car.arrived = car.driver.reason === 'arrived' ? car.arrived + STEP : 0;
      if (car.goal && car.arrived > PARK_REST) { this.parked++; this.newGoal(car); car.arrived = 0; }
    }
    this.world.step(STEP);
    this.sum = hashMotions(this.hosts, this.sum);
    this.ghost?.step();
    this.time += STEP;
    this.frame++;
    // An open course begins anew when all have arrived; time goes on, for it can be gone back.
    if (this.kind === 'follow' && this.cars.every((car) => car.arrived > HIDE_AFTER)) this.beginAnew();
  }

  private parked = 0;
  private drive(car: Driven): Controls {
    if (car.goal) return (car.driver as Parker).drive(car.goal, car.host.motion, car.host.around, STEP);
    return (car.driver as Follower | Racer).drive(car.host.motion, car.host.around, STEP);
  }
  private errorOf(car: Driven): number { return car.goal ? 0 : (car.driver as Follower | Racer).decision.crossTrackError; }
  private targetOf(car: Driven): number { return car.goal ? this.values[0]! : (car.driver as Follower | Racer).decision.targetSpeed; }

  // All at their places again, as after the scene was made.
  private beginAnew(): void {
    this.world.restore(this.first);
    for (const car of this.cars) {
      car.driver.restart();
      if (this.kind === 'follow') (car.driver as Follower).settings.set('steering', 'learned');
      car.arrived = car.error = car.sum = car.metres = 0;
      car.host.player = undefined;
    }
    this.apply();
    if (this.kind === 'park') this.drawGoals();
    this.ghost?.restart();
  }

  restart(): void {
    this.beginAnew();
    this.time = this.frame = this.parked = 0;
    this.sum = HASH_START;
  }

  free(): void {
    this.world.destroy();
    for (const car of this.cars) { (car.driver as Follower).free(); car.host.free(); }
    for (const line of this.lines) line.free();
    this.neighbours.free();
    this.path.free();
    this.ghost?.free();
    this.cars = [];
  }

  refresh(): void {
    this.cars.forEach((car, i) => car.host.pose(this.poses[i]!, i * 2 + (i % 3), (car.host.player ? car.host.player.b : car.controls.brake) > 0.06));
  }

  subject(vehicle: number, out: Subject): Subject { return this.cars[vehicle]!.host.subject(out); }
  name(vehicle: number): string { return `Jolt's ${this.cars[vehicle]!.host.design.name}${this.cars.length > 5 ? ` ${vehicle + 1}` : ''}`; }
  reason(vehicle: number): string { return this.cars[vehicle]!.driver.reason; }
  read(vehicle: number, out: Readout = newReadout()): Readout {
    const car = this.cars[vehicle]!;
    car.host.read(car.controls, out);
    out.target = this.targetOf(car); out.error = car.error; out.progress = car.metres;
    return out;
  }
  isPlayer(vehicle: number): boolean { return this.cars[vehicle]?.host.player !== undefined; }
  canTake(vehicle: number): boolean { return vehicle >= 0 && vehicle < this.cars.length; }
  take(vehicle: number, throttle: number, brake: number, steering: number): void { this.cars[vehicle]!.host.take(throttle, brake, steering); }
  handBack(vehicle: number): void { this.cars[vehicle]!.host.player = undefined; }
  get(_table: number, row: number): number { return this.values[row]!; }
  set(_table: number, row: number, value: number): void { this.values[row] = value; this.apply(); }
  private apply(): void {
    for (const car of this.cars) this.rows.forEach((row, i) => (car.driver as Follower).settings.set(row.name, this.values[i]!));
  }
  handles(out: Handle[]): Handle[] {
    out.length = 0;
    this.cars.forEach((car, i) => {
      if (car.goal) out.push({ kind: Item.MARK, index: i, x: car.goal.position.x, y: car.goal.position.y, z: 0, heading: Math.atan2(car.goal.forward.y, car.goal.forward.x), reach: 0.5 * car.host.design.length + 2.5, turns: true, label: `goal of ${this.name(i)}` });
    });
    return out;
  }
  drag(kind: number, index: number, x: number, y: number, heading: number): void {
    const car = this.cars[index];
    if (!car) return;
    if (kind !== Item.MARK) { car.host.vehicle.put(x, y, 0, heading); return; }
    const goal = car.goal!;
    goal.position.x = x; goal.position.y = y;
    goal.forward.x = Math.cos(heading); goal.forward.y = Math.sin(heading);
    car.arrived = 0;
  }
  save(): Uint8Array {
    const cars = this.cars.map(({ host, arrived, error, sum, metres, goal }): CarState => ({ player: host.player ?? null, reverse: host.reverse, arrived, error, sum, metres, goal: goal ? [goal.position.x, goal.position.y, goal.forward.x, goal.forward.y] : null }));
    const state: State = { time: this.time, frame: this.frame, hash: this.sum, parked: this.parked, random: this.random, values: this.values, cars };
    return pack([packJson(state), this.world.save(), this.ghost?.save() ?? new Uint8Array(0), ...this.cars.map((car) => car.driver.save())]);
  }
  restore(snapshot: Uint8Array): void {
    const [state, world, ghost, ...drivers] = unpack(snapshot), was = unpackJson<State>(state!);
    this.world.restore(world!);
    this.ghost?.restore(ghost!);
    this.time = was.time; this.frame = was.frame; this.sum = was.hash; this.parked = was.parked; this.random = was.random;
    this.values.splice(0, Infinity, ...was.values);
    this.cars.forEach((car, i) => {
      const { player, reverse, goal, ...rest } = was.cars[i]!;
      car.driver.restore(drivers[i]!);
      Object.assign(car, rest);
      car.host.player = player ?? undefined;
      car.host.reverse = reverse;
      if (goal && car.goal) { car.goal.position.x = goal[0]; car.goal.position.y = goal[1]; car.goal.forward.x = goal[2]; car.goal.forward.y = goal[3]; }
    });
  }

  build(ground: Ground): void {
    ground.clear();
    if (this.kind === 'park') return;
    const points = new Float32Array(this.course.points.flatMap((p) => [p.x, p.y, p.z, p.left, p.right]));
    const road: Ribbon = { points, closed: this.course.closed, kind: 'road' };
    const middle: Ribbon = { points: new Float32Array(this.course.points.flatMap((p) => [p.x, p.y, p.z, 0.06, 0.06])), closed: this.course.closed, kind: 'line' };
    ground.addRibbons([road, middle], true);
  }
  think(vehicle: number, layers: readonly boolean[], lines: Lines, label: Label): void {
    const car = this.cars[vehicle]!, m = car.host.numbers;
    if (this.kind === 'follow') {
      const d = (car.driver as Follower).decision;
      if (layers[0] !== false) lines.add(m[0]!, m[1]!, m[2]! + 0.15, d.nearest.x, d.nearest.y, d.nearest.z + 0.15, 0x4a90d9, 1.6);
      if (layers[1] !== false) { lines.add(m[0]!, m[1]!, m[2]! + 0.15, d.target.x, d.target.y, d.target.z + 0.15, 0xe0672a, 1.6); lines.addPoint(d.target.x, d.target.y, d.target.z + 0.1, 0.6, 0xe0672a, 2.4); }
    }
    if (car.goal && layers[1] !== false) lines.add(m[0]!, m[1]!, m[2]! + 0.15, car.goal.position.x, car.goal.position.y, 0.15, 0xe0672a, 1.2);
    label(m[0]!, m[1]!, m[2]! + 2.6, `${car.host.vehicle.forwardSpeed().toFixed(1)}/${this.targetOf(car).toFixed(1)} m/s: ${car.driver.reason}`, false);
  }
  marks(lines: Lines): void {
    for (const car of this.cars) {
      if (!car.goal) continue;
      const { position: p, forward: f } = car.goal, l = 0.5 * car.host.design.length, w = 0.5 * car.host.design.width;
      for (const [ax, ay, bx, by] of [[-l, -w, l, -w], [l, -w, l, w], [l, w, -l, w], [-l, w, -l, -w], [0.2 * l, w * 0.7, 0.8 * l, 0], [0.8 * l, 0, 0.2 * l, -w * 0.7], [l, 0, l + 2, 0]] as const)
        lines.add(p.x + f.x * ax - f.y * ay, p.y + f.y * ax + f.x * ay, 0.08, p.x + f.x * bx - f.y * by, p.y + f.y * bx + f.x * by, 0.08, 0x2fa866, 2);
      lines.addCircle(p.x + f.x * (l + 2.5), p.y + f.y * (l + 2.5), 0.08, 0.5, 0x2fa866, 2);
    }
    const line = this.lines[0];
    if (line) this.drawLine(line, lines);
    const ghost = this.ghost;
    if (!ghost) return;
    // The car of the reference physics, as an outline.
    const x = ghost.f(0, 15), y = ghost.f(0, 16), z = ghost.f(0, 17) + 0.15, a = ghost.f(0, 18), l = 0.5 * ghost.f(0, 8), w = 0.5 * ghost.f(0, 9), c = Math.cos(a), s = Math.sin(a);
    for (const [ax, ay, bx, by] of [[-l, -w, l, -w], [l, -w, l, w], [l, w, -l, w], [-l, w, -l, -w], [-l, -w, l, w], [-l, w, l, -w]] as const)
      for (const up of [0, 1.3]) lines.add(x + c * ax - s * ay, y + s * ax + c * ay, z + up, x + c * bx - s * by, y + s * bx + c * by, z + up, 0x9fb4d8, 1.5);
  }
  private drawLine(line: RacingLine, lines: Lines): void {
    const points = line.points, step = Math.max(1, Math.floor(points.length / 1500));
    for (let i = 0; i + step < points.length; i += step) {
      const a = points.at(i), b = points.at(i + step);
      lines.add(a.x, a.y, a.z + 0.05, b.x, b.y, b.z + 0.05, 0x3aa0ff, 1.2);
    }
  }
  extent(): readonly [number, number, number, number] {
    if (this.kind === 'park') return [-20, -20, 2 * PARK_PITCH + 20, PARK_PITCH + 20];
    const xs = this.course.points.map((p) => p.x), ys = this.course.points.map((p) => p.y);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }
  figures(): Figure[] {
    const sum = this.cars.reduce((all, car) => all + car.sum, 0), metres = this.cars.reduce((all, car) => all + car.metres, 0);
    if (this.kind === 'park') return [{ name: 'parked', unit: '1', value: this.parked }, { name: 'driven', unit: 'm', value: metres }];
    return [{ name: 'cross-track error, mean', unit: 'm', value: metres > 1 ? sum / metres : -1 }, { name: 'driven', unit: 'm', value: metres }];
  }
}
