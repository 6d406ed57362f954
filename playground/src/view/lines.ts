// Lines, points and texts of kerb/draw.h for the followed vehicle, by layers that can be put out.
// Lines are two triangles each, wide in pixels, so that they are seen from far.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Mesh, ShaderMaterial, Vector2 } from 'three';

const VERTEX = `
attribute vec3 other;
attribute float side;
attribute float wide;
attribute vec3 color;
uniform vec2 size;
varying vec3 tint;
void main() {
  vec4 here = projectionMatrix * viewMatrix * vec4(position, 1.0), there = projectionMatrix * viewMatrix * vec4(other, 1.0);
  here.w = max(here.w, 0.01); there.w = max(there.w, 0.01);
  vec2 along = (there.xy / there.w - here.xy / here.w) * size;
  float reach = length(along);
  vec2 across = reach > 1e-5 ? vec2(-along.y, along.x) / reach : vec2(0.0, 1.0);
  here.xy += across * side * wide / size * here.w;
  here.z -= 0.0004 * here.w;
  tint = color;
  gl_Position = here;
}`;
const FRAGMENT = `
varying vec3 tint;
void main() { gl_FragColor = vec4(tint, 0.92); 
#include <colorspace_fragment>
}`;

export class Lines {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly position: Float32Array;
  private readonly other: Float32Array;
  private readonly wide: Float32Array;
  private readonly color: Float32Array;
  private readonly tint = new Color();
  private count = 0;

  constructor(private readonly capacity: number) {
    const geometry = new BufferGeometry(), corners = 4 * capacity;
    this.position = new Float32Array(3 * corners);
    this.other = new Float32Array(3 * corners);
    this.wide = new Float32Array(corners);
    this.color = new Float32Array(3 * corners);
    const side = new Float32Array(corners), index = new Uint32Array(6 * capacity);
    for (let i = 0; i < capacity; i++) {
      // The far end sees the line from the other end, so its sides are turned.
      side.set([1, -1, -1, 1], 4 * i);
      index.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 2, 4 * i + 1, 4 * i + 3], 6 * i);
    }
    const add = (name: string, array: Float32Array, width: number): void => {
      geometry.setAttribute(name, new BufferAttribute(array, width).setUsage(DynamicDrawUsage));
    };
    add('position', this.position, 3); add('other', this.other, 3); add('side', side, 1); add('wide', this.wide, 1); add('color', this.color, 3);
    geometry.setIndex(new BufferAttribute(index, 1));
    this.mesh = new Mesh(geometry, new ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, uniforms: { size: { value: new Vector2(1, 1) } } }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 20;
  }

  setSize(width: number, height: number): void { (this.mesh.material.uniforms.size!.value as Vector2).set(width, height); }

  clear(): void { this.count = 0; }

  add(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, color: number, wide: number): void {
    if (this.count >= this.capacity) return;
    const at = this.count++;
    this.tint.set(color);
    for (let k = 0; k < 4; k++) {
      const v = 3 * (4 * at + k), near = k < 2;
      this.position[v] = near ? x0 : x1; this.position[v + 1] = near ? y0 : y1; this.position[v + 2] = near ? z0 : z1;
      this.other[v] = near ? x1 : x0; this.other[v + 1] = near ? y1 : y0; this.other[v + 2] = near ? z1 : z0;
      this.color[v] = this.tint.r; this.color[v + 1] = this.tint.g; this.color[v + 2] = this.tint.b;
      this.wide[4 * at + k] = wide;
    }
  }

  /// A cross on the ground that also stands up, to mark a point.
  addPoint(x: number, y: number, z: number, size: number, color: number, wide: number): void {
    this.add(x - size, y, z, x + size, y, z, color, wide);
    this.add(x, y - size, z, x, y + size, z, color, wide);
    this.add(x, y, z - 0.2 * size, x, y, z + size, color, wide);
  }

  addCircle(x: number, y: number, z: number, radius: number, color: number, wide: number): void {
    for (let i = 0; i < 24; i++) {
      const a = i * Math.PI / 12, b = (i + 1) * Math.PI / 12;
      this.add(x + radius * Math.cos(a), y + radius * Math.sin(a), z, x + radius * Math.cos(b), y + radius * Math.sin(b), z, color, wide);
    }
  }

  show(): void {
    const geometry = this.mesh.geometry;
    geometry.setDrawRange(0, 6 * this.count);
    this.mesh.visible = this.count > 0;
    if (this.count === 0) return;
    for (const name of ['position', 'other', 'wide', 'color']) {
      const attribute = geometry.getAttribute(name) as BufferAttribute;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 4 * this.count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }
}
