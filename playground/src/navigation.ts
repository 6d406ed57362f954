// A navigation mesh of a level place with obstacles, by Recast: polygons, and ways along them as
// waypoints with the room to either side. The module of Recast is loaded when it is asked for first.
//
// Recast has y up. As with Jolt, x, y, z of Kerb are z, x, y there.
import type { NavMesh, NavMeshQuery } from 'recast-navigation';

type Recast = typeof import('recast-navigation') & typeof import('recast-navigation/generators');
let recast: Promise<Recast> | undefined;
export function loadRecast(): Promise<Recast> {
  return recast ??= (async () => {
    const [core, generators] = await Promise.all([import('recast-navigation'), import('recast-navigation/generators')]);
    await core.init();
    return { ...core, ...generators };
  })();
}

/// What stands in the way. [m, rad]
export interface Obstacle { x: number; y: number; heading: number; length: number; width: number }
/// A waypoint with the widths of its corridor. [m]
export interface WayPoint { x: number; y: number; left: number; right: number }

const CELL = 0.25, HEIGHT = 0.4;  // of Recast's cells [m]
const CLEAR = 200;                // cells above the ground that must be free: more than any obstacle's roof
const WALL = 2, ROOF = 1.5;       // obstacles get steep roofs, on which nobody walks: of their longer side [m, 1]
const NEAR = { x: 6, y: 3, z: 6 }; // where a start or goal is looked for beside the mesh [m]
const SPACING = 1;                // of waypoints [m]
const CLEARANCE = 0.4;            // that the corridor keeps from obstacles, for errors [m]
const CUT_MAX = 2.5;              // that a corner is moved out [m]
const ROOM_MAX = 6;               // beside a way [m]

export class Navigation {
  private mesh: NavMesh | undefined;
  private query: NavMeshQuery | undefined;
  radius = 1;
  polygons = 0;
  milliseconds = 0;              ///< that the last build took
  edges = new Float32Array(0);   ///< of polygons: x, y of both ends [m]
  triangles = new Float32Array(0); ///< corners: x, y [m]

  constructor(private readonly recast: Recast, private readonly width: number, private readonly depth: number, private readonly length: number) {}

  /// Builds it anew for whoever keeps `radius` from everything. False: nothing is left to stand on.
  build(obstacles: readonly Obstacle[], radius: number): boolean {
    const begun = performance.now(), positions: number[] = [], indices: number[] = [];
    const add = (points: readonly (readonly [number, number, number])[], faces: readonly number[]): void => {
      const from = positions.length / 3;
      for (const [x, y, z] of points) positions.push(y, z, x);
      for (const index of faces) indices.push(from + index);
    };
    add([[0, 0, 0], [this.width, 0, 0], [this.width, this.depth, 0], [0, this.depth, 0]], [0, 1, 2, 0, 2, 3]);
    for (const { x, y, heading, length, width } of obstacles) {
      const c = 0.5 * Math.cos(heading), s = 0.5 * Math.sin(heading), roof = WALL + ROOF * Math.max(length, width);
      const corners = ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).map(([u, v]) => [x + c * u * length - s * v * width, y + s * u * length + c * v * width] as const);
      add([...corners.map(([a, b]) => [a, b, -1] as const), ...corners.map(([a, b]) => [a, b, WALL] as const), [x, y, roof]],
        [0, 1, 2, 3].flatMap((k) => { const n = (k + 1) % 4; return [k, n, 4 + n, k, 4 + n, 4 + k, 4 + k, 4 + n, 8]; }));
    }
    const made = this.recast.generateSoloNavMesh(positions, indices, {
      cs: CELL, ch: HEIGHT, walkableHeight: CLEAR, walkableRadius: Math.ceil(radius / CELL), walkableClimb: 1, walkableSlopeAngle: 40,
      maxSimplificationError: 0.8, maxEdgeLen: 40, minRegionArea: 40,
    });
    this.free();
    this.radius = radius;
    if (made.success) {
      this.mesh = made.navMesh;
      this.query = new this.recast.NavMeshQuery(made.navMesh);
      this.readShape(made.navMesh);
    }
    this.milliseconds = performance.now() - begun;
    return made.success;
  }

  private readShape(mesh: NavMesh): void {
    const [positions, indices] = this.recast.getNavMeshPositionsAndIndices(mesh), edges = new Map<string, number[]>();
    this.triangles = new Float32Array(indices.flatMap((index) => [positions[3 * index + 2]!, positions[3 * index]!]));
    this.polygons = indices.length / 3;
    const key = (v: number): string => `${positions[3 * v + 2]!.toFixed(2)} ${positions[3 * v]!.toFixed(2)}`;
    for (let i = 0; i < indices.length; i++) {
      const a = indices[i]!, b = indices[i % 3 === 2 ? i - 2 : i + 1]!, ends = [key(a), key(b)].sort().join(' ');
      edges.set(ends, [positions[3 * a + 2]!, positions[3 * a]!, positions[3 * b + 2]!, positions[3 * b]!]);
    }
    this.edges = new Float32Array([...edges.values()].flat());
  }

  /// The way from one place to another, undefined where there is none,
  /// for a vehicle that stands there with a heading and turns on this radius: where the way begins behind
  /// it and there is room, it begins with an arc.
  route(x0: number, y0: number, heading: number, radius: number, x1: number, y1: number): WayPoint[] | undefined {
    const corners = this.corners(x0, y0, x1, y1);
    if (!corners) return undefined;
    const from = isAhead(corners, heading) ? undefined : this.turn(x0, y0, heading, radius, { x: x1, y: y1 });
    return this.widen(this.outwards(from ?? corners, radius, from ? from.length - corners.length : 0));
  }

  // A mesh lets a way touch the inside of a corner; who turns on a radius passes it further inside. So a
  // corner is moved out of its bend by what the arc cuts off, where there is room.
  private outwards(corners: readonly Place[], radius: number, kept: number): Place[] {
    const moved = corners.map((corner) => ({ ...corner }));
    for (let i = Math.max(1, kept); i + 1 < corners.length; i++) {
      const corner = corners[i]!, a = along(corners, i, -1, radius), b = along(corners, i, 1, radius);
      const ax = corner.x - a.x, ay = corner.y - a.y, bx = b.x - corner.x, by = b.y - corner.y, cross = ax * by - ay * bx, half = 0.5 * Math.abs(Math.atan2(cross, ax * bx + ay * by));
      const cut = Math.min(radius * (1 / Math.cos(Math.min(half, 1.1)) - 1), CUT_MAX);
      if (cut < 0.1) continue;
      // Out of the bend, along the middle of it.
      const ua = Math.hypot(ax, ay) || 1, ub = Math.hypot(bx, by) || 1, nx = ax / ua - bx / ub, ny = ay / ua - by / ub, n = Math.hypot(nx, ny) || 1;
      const out = Math.min(cut, 0.7 * (this.room(corner.x, corner.y, nx / n, ny / n) - this.radius)), to = { x: corner.x + out * nx / n, y: corner.y + out * ny / n };
      if (this.sees(moved[i - 1]!, to) && this.sees(to, corners[i + 1]!)) moved[i] = to;
    }
    return moved;
  }

  // Whether the straight way between two places of the mesh is free.
  private sees(from: Place, to: Place): boolean {
    const long = Math.hypot(to.x - from.x, to.y - from.y);
    if (long > ROOM_MAX) {
      const middle = { x: 0.5 * (from.x + to.x), y: 0.5 * (from.y + to.y) };
      return this.sees(from, middle) && this.sees(middle, to);
    }
    return long < 0.01 || this.room(from.x, from.y, (to.x - from.x) / long, (to.y - from.y) / long) - this.radius > 0.98 * long;
  }

  /// Where it bends, with start and end.
  corners(x0: number, y0: number, x1: number, y1: number): { x: number; y: number }[] | undefined {
    const from = this.nearest(x0, y0), to = this.nearest(x1, y1);
    if (!this.query || !from || !to) return undefined;
    const { success, path } = this.query.computePath({ x: y0, y: 0, z: x0 }, { x: to.y, y: 0, z: to.x }, { halfExtents: NEAR });
    const last = path[path.length - 1];
    // A way that ends elsewhere leads only as near as one gets.
    if (!success || !last || Math.hypot(last.z - to.x, last.x - to.y) > 0.5) return undefined;
    const corners = path.map((point) => ({ x: point.z, y: point.x }));
    if (Math.hypot(corners[0]!.x - x0, corners[0]!.y - y0) > 0.3) corners.unshift({ x: x0, y: y0 });
    return corners;
  }

  /// The nearest place of the mesh.
  nearest(x: number, y: number): { x: number; y: number } | undefined {
    const found = this.query?.findNearestPoly({ x: y, y: 0, z: x }, { halfExtents: NEAR });
    return found?.success && found.nearestRef !== 0 ? { x: found.nearestPoint.z, y: found.nearestPoint.x } : undefined;
  }

  /// How far it is from a place of the mesh to the nearest obstacle, in eight directions. [m]
  clearance(x: number, y: number): number {
    let least = Infinity;
    for (let k = 0; k < 8; k++) least = Math.min(least, this.room(x, y, Math.cos(k * Math.PI / 4), Math.sin(k * Math.PI / 4)));
    return least;
  }

  /// An arc from a pose to where the way to a place is ahead, and that way; undefined: there is no room
  /// for it to either side.
  turn(x: number, y: number, heading: number, radius: number, to: { x: number; y: number }): { x: number; y: number }[] | undefined {
    const first = this.corners(x, y, to.x, to.y);
    if (!first) return undefined;
    const next = aim(first), left = Math.sin(Math.atan2(next.y - y, next.x - x) - heading) >= 0 ? 1 : -1;
    for (const side of [left, -left]) {
      const points = [{ x, y }], cx = x - side * radius * Math.sin(heading), cy = y + side * radius * Math.cos(heading);
      for (let angle = SPACING / radius; angle < 2 * Math.PI; angle += SPACING / radius) {
        const last = points[points.length - 1]!, a = heading + side * angle, at = { x: cx + side * radius * Math.sin(a), y: cy - side * radius * Math.cos(a) };
        const long = Math.hypot(at.x - last.x, at.y - last.y), free = this.room(last.x, last.y, (at.x - last.x) / long, (at.y - last.y) / long) - this.radius;
        if (free < long) break;
        points.push(at);
        if (angle < 0.5) continue;
        const rest = this.corners(at.x, at.y, to.x, to.y);
        if (rest && isAhead(rest, a, 0.95)) return [...points, ...rest.slice(1)];
      }
    }
    return undefined;
  }

  // Points at even distances, with what is free beside them.
  private widen(corners: readonly { x: number; y: number }[]): WayPoint[] {
    const points: WayPoint[] = [];
    for (let i = 0; i + 1 < corners.length; i++) {
      const a = corners[i]!, b = corners[i + 1]!, dx = b.x - a.x, dy = b.y - a.y, long = Math.hypot(dx, dy);
      if (long < 0.05) continue;
      const count = Math.max(1, Math.round(long / SPACING)), lx = -dy / long, ly = dx / long;
      for (let k = 0; k <= count; k++) {
        if (k === count && i + 2 < corners.length) continue; // the next begins there
        const x = a.x + dx * k / count, y = a.y + dy * k / count;
        points.push({ x, y, left: this.room(x, y, lx, ly), right: this.room(x, y, -lx, -ly) });
      }
    }
    // A vehicle has the room of all its length, so room counts where it is least within that.
    const reach = Math.ceil(0.6 * this.length / SPACING), least = (at: number, side: 'left' | 'right'): number => {
      let room = Infinity;
      for (let k = Math.max(0, at - reach); k <= Math.min(points.length - 1, at + reach); k++) room = Math.min(room, points[k]![side]);
      return room;
    };
    const keep = (room: number): number => Math.max(room - CLEARANCE, 0.8 * this.radius);
    return points.map((point, i) => ({ x: point.x, y: point.y, left: keep(least(i, 'left')), right: keep(least(i, 'right')) }));
  }

  // How far it is to an obstacle, from a place of the mesh or of its rim. [m]
  private room(x: number, y: number, dx: number, dy: number): number {
    const start = this.query!.findNearestPoly({ x: y, y: 0, z: x }, { halfExtents: NEAR });
    if (!start.success || start.nearestRef === 0) return this.radius;
    const at = start.nearestPoint, hit = this.query!.raycast(start.nearestRef, at, { x: at.x + ROOM_MAX * dy, y: at.y, z: at.z + ROOM_MAX * dx });
    return this.radius + ROOM_MAX * Math.min(1, Math.max(0, hit.t));
  }

  free(): void {
    this.query?.destroy();
    this.mesh?.destroy();
    this.query = this.mesh = undefined;
  }
}

interface Place { x: number; y: number }

// The place so far along a polyline from a corner, backwards or forwards.
function along(corners: readonly Place[], from: number, way: 1 | -1, distance: number): Place {
  let i = from, left = distance;
  for (;;) {
    const a = corners[i]!, b = corners[i + way];
    if (!b) return a;
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    if (long >= left) return { x: a.x + (b.x - a.x) * left / long, y: a.y + (b.y - a.y) * left / long };
    left -= long;
    i += way;
  }
}
const aim = (corners: readonly { x: number; y: number }[]): { x: number; y: number } => corners.find((each) => Math.hypot(each.x - corners[0]!.x, each.y - corners[0]!.y) > 3) ?? corners[corners.length - 1]!;

/// Whether a way begins in the direction of a heading: within 45 degrees.
export function isAhead(corners: readonly { x: number; y: number }[], heading: number, cosine = 0.7): boolean {
  const from = corners[0]!, to = aim(corners);
  return Math.cos(Math.atan2(to.y - from.y, to.x - from.x) - heading) > cosine;
}
