// What every scene in Jolt Physics needs: the modules, loaded once; a vehicle of Jolt with what its
// driver is told; the bytes of a snapshot.
import { JoltVehicle, JoltWorld, YAW_MAX, knownOf, type Design } from '../jolt/vehicles.mjs';
import measured from '../jolt/measured.json';
import { STEP } from './stage';
import { bodyColor } from './view/theme';
import type { Readout } from './show';
import type { VehiclePose } from './view/vehicles';
import type { ShapeName } from './view/shapes';
import type { Subject } from './view/camera';
import type { Controls, Kerb, Motion, Neighbours, Surroundings, VehicleInit } from '../../bindings/js/dist/index';

// Each kind of scene loads the module of its driver alone.
export type KerbModule = 'follower' | 'racer' | 'seek';
const kerbs = new Map<KerbModule, Promise<Kerb>>();

export function loadKerb(name: KerbModule): Promise<Kerb> {
  const loading = kerbs.get(name) ?? (async () => {
    const { load } = await import('../../bindings/js/dist/index');
    const address = await ({
      follower: () => import('../../bindings/js/dist/follower.wasm?url'), racer: () => import('../../bindings/js/dist/racer.wasm?url'), seek: () => import('../../bindings/js/dist/seek.wasm?url'),
    })[name]();
    return load(address.default);
  })();
  kerbs.set(name, loading);
  return loading;
}

let jolt: Promise<unknown> | undefined;
export function loadJolt(): Promise<unknown> {
  return jolt ??= (async () => {
    const [{ default: initJolt }, { default: address }] = await Promise.all([import('jolt-physics/wasm'), import('jolt-physics/jolt-physics.wasm.wasm?url')]);
    return initJolt({ locateFile: () => address });
  })();
}

/// What Kerb is told of a vehicle: what a game knows, and what its calibrator has measured.
export function describe(design: Design): VehicleInit {
  const known = knownOf(design), numbers = (measured as Record<string, Record<string, number>>)[design.name]!;
  const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return { kind: known.kind, length: known.length, width: known.width, referenceToFront: known.front, referenceToRearAxle: known.rearAxle, wheelbase: known.wheelbase, mass: known.mass,
    ...(known.gears ? { driveTrain: { gearCount: known.gears.ratios.length, gearRatio: known.gears.ratios, wheelRadius: known.gears.wheelRadius, engineSpeedIdle: known.gears.idle, engineSpeedPower: known.gears.power, engineSpeedMax: known.gears.max, shiftTime: known.gears.shiftTime } } : {}),
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [camel(name), value])) };
}

export interface Player { t: number; b: number; s: number }

/// A vehicle of Jolt, what its driver is told of it, and who drives.
export class JoltHost {
  readonly vehicle: JoltVehicle;
  readonly numbers = new Float32Array(18);
  readonly bits = new Uint32Array(this.numbers.buffer);
  readonly motion: Motion;
  readonly around: Surroundings;
  player: Player | undefined;
  reverse = false; ///< a player goes backwards

  constructor(kerb: Kerb, world: JoltWorld, readonly design: Design, x: number, y: number, heading: number) {
    this.vehicle = new JoltVehicle(world, design, x, y, 0, heading);
    this.vehicle.yawMax = YAW_MAX;
    this.motion = new kerb.Motion();
    this.around = new kerb.Surroundings();
  }

  free(): void { this.motion.free(); this.around.free(); }

  /// Reads the vehicle for its driver; `list`: for the others as well, as number `id`.
  tell(list?: Neighbours, id = 0): void {
    const m = this.vehicle.motion(this.numbers), { motion, around } = this;
    motion.position.x = m[0]!; motion.position.y = m[1]!; motion.position.z = m[2]!;
    motion.rotation.x = m[3]!; motion.rotation.y = m[4]!; motion.rotation.z = m[5]!; motion.rotation.w = m[6]!;
    motion.velocity.x = m[7]!; motion.velocity.y = m[8]!; motion.velocity.z = m[9]!;
    motion.angularVelocity.x = m[10]!; motion.angularVelocity.y = m[11]!; motion.angularVelocity.z = m[12]!;
    motion.steering = m[13]!; motion.gear = m[14]!; motion.engineSpeed = m[15]!;
    around.playerDrives = around.isApplied = this.player !== undefined;
    if (this.player) this.playerControls(this.player, around.applied);
    if (!list) return;
    const other = list.add(), heading = headingOf(m);
    other.id = id;
    other.position.x = m[0]!; other.position.y = m[1]!; other.position.z = m[2]!;
    other.velocity.x = m[7]!; other.velocity.y = m[8]!; other.velocity.z = m[9]!;
    other.forward.x = Math.cos(heading); other.forward.y = Math.sin(heading);
    other.yawRate = m[12]!; other.length = this.design.length; other.width = this.design.width;
  }

  // At standstill the brake of a player becomes reverse, as the stage has it.
  private playerControls(player: Player, out: Controls): void {
    const speed = this.vehicle.forwardSpeed();
    if (Math.abs(speed) < 0.4) { if (player.b > 0.1) this.reverse = true; else if (player.t > 0.1) this.reverse = false; }
    out.throttle = this.reverse ? player.b : player.t;
    out.brake = this.reverse ? player.t : player.b;
    out.steering = player.s;
    out.gear = this.reverse ? -1 : 1;
    out.handbrake = false;
    out.clutch = 0;
  }

  /// Presses what its driver wants, or what the player does.
  press(controls: Controls): void {
    const c = this.player ? this.around.applied : controls;
    this.vehicle.press(c.throttle, c.brake, c.steering, c.gear, c.handbrake, STEP, c.clutch);
  }

  take(throttle: number, brake: number, steering: number): void {
    if (!this.player) this.reverse = false;
    this.player = { t: throttle, b: brake, s: steering };
  }

  pose(out: VehiclePose, color: number, braking: boolean): void {
    const m = this.vehicle.motion(this.numbers), d = this.design, known = knownOf(d);
    out.shape = BODY[d.look] ?? 'car';
    out.color = bodyColor(color);
    out.length = d.length; out.width = d.width; out.height = d.kind === 'motorcycle' ? 1.35 : d.kind === 'tracked' ? 2.3 : d.look === 'truck' ? 2.7 : 1.4;
    out.wheelRadius = d.kind === 'wheeled' ? d.radius : 0; out.wheelbase = known.wheelbase; out.rearAxle = known.rearAxle; out.track = d.track;
    out.x = m[0]!; out.y = m[1]!; out.z = m[2]!; out.qx = m[3]!; out.qy = m[4]!; out.qz = m[5]!; out.qw = m[6]!;
    out.steering = this.vehicle.wheelAngle(); out.frontRoll = this.vehicle.wheelRoll(0); out.rearRoll = this.vehicle.wheelRoll(d.axles.length - 1);
    out.braking = braking;
  }

  subject(out: Subject): Subject {
    const m = this.vehicle.motion(this.numbers);
    out.x = m[0]!; out.y = m[1]!; out.z = m[2]!; out.heading = headingOf(m); out.speed = this.vehicle.forwardSpeed(); out.length = this.design.length;
    return out;
  }

  read(controls: Controls, out: Readout): void {
    const p = this.player;
    out.throttle = p ? p.t : controls.throttle; out.brake = p ? p.b : controls.brake; out.steering = p ? p.s : controls.steering;
    out.handbrake = !p && controls.handbrake; out.gear = controls.gear;
    out.speed = this.vehicle.forwardSpeed(); out.lateral = out.speed * this.numbers[12]!;
    out.estimated = false;
  }
}

const BODY: Record<string, ShapeName> = { car: 'car', truck: 'truck', tank: 'tank', motorcycle: 'motorcycle', buggy: 'buggy' };

export function headingOf(m: Float32Array): number {
  return Math.atan2(2 * (m[3]! * m[4]! + m[6]! * m[5]!), 1 - 2 * (m[4]! * m[4]! + m[5]! * m[5]!));
}

/// FNV-1a over the bits of all motions, carried on from step to step.
export function hashMotions(hosts: readonly JoltHost[], from: number): number {
  let hash = from;
  for (const host of hosts) {
    host.vehicle.motion(host.numbers);
    for (const word of host.bits) hash = Math.imul(hash ^ word, 0x01000193) >>> 0;
  }
  return hash;
}
export const HASH_START = 0x811c9dc5;

/// Several blocks as one, each after its size.
export function pack(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0)), sizes = new DataView(all.buffer);
  let at = 0;
  for (const part of parts) { sizes.setUint32(at, part.length); all.set(part, at + 4); at += 4 + part.length; }
  return all;
}
export function unpack(bytes: Uint8Array): Uint8Array[] {
  const sizes = new DataView(bytes.buffer, bytes.byteOffset), parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) { const size = sizes.getUint32(at); parts.push(bytes.slice(at + 4, at + 4 + size)); at += 4 + size; }
  return parts;
}
export const packJson = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
export const unpackJson = <T>(bytes: Uint8Array): T => JSON.parse(new TextDecoder().decode(bytes)) as T;
