// What vehicles drive on and among: ground with its grid, roads as ribbons, hills, solid things, sky.
//
// On level ground nothing fights for depth: ground, roads and marks write none and are drawn in this
// order, before everything that has height.
import {
  BackSide, BufferAttribute, BufferGeometry, Color, DoubleSide, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, PlaneGeometry, Quaternion, ShaderMaterial, SphereGeometry, Vector3, BoxGeometry, CylinderGeometry,
  type Material,
} from 'three';
import { rectanglesOf } from '../../jolt/cells.mjs';
import type { Theme } from './theme';

/// A strip along points: x, y, z, left and right width, five numbers a point. [m]
export interface Ribbon {
  points: Float32Array;
  closed: boolean;
  kind: 'road' | 'area' | 'corridor' | 'line' | 'lane';
}

/// A solid thing: a box or a post.
export interface Solid {
  x: number; y: number; z: number; heading: number;
  length: number; width: number; height: number;
  round: boolean;
  kind: 'wall' | 'house' | 'post' | 'car' | 'cone' | 'tree' | 'box';
}

/// Heights on a grid, x running fastest. [m]
export interface Hills { x: number; y: number; spacing: number; nx: number; ny: number; heights: Float32Array }

/// A patch of other grip. [grip: times the road's]
export interface Patch { x: number; y: number; radius: number; halfLength: number; halfWidth: number; heading: number; grip: number }

const POINT = 5;
const SUNK = 0.35; // how far the ground lies below roads [m]
const LINE_WIDTH = 0.16; // of painted lines [m]

const GRID_VERTEX = `
varying vec2 at;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  at = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;
// Lines of 10 m, and of 100 m, as wide as a pixel; they fade where they would flicker.
const GRID_FRAGMENT = `
uniform vec3 ground, line, horizon;
uniform vec2 eye;
uniform float reach;
varying vec2 at;
float lines(float size) {
  vec2 cell = at / size, step = fwidth(cell);
  vec2 near = abs(fract(cell - 0.5) - 0.5) / max(step, vec2(1e-6));
  return (1.0 - min(min(near.x, near.y) * 0.8, 1.0)) * (1.0 - smoothstep(0.05, 0.35, max(step.x, step.y)));
}
void main() {
  vec2 checks = floor(at / 50.0);
  vec3 color = ground * (mod(checks.x + checks.y, 2.0) < 0.5 ? 1.0 : 0.972);
  color = mix(color, line, max(lines(10.0) * 0.55, lines(100.0)));
  color = mix(color, horizon, smoothstep(0.25 * reach, reach, distance(at, eye)));
  gl_FragColor = vec4(color, 1.0);
  #include <colorspace_fragment>
}`;

const HALF_GROUND = 6000;

export class Ground {
  readonly group = new Group();
  private readonly sky: Mesh;
  private readonly plane: Mesh<PlaneGeometry, ShaderMaterial>;
  private parts: { mesh: Mesh | InstancedMesh; paint: (theme: Theme) => void }[] = [];
  private theme: Theme;
  private roads: readonly number[] = []; // corners of their triangles

  constructor(theme: Theme) {
    this.theme = theme;
    const dome = new SphereGeometry(1, 16, 12);
    dome.rotateX(Math.PI / 2);
    dome.setAttribute('color', new BufferAttribute(new Float32Array(dome.getAttribute('position').count * 3), 3));
    this.sky = new Mesh(dome, new MeshBasicMaterial({ vertexColors: true, side: BackSide, depthWrite: false, depthTest: false, fog: false }));
    this.sky.renderOrder = -10;
    this.sky.frustumCulled = false;
    this.plane = new Mesh(new PlaneGeometry(2 * HALF_GROUND, 2 * HALF_GROUND), new ShaderMaterial({
      vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, depthWrite: false,
      uniforms: { ground: { value: new Color() }, line: { value: new Color() }, horizon: { value: new Color() }, eye: { value: new Vector3() }, reach: { value: 2500 } },
    }));
    this.plane.renderOrder = -5;
    this.group.add(this.sky, this.plane);
    this.paint(theme);
  }

  paint(theme: Theme): void {
    this.theme = theme;
    const colors = this.sky.geometry.getAttribute('color') as BufferAttribute, places = this.sky.geometry.getAttribute('position');
    const top = new Color(theme.skyTop), low = new Color(theme.skyLow), color = new Color();
    for (let i = 0; i < colors.count; i++) {
      color.lerpColors(low, top, Math.min(1, Math.max(0, places.getZ(i) * 1.6)));
      colors.setXYZ(i, color.r, color.g, color.b);
    }
    colors.needsUpdate = true;
    this.plane.material.uniforms.ground!.value.set(theme.ground);
    this.plane.material.uniforms.line!.value.set(theme.gridLine);
    this.plane.material.uniforms.horizon!.value.set(theme.skyLow);
    for (const part of this.parts) part.paint(theme);
  }

  /// Sky and ground stay round the camera.
  follow(eye: Vector3, height: number): void {
    this.sky.position.copy(eye);
    this.sky.scale.setScalar(100);
    this.plane.position.set(Math.round(eye.x / 100) * 100, Math.round(eye.y / 100) * 100, height);
    (this.plane.material.uniforms.eye!.value as Vector3).copy(eye);
    this.plane.material.uniforms.reach!.value = Math.max(1500, 12 * eye.z);
  }

  showPlane(shown: boolean): void { this.plane.visible = shown; }

  clear(): void {
    for (const { mesh } of this.parts) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
      if (mesh instanceof InstancedMesh) mesh.dispose();
    }
    this.parts = [];
    this.roads = [];
    this.plane.visible = true;
  }

  private add(mesh: Mesh | InstancedMesh, paint: (theme: Theme) => void): void {
    this.parts.push({ mesh, paint });
    paint(this.theme);
    this.group.add(mesh);
  }

  /// Roads and their edges. `level`: all of it lies at height 0.
  addRibbons(ribbons: readonly Ribbon[], level: boolean): void {
    const surface = new Triangles(), marks = new Triangles();
    for (const ribbon of ribbons) {
      const wide = ribbon.kind !== 'line';
      if (wide) addStrip(surface, ribbon, -1, 1, level ? 0 : 0.04);
      if (ribbon.kind === 'line') addStrip(marks, ribbon, -1, 1, level ? 0 : 0.07);
      if (ribbon.kind === 'road' || ribbon.kind === 'lane') {
        addEdge(marks, ribbon, 1, level ? 0 : 0.07);
        addEdge(marks, ribbon, -1, level ? 0 : 0.07);
      }
    }
    if (!surface.empty) this.addFlat(surface, level, 1, (material, theme) => material.color.set(theme.road));
    if (!marks.empty) this.addFlat(marks, level, 2, (material, theme) => material.color.set(theme.mark));
  }

  private addFlat(triangles: Triangles, level: boolean, order: number, paint: (material: MeshBasicMaterial, theme: Theme) => void): void {
    const material = new MeshBasicMaterial({ side: DoubleSide, depthWrite: !level, polygonOffset: true, polygonOffsetFactor: -order, polygonOffsetUnits: -order });
    const mesh = new Mesh(triangles.geometry(), material);
    mesh.renderOrder = order - 4;
    this.add(mesh, (theme) => paint(material, theme));
  }

  /// Rows of the stage: nine numbers a triangle and its shape. [at: index of the first number]
  addTriangles(F: Float32Array, I: Int32Array, at: number, count: number, size: number, shape: number, slippery: number, level: boolean): void {
    const road = new Triangles(), slick = new Triangles();
    const lift = level ? 0 : 0.03;
    for (let i = 0; i < count; i++) {
      const k = at + i * size, out = I[k + shape] === slippery ? slick : road;
      out.triangle(F[k]!, F[k + 1]!, F[k + 2]! + lift, F[k + 3]!, F[k + 4]!, F[k + 5]! + lift, F[k + 6]!, F[k + 7]!, F[k + 8]! + lift);
    }
    this.roads = road.corners;
    if (!road.empty) this.addFlat(road, level, 1, (material, theme) => material.color.set(theme.road));
    if (!slick.empty) this.addFlat(slick, level, 2, (material, theme) => material.color.set(theme.slick));
  }

  /// Rows of the stage: six numbers a line and its shape. They become strips, `LINE_WIDTH` wide.
  addLines(F: Float32Array, I: Int32Array, at: number, count: number, size: number, shape: number, colors: Partial<Record<number, number>>, level: boolean): void {
    const strips = new Map<number, Triangles>();
    for (let i = 0; i < count; i++) {
      const k = at + i * size, color = colors[I[k + shape]!] ?? -1;
      let out = strips.get(color);
      if (!out) strips.set(color, out = new Triangles());
      const dx = F[k + 3]! - F[k]!, dy = F[k + 4]! - F[k + 1]!, long = Math.hypot(dx, dy) || 1, lift = level ? 0 : 0.06;
      const lx = -dy / long * 0.5 * LINE_WIDTH, ly = dx / long * 0.5 * LINE_WIDTH;
      out.quad([F[k]! - lx, F[k + 1]! - ly, F[k + 2]! + lift], [F[k + 3]! - lx, F[k + 4]! - ly, F[k + 5]! + lift],
        [F[k + 3]! + lx, F[k + 4]! + ly, F[k + 5]! + lift], [F[k]! + lx, F[k + 1]! + ly, F[k + 2]! + lift]);
    }
    for (const [color, strip] of strips) this.addFlat(strip, level, 2, (material, theme) => material.color.set(color < 0 ? theme.mark : color));
  }

  /// Blocked cells of a map as low blocks: the rectangles that are bodies in scenes with Jolt.
  addCells(grid: { x: number; y: number; spacing: number; columns: number; rows: number }, cells: Uint8Array): void {
    const { x, y, spacing, columns, rows } = grid;
    this.addSolids(rectanglesOf(cells, columns, rows).map((each): Solid => ({
      x: x + spacing * (each.x + 0.5 * each.columns), y: y + spacing * (each.y + 0.5 * each.rows), z: 0, heading: 0,
      length: spacing * each.columns, width: spacing * each.rows, height: Math.min(2.2, 1.2 + spacing), round: false, kind: 'house' })), false);
  }

  /// A tinted area of level ground: x, y of the corners of triangles.
  addArea(corners: Float32Array, color: number, opacity: number): void {
    const area = new Triangles();
    for (let i = 0; i + 5 < corners.length; i += 6) area.triangle(corners[i]!, corners[i + 1]!, 0, corners[i + 2]!, corners[i + 3]!, 0, corners[i + 4]!, corners[i + 5]!, 0);
    if (area.empty) return;
    const mesh = new Mesh(area.geometry(), new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity, depthWrite: false, color }));
    mesh.renderOrder = -2;
    this.add(mesh, () => undefined);
  }

  addPatches(patches: readonly Patch[]): void {
    for (const patch of patches) {
      const geometry = patch.radius > 0 ? new CylinderGeometry(patch.radius, patch.radius, 0.01, 40) : new BoxGeometry(2 * patch.halfLength, 0.01, 2 * patch.halfWidth);
      geometry.rotateX(Math.PI / 2);
      const material = new MeshBasicMaterial({ transparent: true, opacity: 0.5, depthWrite: false });
      const mesh = new Mesh(geometry, material);
      mesh.position.set(patch.x, patch.y, 0.01);
      mesh.rotation.z = patch.heading;
      mesh.renderOrder = 0;
      this.add(mesh, () => material.color.set(patch.grip < 0.45 ? 0xbfe6f5 : patch.grip < 0.9 ? 0xc9a36a : 0x777f88));
    }
  }

  addHills(hills: Hills): void {
    const { nx, ny, spacing, heights } = hills, near = nearRoads(hills, this.roads);
    const positions = new Float32Array(nx * ny * 3), colors = new Float32Array(nx * ny * 3), index: number[] = [];
    for (let j = 0; j < ny; j++)
      for (let i = 0; i < nx; i++)
        positions.set([hills.x + i * spacing, hills.y + j * spacing, heights[j * nx + i]! - SUNK * near[j * nx + i]!], 3 * (j * nx + i));
    for (let j = 0; j + 1 < ny; j++)
      for (let i = 0; i + 1 < nx; i++) {
        const a = j * nx + i;
        index.push(a, a + 1, a + nx + 1, a, a + nx + 1, a + nx);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(positions, 3));
    geometry.setAttribute('color', new BufferAttribute(colors, 3));
    geometry.setIndex(index);
    geometry.computeVertexNormals();
    const material = new MeshLambertMaterial({ vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.plane.visible = false;
    this.add(new Mesh(geometry, material), (theme) => {
      const low = new Color(theme.ground), line = new Color(theme.gridLine), color = new Color();
      let least = Infinity, most = -Infinity;
      for (const h of heights) { least = Math.min(least, h); most = Math.max(most, h); }
      for (let k = 0; k < nx * ny; k++) {
        color.lerpColors(line, low, 0.2 + (heights[k]! - least) / Math.max(1, most - least));
        colors.set([color.r, color.g, color.b], 3 * k);
      }
      geometry.getAttribute('color').needsUpdate = true;
    });
  }

  addSolids(solids: readonly Solid[], tinted = true): void {
    for (const round of [false, true]) {
      const some = solids.filter((solid) => solid.round === round);
      if (some.length === 0) continue;
      const geometry = round ? new CylinderGeometry(0.5, 0.5, 1, 10) : new BoxGeometry(1, 1, 1);
      if (round) geometry.rotateX(Math.PI / 2);
      const mesh = new InstancedMesh(geometry, new MeshLambertMaterial(), some.length);
      mesh.frustumCulled = false;
      const matrix = new Matrix4(), turn = new Quaternion(), up = new Vector3(0, 0, 1), place = new Vector3(), size = new Vector3();
      some.forEach((solid, i) => {
        turn.setFromAxisAngle(up, solid.heading);
        mesh.setMatrixAt(i, matrix.compose(place.set(solid.x, solid.y, solid.z + 0.5 * solid.height), turn, size.set(solid.length, solid.width, solid.height)));
      });
      const color = new Color();
      this.add(mesh, (theme) => {
        some.forEach((solid, i) => {
          color.set(solid.kind === 'house' ? theme.block : solid.kind === 'cone' ? 0xf08a2b : solid.kind === 'car' ? 0x8f98a6 : solid.kind === 'tree' ? 0x4f8a4b : theme.solid);
          const tint = tinted ? 0.9 + 0.2 * (((i * 2654435761) >>> 0) / 4294967296) : 1;
          mesh.setColorAt(i, color.multiplyScalar(tint));
        });
        mesh.instanceColor!.needsUpdate = true;
      });
    }
  }
}

// Roads lie on the ground that is bilinear between its points; two triangles a cell stand out of it by
// decimetres. So points near roads are sunk.
function nearRoads(hills: Hills, corners: readonly number[]): Uint8Array {
  const near = new Uint8Array(hills.nx * hills.ny);
  const cell = (value: number, from: number, most: number): number => Math.max(0, Math.min(most - 1, Math.floor((value - from) / hills.spacing)));
  for (let k = 0; k < corners.length; k += 9) {
    const x = [corners[k]!, corners[k + 3]!, corners[k + 6]!], y = [corners[k + 1]!, corners[k + 4]!, corners[k + 7]!];
    const i0 = cell(Math.min(...x), hills.x, hills.nx), i1 = cell(Math.max(...x), hills.x, hills.nx) + 1, j0 = cell(Math.min(...y), hills.y, hills.ny), j1 = cell(Math.max(...y), hills.y, hills.ny) + 1;
    for (let j = j0; j <= j1 && j < hills.ny; j++) for (let i = i0; i <= i1 && i < hills.nx; i++) near[j * hills.nx + i] = 1;
  }
  return near;
}

// --------------------------------------------------------------------------- strips

class Triangles {
  private readonly positions: number[] = [];
  get empty(): boolean { return this.positions.length === 0; }
  get corners(): readonly number[] { return this.positions; }
  triangle(...corners: number[]): void { this.positions.push(...corners); }
  quad(a: readonly number[], b: readonly number[], c: readonly number[], d: readonly number[]): void {
    this.positions.push(...a, ...b, ...c, ...a, ...c, ...d);
  }
  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    return geometry;
  }
}

// The unit vector to the left at a point, by its neighbours.
function leftAt(ribbon: Ribbon, i: number): readonly [number, number] {
  const p = ribbon.points, count = p.length / POINT;
  const before = ribbon.closed ? (i + count - 1) % count : Math.max(0, i - 1);
  const after = ribbon.closed ? (i + 1) % count : Math.min(count - 1, i + 1);
  const dx = p[POINT * after]! - p[POINT * before]!, dy = p[POINT * after + 1]! - p[POINT * before + 1]!;
  const size = Math.hypot(dx, dy) || 1;
  return [-dy / size, dx / size];
}

function corner(ribbon: Ribbon, i: number, side: number, inset: number, lift: number): readonly number[] {
  const p = ribbon.points, [lx, ly] = leftAt(ribbon, i);
  const across = (side > 0 ? p[POINT * i + 3]! : -p[POINT * i + 4]!) - side * inset;
  return [p[POINT * i]! + lx * across, p[POINT * i + 1]! + ly * across, p[POINT * i + 2]! + lift];
}

function addStrip(out: Triangles, ribbon: Ribbon, right: number, left: number, lift: number): void {
  const count = ribbon.points.length / POINT, segments = ribbon.closed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const j = (i + 1) % count;
    out.quad(corner(ribbon, i, right, 0, lift), corner(ribbon, j, right, 0, lift), corner(ribbon, j, left, 0, lift), corner(ribbon, i, left, 0, lift));
  }
}

function addEdge(out: Triangles, ribbon: Ribbon, side: number, lift: number): void {
  const count = ribbon.points.length / POINT, segments = ribbon.closed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const j = (i + 1) % count;
    out.quad(corner(ribbon, i, side, 0.1, lift), corner(ribbon, j, side, 0.1, lift), corner(ribbon, j, side, 0.25, lift), corner(ribbon, i, side, 0.25, lift));
  }
}
