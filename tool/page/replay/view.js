// Where the map is looked at from: centre, scale and rotation, moved by drag, wheel and pinch.
'use strict';

const SCALE_LEAST = 0.02; // pixels a metre
const SCALE_MOST = 200;

class View {
  /// `changed(byHand)` is called after every change that a gesture made.
  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
    this.x = 0;
    this.y = 0;
    this.scale = 4;
    this.rotation = 0;
    this.sink = 0; // how far below the middle the centre lies, as a part of the height
    this.pointers = new Map();
    this.listen();
  }

  get width() {
    return this.canvas.clientWidth;
  }

  get height() {
    return this.canvas.clientHeight;
  }

  /// Whether the page is laid out for a phone, as in page.css.
  get compact() {
    return matchMedia('(max-width: 820px), (max-height: 500px)').matches;
  }

  /// Sets the bitmap to the element's size in device pixels; true when that changed it.
  resize() {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(this.width * ratio);
    const height = Math.round(this.height * ratio);
    if (this.canvas.width === width && this.canvas.height === height) return false;
    this.canvas.width = width;
    this.canvas.height = height;
    return true;
  }

  /// World coordinates (metres, y up) for all that is drawn next.
  applyWorld(context) {
    const ratio = window.devicePixelRatio || 1;
    const c = Math.cos(this.rotation) * this.scale * ratio;
    const s = Math.sin(this.rotation) * this.scale * ratio;
    const e = (this.width / 2) * ratio - c * this.x + s * this.y;
    const f = this.height * (0.5 + this.sink) * ratio + s * this.x + c * this.y;
    context.setTransform(c, -s, -s, -c, e, f);
  }

  /// Screen coordinates (CSS pixels).
  applyScreen(context) {
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  toScreen(point) {
    const c = Math.cos(this.rotation) * this.scale;
    const s = Math.sin(this.rotation) * this.scale;
    const dx = point.x - this.x;
    const dy = point.y - this.y;
    return { x: this.width / 2 + c * dx - s * dy, y: this.height * (0.5 + this.sink) - s * dx - c * dy };
  }

  toWorld(x, y) {
    const c = Math.cos(this.rotation) / this.scale;
    const s = Math.sin(this.rotation) / this.scale;
    const dx = x - this.width / 2;
    const dy = this.height * (0.5 + this.sink) - y;
    return { x: this.x + c * dx + s * dy, y: this.y - s * dx + c * dy };
  }

  /// Shows a rectangle of the world whole, with room for what floats over the map.
  fit(bounds) {
    const room = this.compact ? { x: 28, top: 40, bottom: 84 } : { x: 56, top: 84, bottom: 60 };
    this.rotation = 0;
    this.sink = 0;
    const across = Math.max(bounds.right - bounds.left, 10);
    const along = Math.max(bounds.top - bounds.bottom, 10);
    const free = { x: this.width - 2 * room.x, y: this.height - room.top - room.bottom };
    this.scale = clamp(Math.min(free.x / across, free.y / along), SCALE_LEAST, 40);
    this.x = (bounds.left + bounds.right) / 2;
    this.y = (bounds.bottom + bounds.top) / 2 + (room.top - room.bottom) / 2 / this.scale;
  }

  /// Zooms by a factor; the world under (x, y) stays there.
  zoom(factor, x = this.width / 2, y = this.height * (0.5 + this.sink)) {
    const before = this.toWorld(x, y);
    this.scale = clamp(this.scale * factor, SCALE_LEAST, SCALE_MOST);
    const after = this.toWorld(x, y);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
  }

  pan(dx, dy) {
    const from = this.toWorld(0, 0);
    const to = this.toWorld(dx, dy);
    this.x += from.x - to.x;
    this.y += from.y - to.y;
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel'])
      canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
  }

  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const now = { x: event.offsetX, y: event.offsetY };
    this.pointers.set(event.pointerId, now);
    if (this.pointers.size === 1) this.pan(now.x - last.x, now.y - last.y);
    else this.pinch(last, now, event.pointerId);
    this.changed(true);
  }

  /// One of two fingers moved: zoom by how far they are apart, about the one that rests.
  pinch(last, now, id) {
    const other = [...this.pointers].find(([key]) => key !== id)[1];
    const before = Math.hypot(last.x - other.x, last.y - other.y);
    const after = Math.hypot(now.x - other.x, now.y - other.y);
    if (before > 0 && after > 0) this.zoom(after / before, other.x, other.y);
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    // Pinching on a touchpad arrives as small steps with ctrlKey set.
    const gain = event.ctrlKey ? 0.01 : 0.0015;
    this.zoom(Math.exp(-clamp(event.deltaY * lines, -400, 400) * gain), event.offsetX, event.offsetY);
    this.changed(false);
  }
}
