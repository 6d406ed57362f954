// The camera: it glides over the scene, follows a vehicle, or is moved by hand.
import { PerspectiveCamera, Vector3 } from 'three';

export type CameraMode = 'glide' | 'follow' | 'free' | 'top';

/// What it looks at, and how much there is to see.
export interface Subject { x: number; y: number; z: number; heading: number; speed: number; length: number }

const FOLLOW_SECONDS = 0.35; // in which it has come most of the way to a vehicle
const GLIDE_SPEED = 0.045;   // of the slow turn [rad/s]
const GLIDE_SECONDS = 1.6;   // in which a gliding camera has come most of the way

export class Camera {
  readonly camera = new PerspectiveCamera(50, 1, 0.5, 9000);
  mode: CameraMode = 'glide';
  calm = false; ///< reduced motion: it cuts instead of gliding
  private readonly target = new Vector3();
  private azimuth = -2.2;
  private elevation = 0.5;
  private distance = 90;
  private home = { x: 0, y: 0, z: 0, size: 60 };
  private time = 0;
  private zoom = 1;
  private cut = true;  // it goes to what it looks at at once
  private looking = 0; // turn by hand, relative to the vehicle [rad]

  constructor() {
    this.camera.up.set(0, 0, 1);
  }

  /// The scene: where its middle is and how large it is. [m]
  frame(x: number, y: number, z: number, size: number): void {
    this.home = { x, y, z, size };
    this.target.set(x, y, z);
    this.azimuth = -2.0;
    this.elevation = 0.62;
    this.distance = size;
    this.zoom = 1;
    this.time = 0;
    this.cut = true;
  }

  /// Goes to its next subject at once, not by a flight over all that lies between.
  jump(): void { this.cut = true; }

  setMode(mode: CameraMode): void {
    if (mode === this.mode) return;
    this.mode = mode;
    this.looking = 0;
    if (mode === 'top') this.elevation = 1.5;
    else if (mode === 'free' && this.elevation > 1.3) this.elevation = 0.7;
    this.zoom = 1;
  }

  turn(dx: number, dy: number): void {
    if (this.mode === 'glide') this.mode = 'free';
    if (this.mode === 'follow') this.looking -= dx * 0.006;
    else this.azimuth -= dx * 0.006;
    if (this.mode !== 'top') this.elevation = clamp(this.elevation + dy * 0.005, 0.06, 1.52);
  }

  /// Moves over the ground by pixels.
  pan(dx: number, dy: number, height: number): void {
    if (this.mode === 'glide' || this.mode === 'follow') this.mode = 'free';
    const scale = 2 * this.distance * Math.tan(0.5 * this.camera.fov * Math.PI / 180) / Math.max(1, height);
    const c = Math.cos(this.azimuth), s = Math.sin(this.azimuth), tilt = 1 / Math.max(0.35, Math.sin(this.elevation));
    this.target.x += (dx * s + dy * c * tilt) * scale;
    this.target.y += (-dx * c + dy * s * tilt) * scale;
  }

  zoomBy(factor: number): void {
    if (this.mode === 'follow') this.zoom = clamp(this.zoom * factor, 0.35, 12);
    else {
      if (this.mode === 'glide') this.mode = 'free';
      this.distance = clamp(this.distance * factor, 4, 4000);
    }
  }

  /// [dt: of the wall clock, s]
  update(subject: Subject | undefined, dt: number): void {
    this.time += dt;
    if (this.mode === 'follow' && subject) this.follow(subject, dt);
    else if (this.mode === 'glide') this.glide(subject, dt);
    else if (this.mode === 'top' && subject) this.target.set(subject.x, subject.y, subject.z);
    const c = Math.cos(this.elevation);
    this.camera.position.set(
      this.target.x + this.distance * c * Math.cos(this.azimuth),
      this.target.y + this.distance * c * Math.sin(this.azimuth),
      this.target.z + this.distance * Math.sin(this.elevation));
    this.camera.lookAt(this.target);
    this.camera.near = clamp(0.02 * this.distance, 0.3, 10);
    this.camera.updateProjectionMatrix();
  }

  private follow(subject: Subject, dt: number): void {
    const share = this.calm || this.cut ? 1 : 1 - Math.exp(-dt / FOLLOW_SECONDS);
    this.cut = false;
    const fast = 1 - Math.exp(-dt / 0.08);
    const ahead = 0.25 * subject.speed;
    const far = this.target.distanceTo(V.set(subject.x, subject.y, subject.z)) > 60;
    V.set(subject.x + ahead * Math.cos(subject.heading), subject.y + ahead * Math.sin(subject.heading), subject.z + 0.3 * subject.length);
    this.target.lerp(V, far ? share : Math.max(share, fast));
    const wanted = subject.heading + Math.PI + this.looking;
    this.azimuth += wrap(wanted - this.azimuth) * (share === 1 ? 1 : 1 - Math.exp(-dt / 0.55));
    const distance = (2.9 * subject.length + 6 + 0.35 * Math.abs(subject.speed)) * this.zoom;
    this.distance += (distance - this.distance) * share;
    if (this.looking === 0) this.elevation += (0.34 - this.elevation) * share * 0.6;
  }

  // A slow turn over the scene; where somebody is followed, round it.
  private glide(subject: Subject | undefined, dt: number): void {
    const share = this.calm || this.cut ? 1 : 1 - Math.exp(-dt / GLIDE_SECONDS);
    this.cut = false;
    if (!this.calm) this.azimuth += GLIDE_SPEED * dt;
    const drift = this.calm ? 0 : 0.22 * this.home.size;
    const goal = subject ?? { x: this.home.x + drift * Math.sin(0.11 * this.time), y: this.home.y + drift * Math.sin(0.083 * this.time + 1), z: this.home.z };
    // What comes after by a delay stays behind by the way of that time: it aims ahead by as much.
    const ahead = subject && share < 1 ? subject.speed * GLIDE_SECONDS : 0, heading = subject?.heading ?? 0;
    this.target.lerp(V.set(goal.x + ahead * Math.cos(heading), goal.y + ahead * Math.sin(heading), goal.z), share);
    const wide = subject ? Math.min(0.9 * this.home.size, 13 * subject.length + 4) : this.home.size;
    this.distance += (wide * (0.8 + 0.26 * Math.cos(0.13 * this.time)) - this.distance) * share;
    this.elevation += ((subject ? 0.58 : 0.46) + 0.12 * Math.cos(0.09 * this.time) - this.elevation) * share;
  }
}

const V = new Vector3();
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const wrap = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
