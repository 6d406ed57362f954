// Types of vehicles.mjs.
export interface Design {
  name: string; look: string; kind: 'wheeled' | 'tracked' | 'motorcycle'; mass: number; length: number; width: number; bodyHeight: number;
  axles: { x: number; steers?: boolean; drives?: boolean }[]; radius: number; track: number; hang: number; lock?: number;
}
export const VEHICLES: Design[];
export const YAW_MAX: number;
export function knownOf(design: Design): { kind: number; length: number; width: number; front: number; rearAxle: number; wheelbase: number; mass: number;
  gears?: { ratios: number[]; wheelRadius: number; idle: number; power: number; max: number; shiftTime: number } };
export class JoltWorld {
  constructor(Jolt: unknown, options?: { level?: boolean; bodies?: number });
  addHeights(x: number, y: number, spacing: number, nx: number, ny: number, heights: Float32Array): unknown;
  addBox(x: number, y: number, z: number, heading: number, length: number, width: number, height: number): unknown;
  addPost(x: number, y: number, z: number, radius: number, height: number): unknown;
  step(timeStep: number): void;
  putBody(body: unknown, x: number, y: number, z: number, heading: number): void;
  touching(vehicle: JoltVehicle, body: unknown): boolean;
  save(): Uint8Array;
  restore(bytes: Uint8Array): void;
  destroy(): void;
}
export class JoltVehicle {
  constructor(world: JoltWorld, design: Design, x: number, y: number, z: number, heading: number, normal?: readonly [number, number, number]);
  readonly design: Design;
  yawMax: number;
  press(throttle: number, brake: number, steering: number, gear: number, handbrake: boolean, timeStep: number, clutch?: number): void;
  motion(out: Float32Array): Float32Array;
  wheelAngle(): number;
  wheelRoll(axle: number): number;
  put(x: number, y: number, z: number, heading: number): void;
  forwardSpeed(): number;
  destroy(): void;
}
