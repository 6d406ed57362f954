// The picture: renderer, light, ground, vehicles and lines. Vehicles keep their colours in both themes.
import { AmbientLight, Color, DirectionalLight, HemisphereLight, Scene, Vector3, WebGLRenderer } from 'three';
import { Camera, type Subject } from './camera';
import { Ground } from './ground';
import { Lines } from './lines';
import { DARK, LIGHT, type Theme } from './theme';
import { Vehicles, type VehiclePose } from './vehicles';

const VEHICLES_MAX = 1024;
const LINES_MAX = 12000;
// Slower than this, the picture gets coarser. [ms]
const SLOW_FRAME = 45;

export class View {
  readonly camera = new Camera();
  readonly ground: Ground;
  readonly lines = new Lines(LINES_MAX);
  readonly marks = new Lines(2000); ///< of the page itself: rings, handles, ghosts' lines
  readonly vehicles = new Vehicles(VEHICLES_MAX);
  readonly renderer: WebGLRenderer;
  theme: Theme = LIGHT;
  groundHeight = 0;
  private readonly scene = new Scene();
  private readonly sky = new HemisphereLight();
  private readonly sun = new DirectionalLight();
  private readonly fill = new AmbientLight(0xffffff, 0.25);
  private ratio = 1;
  private frameMean = 16;
  private width = 0;
  private height = 0;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !isSoftware(), powerPreference: 'high-performance', preserveDrawingBuffer: false });
    this.ratio = Math.min(isSoftware() ? 1 : 2, devicePixelRatio);
    this.ground = new Ground(LIGHT);
    this.sun.position.set(-0.5, -0.8, 1.3);
    this.sky.position.set(0, 0, 1);
    this.scene.add(this.sky, this.sun, this.fill, this.ground.group, this.vehicles.group, this.lines.mesh, this.marks.mesh);
    this.paint(LIGHT);
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.ground.paint(theme);
    this.sun.color.set(theme.sun);
    this.sun.intensity = theme.sunPower;
    this.sky.color.set(theme.ambient);
    this.sky.groundColor.set(theme.ground);
    this.sky.intensity = theme.ambientPower;
    this.scene.background = new Color(theme.skyLow);
  }

  setDark(dark: boolean): void { this.paint(dark ? DARK : LIGHT); }

  private fit(): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.resize();
  }

  private resize(): void {
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(Math.max(1, this.width), Math.max(1, this.height), false);
    this.camera.camera.aspect = this.width / Math.max(1, this.height);
    this.camera.camera.fov = this.width < this.height ? 62 : 46;
    this.lines.setSize(this.width, this.height);
    this.marks.setSize(this.width, this.height);
  }

  /// Draws. [wallTime: since the last picture, s]
  draw(poses: readonly VehiclePose[], count: number, subject: Subject | undefined, wallTime: number): void {
    this.judgeSpeed(1000 * wallTime);
    this.fit();
    this.vehicles.show(poses, count);
    this.camera.update(subject, wallTime);
    this.ground.follow(this.camera.camera.position, this.groundHeight);
    this.lines.show();
    this.marks.show();
    this.renderer.render(this.scene, this.camera.camera);
  }

  // Slow machines get fewer pixels. It comes before the picture, for another size clears it.
  private frames = 0;
  private judgeSpeed(ms: number): void {
    if (ms > 1000) return;
    this.frameMean += (ms - this.frameMean) * 0.08;
    if (++this.frames < 40) return;
    this.frames = 0;
    if (this.frameMean > SLOW_FRAME && this.ratio > 0.6) {
      this.ratio = Math.max(0.6, this.ratio * 0.8);
      this.resize();
    }
  }

  /// Where a place of the world is in the picture. [px] z > 1: behind the camera.
  project(x: number, y: number, z: number, out: Vector3): Vector3 {
    out.set(x, y, z).project(this.camera.camera);
    out.x = (0.5 + 0.5 * out.x) * this.width;
    out.y = (0.5 - 0.5 * out.y) * this.height;
    return out;
  }

  /// The place at a height under a pixel; false where it is the sky.
  placeUnder(px: number, py: number, height: number, out: Vector3): boolean {
    const camera = this.camera.camera;
    out.set(2 * px / this.width - 1, 1 - 2 * py / this.height, 0.5).unproject(camera).sub(camera.position);
    const share = (height - camera.position.z) / out.z;
    if (!(share > 0)) return false;
    out.multiplyScalar(share).add(camera.position);
    return true;
  }

  /// A picture of what is shown, as PNG.
  picture(): string {
    this.renderer.render(this.scene, this.camera.camera);
    return this.canvas.toDataURL('image/png');
  }
}

let software: boolean | undefined;
function isSoftware(): boolean {
  if (software !== undefined) return software;
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl && info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return software = /swiftshader|llvmpipe|software|basic render/i.test(name);
}
