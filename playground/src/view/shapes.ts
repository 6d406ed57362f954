// Low-poly bodies of vehicles. Each is made for a length, width and height of 1: x forward, y left,
// z up from the ground, the origin in the middle of the footprint. Instances are scaled to size.
// White parts take the colour of the instance; others keep theirs nearly, being dark.
import { BufferAttribute, BufferGeometry } from 'three';

type Rgb = readonly [number, number, number];
type Corner = readonly [number, number, number];

/// A cross-section of a body at `x`: half widths below and above, and the heights of both.
interface Section { x: number; y0: number; y1: number; z0: number; z1: number }

const PAINT: Rgb = [1, 1, 1];
const SHADE: Rgb = [0.78, 0.78, 0.78];
const GLASS: Rgb = [0.1, 0.13, 0.18];
const RUBBER: Rgb = [0.07, 0.07, 0.08];
const METAL: Rgb = [0.3, 0.31, 0.34];
const LAMP: Rgb = [3, 2.9, 2.3];

export class ShapeBuilder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly colors: number[] = [];

  private triangle(a: Corner, b: Corner, c: Corner, color: Rgb): void {
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]] as const;
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
    const size = Math.hypot(...n);
    if (size < 1e-12) return;
    for (const corner of [a, b, c]) {
      this.positions.push(...corner);
      this.normals.push(n[0] / size, n[1] / size, n[2] / size);
      this.colors.push(...color);
    }
  }

  private quad(a: Corner, b: Corner, c: Corner, d: Corner, color: Rgb): void {
    this.triangle(a, b, c, color);
    this.triangle(a, c, d, color);
  }

  /// A body through cross-sections, from the rear to the front.
  loft(sections: readonly Section[], color: Rgb, top: Rgb = color): this {
    const ring = (s: Section): Corner[] => [[s.x, -s.y0, s.z0], [s.x, s.y0, s.z0], [s.x, s.y1, s.z1], [s.x, -s.y1, s.z1]];
    for (let i = 0; i + 1 < sections.length; i++) {
      const a = ring(sections[i]!), b = ring(sections[i + 1]!);
      for (let k = 0; k < 4; k++) {
        const next = (k + 1) % 4;
        this.quad(a[k]!, a[next]!, b[next]!, b[k]!, k === 2 ? top : color);
      }
    }
    const first = ring(sections[0]!), last = ring(sections[sections.length - 1]!);
    this.quad(first[0]!, first[3]!, first[2]!, first[1]!, color);
    this.quad(last[0]!, last[1]!, last[2]!, last[3]!, color);
    return this;
  }

  box(x0: number, x1: number, y: number, z0: number, z1: number, color: Rgb, aside = 0): this {
    for (const side of aside === 0 ? [0] : [-1, 1]) {
      const from = this.positions.length / 3;
      this.loft([{ x: x0, y0: y, y1: y, z0, z1 }, { x: x1, y0: y, y1: y, z0, z1 }], color);
      for (let i = from; i < this.positions.length / 3; i++)
        this.positions[3 * i + 1]! += side * aside;
    }
    return this;
  }

  /// A round bar along y, as a wheel lies.
  roll(x: number, z: number, radius: number, y0: number, y1: number, sides: number, color: Rgb, hub: Rgb = color): this {
    for (let k = 0; k < sides; k++) {
      const a = 2 * Math.PI * k / sides, b = 2 * Math.PI * (k + 1) / sides;
      const at = (angle: number, y: number): Corner => [x + radius * Math.cos(angle), y, z + radius * Math.sin(angle)];
      this.quad(at(a, y0), at(b, y0), at(b, y1), at(a, y1), color);
      this.triangle([x, y0, z], at(b, y0), at(a, y0), k % 2 ? hub : color);
      this.triangle([x, y1, z], at(a, y1), at(b, y1), k % 2 ? hub : color);
    }
    return this;
  }

  flat(corners: readonly Corner[], color: Rgb): this {
    for (let i = 1; i + 1 < corners.length; i++) {
      this.triangle(corners[0]!, corners[i]!, corners[i + 1]!, color);
      this.triangle(corners[0]!, corners[i + 1]!, corners[i]!, color);
    }
    return this;
  }

  done(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(this.colors), 3));
    return geometry;
  }
}

const s = (x: number, y0: number, y1: number, z0: number, z1: number): Section => ({ x, y0, y1, z0, z1 });

function lamps(shape: ShapeBuilder, z: number, x = 0.485): ShapeBuilder {
  return shape.box(x, x + 0.02, 0.08, z, z + 0.09, LAMP, 0.33);
}

function car(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.5, 0.42, 0.44, 0.22, 0.56), s(-0.46, 0.47, 0.45, 0.16, 0.62), s(-0.3, 0.5, 0.46, 0.14, 0.62),
      s(0.18, 0.5, 0.46, 0.14, 0.6), s(0.44, 0.47, 0.41, 0.15, 0.5), s(0.5, 0.4, 0.37, 0.2, 0.42)], PAINT)
    .loft([s(-0.38, 0.45, 0.34, 0.6, 0.62), s(-0.26, 0.45, 0.35, 0.6, 0.98), s(0.04, 0.45, 0.35, 0.6, 0.98),
      s(0.22, 0.45, 0.36, 0.58, 0.6)], GLASS, PAINT);
  return lamps(shape, 0.32).done();
}

function sport(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.5, 0.44, 0.46, 0.2, 0.62), s(-0.42, 0.5, 0.47, 0.1, 0.66), s(0.1, 0.5, 0.45, 0.08, 0.58), s(0.42, 0.48, 0.4, 0.1, 0.42), s(0.5, 0.4, 0.34, 0.14, 0.3)], PAINT)
    .loft([s(-0.4, 0.42, 0.3, 0.62, 0.66), s(-0.18, 0.43, 0.32, 0.6, 0.98), s(0.0, 0.43, 0.32, 0.58, 0.98), s(0.2, 0.42, 0.36, 0.5, 0.54)], GLASS, PAINT)
    .box(-0.5, -0.44, 0.44, 0.84, 0.9, SHADE).box(-0.48, -0.45, 0.02, 0.6, 0.86, RUBBER, 0.34);
  return lamps(shape, 0.24).done();
}

function scout(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.5, 0.38, 0.42, 0.3, 0.66), s(-0.42, 0.46, 0.4, 0.24, 0.86), s(0.12, 0.46, 0.38, 0.24, 0.86), s(0.3, 0.46, 0.42, 0.24, 0.62), s(0.5, 0.38, 0.34, 0.3, 0.5)], PAINT)
    .loft([s(0.1, 0.36, 0.34, 0.66, 0.82), s(0.2, 0.36, 0.34, 0.66, 0.8), s(0.26, 0.36, 0.34, 0.64, 0.68)], GLASS)
    .roll(-0.12, 0.9, 0.09, -0.2, 0.2, 8, SHADE).box(-0.06, 0.2, 0.025, 0.88, 0.94, METAL);
  return lamps(shape, 0.42).done();
}

function carrier(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.5, 0.44, 0.42, 0.28, 0.74), s(-0.46, 0.46, 0.4, 0.24, 0.8), s(0.3, 0.46, 0.4, 0.24, 0.8), s(0.5, 0.4, 0.38, 0.4, 0.52)], PAINT)
    .loft([s(-0.16, 0.3, 0.2, 0.78, 0.94), s(0.06, 0.28, 0.2, 0.78, 1), s(0.14, 0.2, 0.14, 0.8, 0.88)], SHADE).box(0.1, 0.34, 0.025, 0.86, 0.92, METAL)
    .loft([s(0.3, 0.34, 0.32, 0.7, 0.8), s(0.36, 0.33, 0.31, 0.62, 0.7)], GLASS);
  return lamps(shape, 0.44, 0.47).done();
}

function pickup(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.5, 0.5, 0.5, 0.24, 0.52), s(0.2, 0.5, 0.5, 0.22, 0.54), s(0.46, 0.48, 0.44, 0.22, 0.52), s(0.5, 0.44, 0.42, 0.26, 0.46)], PAINT)
    .box(-0.5, -0.08, 0.03, 0.5, 0.64, PAINT, 0.47).box(-0.5, -0.485, 0.47, 0.5, 0.64, PAINT)
    .loft([s(-0.1, 0.46, 0.42, 0.52, 0.92), s(0.0, 0.47, 0.4, 0.52, 1), s(0.14, 0.47, 0.4, 0.52, 1), s(0.26, 0.47, 0.44, 0.52, 0.54)], GLASS, PAINT);
  return lamps(shape, 0.34).done();
}

function buggy(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.46, 0.28, 0.3, 0.3, 0.62), s(-0.1, 0.34, 0.34, 0.26, 0.56), s(0.2, 0.32, 0.28, 0.26, 0.52), s(0.5, 0.22, 0.18, 0.3, 0.42)], PAINT)
    .loft([s(-0.3, 0.3, 0.24, 0.6, 0.62), s(-0.2, 0.3, 0.24, 0.6, 0.96), s(0.02, 0.3, 0.24, 0.56, 0.96), s(0.14, 0.3, 0.26, 0.54, 0.58)], GLASS, PAINT)
    .box(-0.5, -0.4, 0.2, 0.4, 0.7, METAL)
    .box(0.28, 0.32, 0.42, 0.3, 0.36, METAL).box(-0.34, -0.3, 0.42, 0.3, 0.36, METAL);
  return lamps(shape, 0.44, 0.42).done();
}

function truck(): BufferGeometry {
  const shape = new ShapeBuilder()
    .box(-0.5, 0.46, 0.42, 0.18, 0.3, METAL)
    .box(-0.5, 0.24, 0.5, 0.3, 0.94, SHADE)
    .loft([s(0.27, 0.48, 0.46, 0.2, 0.86), s(0.44, 0.48, 0.44, 0.2, 0.86), s(0.47, 0.48, 0.44, 0.2, 0.56), s(0.5, 0.46, 0.44, 0.22, 0.5)], PAINT)
    .loft([s(0.36, 0.485, 0.45, 0.56, 0.8), s(0.455, 0.485, 0.44, 0.56, 0.8), s(0.478, 0.45, 0.43, 0.56, 0.58)], GLASS);
  return lamps(shape, 0.28).done();
}

function bus(): BufferGeometry {
  const shape = new ShapeBuilder()
    .loft([s(-0.5, 0.48, 0.46, 0.14, 0.98), s(0.48, 0.49, 0.46, 0.14, 0.98), s(0.5, 0.47, 0.45, 0.18, 0.6)], PAINT)
    .box(-0.46, 0.44, 0.495, 0.52, 0.82, GLASS).box(0.47, 0.492, 0.45, 0.46, 0.86, GLASS);
  return lamps(shape, 0.22).done();
}

function tank(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.5, 0.5, 0.5, 0.14, 0.46), s(-0.44, 0.5, 0.5, 0.02, 0.52), s(0.4, 0.5, 0.5, 0.02, 0.52), s(0.5, 0.5, 0.5, 0.22, 0.46)], RUBBER, METAL)
    .loft([s(-0.5, 0.34, 0.36, 0.2, 0.6), s(0.3, 0.34, 0.38, 0.14, 0.62), s(0.52, 0.34, 0.34, 0.26, 0.4)], PAINT)
    .loft([s(-0.3, 0.3, 0.22, 0.6, 0.88), s(-0.1, 0.34, 0.26, 0.6, 1), s(0.12, 0.32, 0.22, 0.6, 0.96), s(0.22, 0.2, 0.14, 0.62, 0.8)], PAINT, SHADE)
    .box(0.18, 0.66, 0.028, 0.72, 0.79, METAL)
    .done();
}

function hover(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.5, 0.38, 0.42, 0, 0.3), s(-0.4, 0.5, 0.48, 0, 0.34), s(0.3, 0.5, 0.46, 0, 0.34), s(0.5, 0.28, 0.26, 0, 0.28)], RUBBER, SHADE)
    .loft([s(-0.42, 0.36, 0.34, 0.3, 0.48), s(0.2, 0.36, 0.32, 0.3, 0.5), s(0.42, 0.24, 0.18, 0.3, 0.4)], PAINT)
    .loft([s(-0.08, 0.3, 0.22, 0.46, 0.78), s(0.12, 0.3, 0.22, 0.46, 0.76), s(0.24, 0.28, 0.24, 0.44, 0.48)], GLASS, PAINT)
    .roll(-0.36, 0.7, 0.001, -0.3, 0.3, 3, METAL)
    .box(-0.46, -0.3, 0.03, 0.44, 1, PAINT, 0.38).box(-0.42, -0.34, 0.36, 0.9, 0.96, METAL).box(-0.41, -0.35, 0.34, 0.56, 0.88, RUBBER)
    .done();
}

function formula(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.46, 0.12, 0.1, 0.16, 0.56), s(-0.14, 0.36, 0.18, 0.1, 0.62), s(0.06, 0.34, 0.16, 0.1, 0.52), s(0.22, 0.14, 0.1, 0.16, 0.5), s(0.48, 0.07, 0.05, 0.18, 0.36)], PAINT)
    .loft([s(-0.2, 0.12, 0.06, 0.6, 1), s(-0.06, 0.12, 0.08, 0.56, 0.86), s(0.06, 0.1, 0.08, 0.5, 0.54)], GLASS, PAINT)
    .box(0.42, 0.5, 0.46, 0.12, 0.2, SHADE).box(-0.5, -0.4, 0.4, 0.7, 0.8, SHADE).box(-0.49, -0.41, 0.02, 0.2, 0.84, RUBBER, 0.39)
    .box(0.26, 0.29, 0.42, 0.28, 0.33, METAL).box(-0.34, -0.31, 0.42, 0.28, 0.33, METAL)
    .done();
}

function motorcycle(): BufferGeometry {
  return new ShapeBuilder()
    .roll(0.34, 0.2, 0.2, -0.12, 0.12, 12, RUBBER, METAL).roll(-0.32, 0.2, 0.2, -0.14, 0.14, 12, RUBBER, METAL)
    .loft([s(-0.46, 0.12, 0.16, 0.46, 0.54), s(-0.12, 0.22, 0.24, 0.24, 0.54), s(0.14, 0.24, 0.26, 0.2, 0.58), s(0.32, 0.16, 0.12, 0.4, 0.56)], PAINT)
    .box(0.22, 0.27, 0.5, 0.56, 0.6, METAL)
    .loft([s(-0.22, 0.3, 0.34, 0.52, 0.8), s(-0.02, 0.26, 0.3, 0.52, 0.84)], RUBBER).loft([s(-0.1, 0.16, 0.14, 0.84, 1), s(0.04, 0.14, 0.12, 0.84, 1)], PAINT)
    .done();
}

function plane(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.5, 0.01, 0.02, 0.46, 0.56), s(-0.2, 0.05, 0.05, 0.34, 0.62), s(0.2, 0.06, 0.05, 0.32, 0.64), s(0.42, 0.05, 0.04, 0.36, 0.56), s(0.5, 0.02, 0.02, 0.42, 0.5)], PAINT)
    .loft([s(0.02, 0.05, 0.03, 0.6, 0.66), s(0.1, 0.05, 0.03, 0.6, 0.8), s(0.26, 0.045, 0.03, 0.58, 0.62)], GLASS)
    .loft([s(-0.04, 0.5, 0.5, 0.47, 0.5), s(0.1, 0.5, 0.5, 0.47, 0.51), s(0.2, 0.06, 0.06, 0.46, 0.52)], SHADE)
    .loft([s(-0.5, 0.18, 0.18, 0.5, 0.53), s(-0.4, 0.18, 0.18, 0.5, 0.54), s(-0.34, 0.04, 0.04, 0.5, 0.54)], SHADE)
    .loft([s(-0.5, 0.008, 0.006, 0.5, 1), s(-0.42, 0.01, 0.006, 0.5, 1), s(-0.32, 0.01, 0.01, 0.5, 0.58)], PAINT)
    .done();
}

function ship(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.5, 0.34, 0.42, 0, 0.4), s(-0.3, 0.42, 0.5, 0, 0.36), s(0.25, 0.42, 0.5, 0, 0.36), s(0.42, 0.2, 0.3, 0, 0.42), s(0.5, 0.01, 0.02, 0.08, 0.48)], PAINT, SHADE)
    .box(-0.38, -0.24, 0.4, 0.36, 0.86, SHADE).box(-0.25, -0.235, 0.42, 0.66, 0.78, GLASS).box(-0.42, -0.36, 0.1, 0.5, 1, METAL)
    .box(-0.16, 0.1, 0.36, 0.36, 0.5, METAL).box(0.13, 0.26, 0.3, 0.36, 0.46, METAL)
    .done();
}

function person(): BufferGeometry {
  return new ShapeBuilder()
    .box(-0.3, 0.3, 0.13, 0, 0.48, RUBBER, 0.16)
    .loft([s(-0.4, 0.3, 0.42, 0.46, 0.82), s(0.4, 0.3, 0.42, 0.46, 0.82)], PAINT)
    .box(-0.22, 0.22, 0.07, 0.5, 0.8, SHADE, 0.43)
    .box(-0.3, 0.32, 0.18, 0.86, 1, [0.72, 0.5, 0.38])
    .done();
}

function trailer(): BufferGeometry {
  return new ShapeBuilder()
    .box(-0.5, 0.28, 0.5, 0.3, 0.95, PAINT).box(-0.49, 0.27, 0.42, 0.95, 1, SHADE)
    .box(0.28, 0.62, 0.03, 0.26, 0.32, METAL)
    .roll(-0.16, 0.2, 0.2, -0.5, -0.38, 12, RUBBER, METAL).roll(-0.16, 0.2, 0.2, 0.38, 0.5, 12, RUBBER, METAL)
    .done();
}

/// A spacecraft: a hull with one engine at its tail.
function hull(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.34, 0.4, 0.4, 0.1, 0.9), s(0.2, 0.44, 0.44, 0.06, 0.94), s(0.38, 0.26, 0.26, 0.24, 0.76), s(0.5, 0.04, 0.04, 0.46, 0.54)], PAINT, SHADE)
    .loft([s(-0.5, 0.32, 0.32, 0.18, 0.82), s(-0.34, 0.14, 0.14, 0.36, 0.64)], METAL)
    .loft([s(0.22, 0.3, 0.2, 0.7, 0.96), s(0.36, 0.24, 0.16, 0.66, 0.8)], GLASS)
    .box(-0.3, -0.1, 0.02, 0.1, 1, SHADE).box(-0.3, -0.1, 0.5, 0.46, 0.54, SHADE)
    .done();
}

function helicopter(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.16, 0.12, 0.12, 0.3, 0.7), s(0.02, 0.2, 0.2, 0.2, 0.76), s(0.18, 0.2, 0.18, 0.2, 0.7), s(0.32, 0.1, 0.06, 0.28, 0.44)], PAINT)
    .loft([s(0.12, 0.19, 0.16, 0.46, 0.7), s(0.29, 0.12, 0.1, 0.42, 0.5)], GLASS)
    .loft([s(-0.5, 0.02, 0.02, 0.52, 0.6), s(-0.14, 0.06, 0.06, 0.44, 0.66)], PAINT)
    .box(-0.5, -0.44, 0.015, 0.5, 0.9, SHADE).box(-0.49, -0.45, 0.16, 0.56, 0.6, SHADE)
    .box(0.0, 0.06, 0.03, 0.74, 0.95, METAL).box(-0.44, 0.5, 0.02, 0.95, 0.98, METAL).box(0.01, 0.05, 0.5, 0.95, 0.98, METAL)
    .box(-0.1, 0.26, 0.02, 0, 0.06, METAL, 0.24).box(0.0, 0.03, 0.02, 0.04, 0.26, METAL, 0.22).box(0.15, 0.18, 0.02, 0.04, 0.26, METAL, 0.22)
    .done();
}

function drone(): BufferGeometry {
  const shape = new ShapeBuilder().loft([s(-0.2, 0.12, 0.16, 0.2, 0.7), s(0.2, 0.12, 0.16, 0.2, 0.7), s(0.26, 0.08, 0.1, 0.3, 0.6)], PAINT).box(0.24, 0.28, 0.06, 0.3, 0.5, GLASS);
  for (const x of [-0.32, 0.32]) shape.box(x - 0.03, x + 0.03, 0.34, 0.5, 0.6, METAL).box(x - 0.17, x + 0.17, 0.16, 0.82, 0.88, SHADE, 0.33).box(x - 0.03, x + 0.03, 0.03, 0.1, 0.84, METAL, 0.33);
  return shape.done();
}

/// A rocket, which stands on its engine.
function rocket(): BufferGeometry {
  const shape = new ShapeBuilder(), sides = 10;
  const at = (k: number, radius: number, z: number): Corner => [radius * Math.cos(2 * Math.PI * k / sides), radius * Math.sin(2 * Math.PI * k / sides), z];
  for (const [r0, z0, r1, z1, color] of [[0.34, 0, 0.18, 0.08, METAL], [0.5, 0.08, 0.5, 0.7, PAINT], [0.5, 0.7, 0.3, 0.88, SHADE], [0.3, 0.88, 0.01, 1, SHADE]] as const)
    for (let k = 0; k < sides; k++) shape.flat([at(k, r0, z0), at(k + 1, r0, z0), at(k + 1, r1, z1), at(k, r1, z1)], color);
  return shape.box(-0.9, 0.9, 0.03, 0.02, 0.2, SHADE).box(-0.03, 0.03, 0.9, 0.02, 0.2, SHADE).done();
}

function submarine(): BufferGeometry {
  return new ShapeBuilder()
    .loft([s(-0.5, 0.06, 0.06, 0.4, 0.5), s(-0.3, 0.36, 0.36, 0.12, 0.78), s(0.36, 0.4, 0.4, 0.1, 0.82), s(0.47, 0.24, 0.24, 0.22, 0.66), s(0.5, 0.06, 0.06, 0.38, 0.52)], PAINT, SHADE)
    .box(0.1, 0.2, 0.1, 0.8, 1, SHADE).box(-0.46, -0.4, 0.5, 0.44, 0.48, METAL).box(-0.46, -0.4, 0.03, 0.02, 0.92, METAL)
    .done();
}

/// A dart, for those who have no body.
function dart(): BufferGeometry {
  const nose: Corner = [0.5, 0, 0.4], left: Corner = [-0.5, 0.5, 0.2], right: Corner = [-0.5, -0.5, 0.2], top: Corner = [-0.4, 0, 1];
  return new ShapeBuilder().flat([nose, left, top], PAINT).flat([nose, top, right], SHADE).flat([nose, right, left], SHADE).flat([left, top, right], METAL).done();
}

export type ShapeName = 'car' | 'sport' | 'pickup' | 'scout' | 'carrier' | 'buggy' | 'truck' | 'bus' | 'tank' | 'hover' | 'formula' | 'motorcycle' | 'plane' | 'dart' | 'box'
  | 'ship' | 'person' | 'trailer' | 'hull' | 'helicopter' | 'drone' | 'rocket' | 'submarine';

const MAKERS: Record<ShapeName, () => BufferGeometry> = {
  car, sport, pickup, scout, carrier, buggy, truck, bus, tank, hover, formula, motorcycle, plane, dart,
  ship, person, trailer, hull, helicopter, drone, rocket, submarine,
  box: () => new ShapeBuilder().box(-0.5, 0.5, 0.5, 0, 1, PAINT).done(),
};

export interface Shape {
  make: () => BufferGeometry;
  height: (length: number, width: number) => number; ///< where nobody says it [m]
  /// Axles as shares of the wheelbase, 0 being the rear axle; those above `steered` turn. Width of a
  /// wheel as share of the vehicle's. None: the body has its own.
  wheels?: { axles: readonly number[]; steered: number; width: number };
  brakeLights: boolean;
}

const four = (width: number): Shape['wheels'] => ({ axles: [1, 0], steered: 0.5, width });

export const SHAPES: Record<ShapeName, Shape> = {
  car: { make: MAKERS.car, height: (_, w) => 0.76 * w, wheels: four(0.13), brakeLights: true },
  sport: { make: MAKERS.sport, height: (_, w) => 0.6 * w, wheels: four(0.15), brakeLights: true },
  pickup: { make: MAKERS.pickup, height: (_, w) => 0.92 * w, wheels: four(0.14), brakeLights: true },
  scout: { make: MAKERS.scout, height: (_, w) => 0.92 * w, wheels: four(0.15), brakeLights: true },
  buggy: { make: MAKERS.buggy, height: (_, w) => 0.82 * w, wheels: four(0.17), brakeLights: true },
  carrier: { make: MAKERS.carrier, height: (_, w) => 0.85 * w, wheels: { axles: [1.3, 0.72, 0.14, -0.42], steered: 0.6, width: 0.14 }, brakeLights: true },
  truck: { make: MAKERS.truck, height: (_, w) => 1.22 * w, wheels: { axles: [1, 0.13, -0.13], steered: 0.5, width: 0.14 }, brakeLights: true },
  bus: { make: MAKERS.bus, height: (_, w) => 1.15 * w, wheels: four(0.12), brakeLights: true },
  tank: { make: MAKERS.tank, height: (_, w) => 0.72 * w, brakeLights: true },
  hover: { make: MAKERS.hover, height: (_, w) => 0.8 * w, brakeLights: false },
  formula: { make: MAKERS.formula, height: (_, w) => 0.52 * w, wheels: four(0.17), brakeLights: true },
  motorcycle: { make: MAKERS.motorcycle, height: (l) => 0.7 * l, brakeLights: false },
  plane: { make: MAKERS.plane, height: (l) => 0.3 * l, brakeLights: false },
  ship: { make: MAKERS.ship, height: (l) => 0.2 * l, brakeLights: false },
  person: { make: MAKERS.person, height: () => 1.75, brakeLights: false },
  trailer: { make: MAKERS.trailer, height: (_, w) => 0.8 * w, brakeLights: false },
  hull: { make: MAKERS.hull, height: (_, w) => w, brakeLights: false },
  helicopter: { make: MAKERS.helicopter, height: (l) => 0.3 * l, brakeLights: false },
  drone: { make: MAKERS.drone, height: (l) => 0.3 * l, brakeLights: false },
  rocket: { make: MAKERS.rocket, height: (l) => 5 * l, brakeLights: false },
  submarine: { make: MAKERS.submarine, height: (_, w) => w, brakeLights: false },
  dart: { make: MAKERS.dart, height: (_, w) => 0.5 * w, brakeLights: false },
  box: { make: MAKERS.box, height: (_, w) => 0.8 * w, brakeLights: false },
};

export const wheelGeometry = (): BufferGeometry => new ShapeBuilder().roll(0, 0, 1, -0.5, 0.5, 12, RUBBER, METAL).done();
export const lightGeometry = (): BufferGeometry => new ShapeBuilder().box(-0.51, -0.49, 0.09, 0, 0.1, PAINT, 0.34).done();
