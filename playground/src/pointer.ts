// Mouse and fingers on the picture: a click follows a vehicle, dragging moves what can be moved,
// else the camera: one finger turns it, two move and zoom it.
import { Vector3 } from 'three';
import type { Handle, Show } from './show';
import { Item } from './stage';
import type { View } from './view/view';

export interface PointerActs {
  show(): Show | undefined;
  follow(vehicle: number): void;
  drive(vehicle: number): void;
  drag(kind: number, index: number, x: number, y: number, heading: number): void;
  dragged(): void;
  hover(vehicle: number): void;
}

const NEAR = 22, NEAR_TOUCH = 34; // [px]
const MOVED = 5;                  // from here on it is no click [px]

export class Pointer {
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private from = { x: 0, y: 0 };
  private moved = false;
  private button = 0;
  private grabbed: { handle: Handle; turning: boolean; dx: number; dy: number } | undefined;
  private apart = 0;
  private readonly place = new Vector3();
  private readonly handles: Handle[] = [];
  private lastClick = { time: 0, vehicle: -1 };

  constructor(private readonly view: View, private readonly acts: PointerActs) {
    const canvas = view.canvas;
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event, true));
    canvas.addEventListener('pointercancel', (event) => this.up(event, false));
    canvas.addEventListener('wheel', (event) => { view.camera.zoomBy(Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.0012))); event.preventDefault(); }, { passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  /// The vehicle near a pixel; -1: none.
  vehicleAt(px: number, py: number, near: number): number {
    const show = this.acts.show();
    if (!show) return -1;
    let best = -1, least = Infinity;
    for (let i = 0; i < show.count; i++) {
      const pose = show.poses[i]!;
      if (pose.hidden || pose.ghost) continue;
      const depth = this.view.project(pose.x, pose.y, pose.z + 0.4 * pose.height, this.place).z;
      if (depth > 1) continue;
      const x = this.place.x, y = this.place.y;
      this.view.project(pose.x, pose.y, pose.z + 0.4 * pose.height + 0.42 * pose.length, this.place);
      const reach = Math.max(near, Math.hypot(this.place.x - x, this.place.y - y)), gap = Math.hypot(px - x, py - y);
      if (gap < reach && gap / reach + 0.1 * depth < least) { least = gap / reach + 0.1 * depth; best = i; }
    }
    return best;
  }

  private handleAt(px: number, py: number, near: number): { handle: Handle; turning: boolean } | undefined {
    const show = this.acts.show();
    if (!show) return undefined;
    let found: { handle: Handle; turning: boolean } | undefined, least = near;
    for (const handle of show.handles(this.handles)) {
      const at = (x: number, y: number, turning: boolean): void => {
        if (this.view.project(x, y, handle.z, this.place).z > 1) return;
        const gap = Math.hypot(this.place.x - px, this.place.y - py);
        if (gap < least) { least = gap; found = { handle: { ...handle }, turning }; }
      };
      at(handle.x, handle.y, false);
      if (handle.turns) at(handle.x + handle.reach * Math.cos(handle.heading), handle.y + handle.reach * Math.sin(handle.heading), true);
    }
    return found;
  }

  private down(event: PointerEvent): void {
    this.view.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.fingers.size === 2) { this.apart = this.spread(); this.grabbed = undefined; this.moved = true; return; }
    if (this.fingers.size > 2) return;
    this.from = { x: event.offsetX, y: event.offsetY };
    this.moved = false;
    this.button = event.button;
    this.grabbed = undefined;
    if (event.button !== 0) return;
    const near = event.pointerType === 'touch' ? NEAR_TOUCH : NEAR, found = this.handleAt(event.offsetX, event.offsetY, near);
    if (found) this.grab(found.handle, found.turning);
    else if (this.view.camera.mode !== 'follow' || event.shiftKey) this.grabVehicle(event.offsetX, event.offsetY, near);
  }

  private grabVehicle(px: number, py: number, near: number): void {
    const show = this.acts.show(), vehicle = this.vehicleAt(px, py, 0.6 * near);
    if (!show || vehicle < 0 || !show.canTake(vehicle)) return;
    const pose = show.poses[vehicle]!, subject = show.subject(vehicle, { x: 0, y: 0, z: 0, heading: 0, speed: 0, length: 0 });
    this.grab({ kind: Item.VEHICLE, index: vehicle, x: pose.x, y: pose.y, z: pose.z, heading: subject.heading, reach: pose.length, turns: true, label: show.name(vehicle) }, false);
  }

  private grab(handle: Handle, turning: boolean): void {
    const under = this.view.placeUnder(this.from.x, this.from.y, handle.z, this.place);
    this.grabbed = { handle, turning, dx: under && !turning ? handle.x - this.place.x : 0, dy: under && !turning ? handle.y - this.place.y : 0 };
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId), canvas = this.view.canvas;
    if (!finger) {
      if (event.pointerType === 'mouse') {
        const vehicle = this.vehicleAt(event.offsetX, event.offsetY, NEAR);
        this.acts.hover(vehicle);
        canvas.classList.toggle('over', vehicle >= 0 || this.handleAt(event.offsetX, event.offsetY, NEAR) !== undefined);
      }
      return;
    }
    const dx = event.offsetX - finger.x, dy = event.offsetY - finger.y;
    finger.x = event.offsetX;
    finger.y = event.offsetY;
    if (this.fingers.size === 2) {
      const apart = this.spread();
      if (this.apart > 0 && apart > 0) this.view.camera.zoomBy(this.apart / apart);
      this.apart = apart;
      this.view.camera.pan(0.5 * dx, 0.5 * dy, canvas.clientHeight);
      return;
    }
    if (!this.moved && Math.hypot(event.offsetX - this.from.x, event.offsetY - this.from.y) < MOVED) return;
    this.moved = true;
    canvas.classList.add('grabbing');
    if (this.grabbed) this.dragTo(event.offsetX, event.offsetY);
    else if (this.button === 0 && !event.shiftKey) this.view.camera.turn(dx, dy);
    else this.view.camera.pan(dx, dy, canvas.clientHeight);
  }

  private dragTo(px: number, py: number): void {
    const { handle, turning, dx, dy } = this.grabbed!;
    if (this.view.camera.mode === 'glide') this.view.camera.setMode('free');
    if (!this.view.placeUnder(px, py, handle.z, this.place)) return;
    if (turning) handle.heading = Math.atan2(this.place.y - handle.y, this.place.x - handle.x);
    else { handle.x = this.place.x + dx; handle.y = this.place.y + dy; }
    this.acts.drag(handle.kind, handle.index, handle.x, handle.y, handle.heading);
  }

  private up(event: PointerEvent, done: boolean): void {
    this.fingers.delete(event.pointerId);
    this.view.canvas.classList.remove('grabbing');
    if (this.fingers.size > 0) return;
    if (this.grabbed && this.moved) this.acts.dragged();
    this.grabbed = undefined;
    if (!done || this.moved || event.button !== 0) return;
    const vehicle = this.vehicleAt(event.offsetX, event.offsetY, event.pointerType === 'touch' ? NEAR_TOUCH : NEAR);
    const again = vehicle >= 0 && vehicle === this.lastClick.vehicle && event.timeStamp - this.lastClick.time < 450;
    this.lastClick = { time: event.timeStamp, vehicle };
    if (again) this.acts.drive(vehicle);
    else if (vehicle >= 0) this.acts.follow(vehicle);
  }

  private spread(): number {
    const [a, b] = [...this.fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }
}
