// All vehicles of a scene as instanced meshes: one draw call per kind of body, one for all wheels,
// one for all brake lights, one for all shadows.
import {
  Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial,
  CircleGeometry, Quaternion, Vector3, type Material, type BufferGeometry,
} from 'three';
import { SHAPES, lightGeometry, wheelGeometry, type Shape, type ShapeName } from './shapes';

/// One vehicle as the view sees it. The scene fills it in every frame; nothing is allocated.
export interface VehiclePose {
  shape: ShapeName;
  color: number;
  length: number; width: number; height: number; ///< of its box [m]
  wheelRadius: number;      ///< 0: the body has no wheels of its own size [m]
  wheelbase: number; rearAxle: number; track: number; ///< as in kerb_stage_vehicle [m]
  x: number; y: number; z: number; ///< of the middle of its box, on the ground [m]
  qx: number; qy: number; qz: number; qw: number;
  steering: number;         ///< angle of its front wheels [rad]
  frontRoll: number; rearRoll: number; ///< how far its wheels have turned [rad]
  braking: boolean;
  hidden: boolean;
  ghost: boolean;
  flies: boolean;           ///< its shadow is on the ground below
}

export const newPose = (): VehiclePose => ({
  shape: 'car', color: 0xffffff, length: 4.5, width: 1.8, height: 1.4, wheelRadius: 0.32, wheelbase: 2.7, rearAxle: 1.35, track: 1.5,
  x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1, steering: 0, frontRoll: 0, rearRoll: 0, braking: false, hidden: false, ghost: false, flies: false,
});

interface Batch { shape: Shape; mesh: InstancedMesh; count: number }

const BRAKE_ON = new Color(0xff2a1a), BRAKE_OFF = new Color(0x5a1410);

export class Vehicles {
  readonly group = new Group();
  private readonly batches = new Map<string, Batch>();
  private readonly wheels: InstancedMesh;
  private readonly lights: InstancedMesh;
  private readonly shadows: InstancedMesh;
  private readonly bodyMaterial = new MeshLambertMaterial({ vertexColors: true });
  private readonly ghostMaterial = new MeshLambertMaterial({ vertexColors: true, transparent: true, opacity: 0.38, depthWrite: false });
  private readonly place = new Vector3();
  private readonly wheelPlace = new Vector3();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly body = new Matrix4();
  private readonly part = new Matrix4();
  private readonly spin = new Quaternion();
  private readonly spin2 = new Quaternion();
  private readonly color = new Color();

  constructor(private readonly capacity: number) {
    this.wheels = this.instances(wheelGeometry(), this.bodyMaterial, capacity * 8);
    this.lights = this.instances(lightGeometry(), new MeshBasicMaterial(), capacity);
    const shadow = new MeshBasicMaterial({ color: 0, transparent: true, opacity: 0.26, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 });
    this.shadows = this.instances(new CircleGeometry(0.62, 12), shadow, capacity);
    this.shadows.renderOrder = 3;
    this.group.add(this.wheels, this.lights, this.shadows);
  }

  private instances(geometry: BufferGeometry, material: Material, count: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, Math.max(1, count));
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.count = 0;
    return mesh;
  }

  private batch(name: ShapeName, ghost: boolean): Batch {
    const key = ghost ? `${name} ghost` : name;
    let batch = this.batches.get(key);
    if (!batch) {
      const shape = SHAPES[name];
      const mesh = this.instances(shape.make(), ghost ? this.ghostMaterial : this.bodyMaterial, this.capacity);
      mesh.setColorAt(0, this.color);
      batch = { shape, mesh, count: 0 };
      this.batches.set(key, batch);
      this.group.add(mesh);
    }
    return batch;
  }

  /// Takes over all poses.
  show(poses: readonly VehiclePose[], count: number): void {
    for (const batch of this.batches.values()) batch.count = 0;
    let wheel = 0, light = 0, shadow = 0;
    for (let i = 0; i < count && i < this.capacity; i++) {
      const pose = poses[i]!;
      if (pose.hidden) continue;
      const batch = this.batch(pose.shape, pose.ghost), shape = batch.shape;
      const height = pose.height > 0 ? pose.height : shape.height(pose.length, pose.width);
      this.turn.set(pose.qx, pose.qy, pose.qz, pose.qw);
      this.place.set(pose.x, pose.y, pose.z);
      this.size.set(pose.length, pose.width, height);
      this.body.compose(this.place, this.turn, this.size);
      batch.mesh.setMatrixAt(batch.count, this.body);
      batch.mesh.setColorAt(batch.count, this.color.set(pose.color));
      batch.count++;
      if (pose.ghost) continue;
      if (shape.wheels && pose.wheelRadius > 0) wheel = this.putWheels(pose, shape.wheels, wheel);
      if (shape.brakeLights) light = this.putLight(pose, height, light);
      this.shadows.setMatrixAt(shadow++, this.part.compose(this.size.set(this.place.x, this.place.y, pose.flies ? 0.05 : this.place.z + 0.03), pose.flies ? this.spin.identity() : this.turn, this.shadowScale(pose)));
    }
    for (const batch of this.batches.values()) {
      batch.mesh.count = batch.count;
      batch.mesh.instanceMatrix.needsUpdate = true;
      if (batch.mesh.instanceColor) batch.mesh.instanceColor.needsUpdate = true;
    }
    this.finish(this.wheels, wheel);
    this.finish(this.lights, light);
    this.finish(this.shadows, shadow);
  }

  private readonly shadowSize = new Vector3();
  private shadowScale(pose: VehiclePose): Vector3 {
    return this.shadowSize.set(pose.length, pose.width * 1.12, 1);
  }

  private finish(mesh: InstancedMesh, count: number): void {
    mesh.count = count;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  private putWheels(pose: VehiclePose, wheels: NonNullable<Shape['wheels']>, from: number): number {
    const radius = pose.wheelRadius;
    for (const axle of wheels.axles)
      for (let side = -1; side <= 1; side += 2) {
        // Axles are said as shares of the wheelbase, 0 being the rear axle.
        this.wheelPlace.set(axle * pose.wheelbase - pose.rearAxle, side * 0.5 * (pose.track > 0 ? pose.track : 0.84 * pose.width), radius).applyQuaternion(this.turn).add(this.place);
        this.spin.setFromAxisAngle(Z, axle > wheels.steered ? pose.steering : 0);
        this.spin2.setFromAxisAngle(Y, axle > 0.5 ? pose.frontRoll : pose.rearRoll);
        this.spin.premultiply(this.turn).multiply(this.spin2);
        this.wheels.setMatrixAt(from++, this.part.compose(this.wheelPlace, this.spin, this.size.set(radius, wheels.width * pose.width, radius)));
      }
    return from;
  }

  private putLight(pose: VehiclePose, height: number, at: number): number {
    this.wheelPlace.set(0, 0, 0.44 * height).applyQuaternion(this.turn).add(this.place);
    this.lights.setMatrixAt(at, this.part.compose(this.wheelPlace, this.turn, this.size.set(pose.length, pose.width, height)));
    this.lights.setColorAt(at, pose.braking ? BRAKE_ON : BRAKE_OFF);
    return at + 1;
  }

  dispose(): void {
    for (const batch of this.batches.values()) { batch.mesh.geometry.dispose(); batch.mesh.dispose(); }
    for (const mesh of [this.wheels, this.lights, this.shadows]) { mesh.geometry.dispose(); mesh.dispose(); (mesh.material as Material).dispose(); }
    this.bodyMaterial.dispose();
    this.ghostMaterial.dispose();
  }
}

const Z = new Vector3(0, 0, 1), Y = new Vector3(0, 1, 0);
