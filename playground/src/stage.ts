// The stage (scene/stage/stage.h) as WebAssembly: all scenes on Kerb's own reference vehicles. Rows
// are read through typed arrays where they lie; nothing is copied, and no frame leaves garbage.
//
// Works in the browser and in Node; it knows nothing of the page.

/// Fields of a row, in the order of stage.h; each has 4 bytes. `i`: a whole number.
function fields<const Names extends readonly string[]>(names: Names): { [K in Names[number]]: number } & { size: number } {
  const offsets: Record<string, number> = { size: names.length };
  names.forEach((name, i) => { offsets[name] = i; });
  return offsets as { [K in Names[number]]: number } & { size: number };
}

export const VEHICLE = fields(['id', 'look', 'role', 'colour', 'visible', 'player', 'touching', 'tracked',
  'length', 'width', 'height', 'wheelbase', 'track_width', 'wheel_radius', 'rear_axle',
  'x', 'y', 'z', 'heading', 'pitch', 'roll', 'vx', 'vy', 'vz', 'speed', 'yaw_rate', 'acceleration', 'lateral_acceleration',
  'wheel_angle', 'front_roll', 'rear_roll', 'throttle', 'brake', 'steering', 'handbrake', 'gear', 'engine_speed',
  'reason', 'target_speed', 'cross_track_error', 'progress',
  'estimated', 'delay_known', 'gain_known', 'trim_known', 'delay', 'delay_deviation', 'gain', 'gain_deviation', 'trim', 'trim_deviation']);
export const TRIANGLE = fields(['ax', 'ay', 'az', 'bx', 'by', 'bz', 'cx', 'cy', 'cz', 'shape']);
export const LINE = fields(['ax', 'ay', 'az', 'bx', 'by', 'bz', 'shape']);
export const SOLID = fields(['shape', 'movable', 'x', 'y', 'z', 'heading', 'length', 'width', 'height']);
export const MARK = fields(['kind', 'movable', 'x', 'y', 'z', 'heading', 'length', 'width', 'vehicle']);
export const GRID = fields(['x', 'y', 'spacing', 'columns', 'rows']);
const DRAW_LINE = 7, DRAW_POINT = 4, DRAW_TEXT_BYTES = 64;
const ERROR_BYTES = 204, ERROR_FIELD = 12, ERROR_MESSAGE = 60;

export const LOOKS = ['car', 'pickup', 'buggy', 'scout', 'carrier', 'tank', 'hovercraft', 'road', 'gt', 'formula', 'rally', 'truck', 'bus', 'airplane', 'agent',
  'ship', 'pedestrian', 'trailer', 'motorcycle', 'spacecraft', 'helicopter', 'drone', 'rocket', 'submarine'] as const;
export const Role = { HERO: 0, TRAFFIC: 1, GHOST: 2, TARGET: 3, PURSUER: 4, RIVAL: 5, HUMAN: 6, PARKED: 7 } as const;
export const Item = { VEHICLE: 0, SOLID: 1, MARK: 2 } as const;
export const Shape = { ROAD: 0, EDGE: 1, MIDDLE: 2, START: 3, SLIPPERY: 4, WALL: 5, POST: 6, HOUSE: 7, CAR: 8, LINE: 9, GATE: 10, BAY: 11 } as const;
export const STEP = 1 / 60;

type Exports = Record<string, (...given: number[]) => number> & { memory: WebAssembly.Memory };

export interface Choice { name: string; meaning: string; min: number; max: number; usual: number; options: string[] }
export interface Row { name: string; unit: string; meaning: string; type: 'number' | 'whole' | 'choice'; options: string[]; min: number; max: number; usual: number }
export interface Table { name: string; rows: Row[] }
export interface SceneInfo { index: number; id: string; group: string; title: string; look: string; tryThis: string; choices: Choice[] }

export class StageError extends Error {
  constructor(readonly field: string, message: string) { super(field ? `${field} ${message}` : message); }
}

/// The loaded module.
export class StageModule {
  readonly scenes: SceneInfo[] = [];
  readonly roles: { text: string; color: number }[] = [];
  private bytes: Uint8Array;
  private floats: Float32Array;
  private ints: Int32Array;
  private readonly decoder = new TextDecoder();
  private readonly error: number;
  private readonly scratch: number;

  private constructor(readonly call: Exports) {
    this.bytes = new Uint8Array(call.memory.buffer);
    this.floats = new Float32Array(call.memory.buffer);
    this.ints = new Int32Array(call.memory.buffer);
    this.error = call.malloc!(ERROR_BYTES);
    this.scratch = call.malloc!(256);
    for (let i = 0; i < call.kerb_stage_scene_count!(); i++) this.scenes.push(this.readScene(i));
    for (let role = 0; this.text(call.kerb_draw_role_text!(role)) !== 'unknown' && role < 64; role++)
      this.roles.push({ text: this.text(call.kerb_draw_role_text!(role)), color: call.kerb_draw_color!(role) });
  }

  static async load(source: Response | Promise<Response> | BufferSource): Promise<StageModule> {
    const nothing = new Proxy({}, { get: () => () => 0 });
    const imports = new Proxy({}, { get: () => nothing }) as WebAssembly.Imports;
    const made = source instanceof ArrayBuffer || ArrayBuffer.isView(source)
      ? await WebAssembly.instantiate(source as BufferSource, imports)
      : await WebAssembly.instantiateStreaming(source as Response, imports).catch(async () =>
        WebAssembly.instantiate(await (await (source as Promise<Response>)).clone().arrayBuffer(), imports));
    const call = made.instance.exports as Exports;
    call._initialize?.();
    return new StageModule(call);
  }

  private fresh(): void {
    if (this.floats.buffer === this.call.memory.buffer) return;
    this.bytes = new Uint8Array(this.call.memory.buffer);
    this.floats = new Float32Array(this.call.memory.buffer);
    this.ints = new Int32Array(this.call.memory.buffer);
  }
  /// Views of all memory; take them anew in each frame, for memory may grow.
  get F(): Float32Array { this.fresh(); return this.floats; }
  get I(): Int32Array { this.fresh(); return this.ints; }
  get B(): Uint8Array { this.fresh(); return this.bytes; }

  text(address: number): string {
    if (address === 0) return '';
    const bytes = this.B, end = bytes.indexOf(0, address);
    return this.decoder.decode(bytes.subarray(address, end));
  }

  private readScene(index: number): SceneInfo {
    const c = this.call, choices: Choice[] = [];
    for (let k = 0; k < c.kerb_stage_choice_count!(index); k++) {
      const options: string[] = [];
      for (let o = 0; o < c.kerb_stage_choice_options!(index, k); o++) options.push(this.text(c.kerb_stage_choice_option!(index, k, o)));
      choices.push({
        name: this.text(c.kerb_stage_choice_name!(index, k)), meaning: this.text(c.kerb_stage_choice_meaning!(index, k)),
        min: c.kerb_stage_choice_min!(index, k), max: c.kerb_stage_choice_max!(index, k), usual: c.kerb_stage_choice_default!(index, k), options,
      });
    }
    return {
      index, id: this.text(c.kerb_stage_scene_id!(index)), group: this.text(c.kerb_stage_scene_group!(index)),
      title: this.text(c.kerb_stage_scene_title!(index)), look: this.text(c.kerb_stage_scene_look!(index)),
      tryThis: this.text(c.kerb_stage_scene_try!(index)), choices,
    };
  }

  tables(scene: number): Table[] {
    const c = this.call, tables: Table[] = [];
    for (let t = 0; t < c.kerb_stage_table_count!(scene); t++) {
      const rows: Row[] = [];
      for (let r = 0; r < c.kerb_stage_row_count!(scene, t); r++) {
        const options = this.text(c.kerb_stage_row_options!(scene, t, r));
        rows.push({
          name: this.text(c.kerb_stage_row_name!(scene, t, r)), unit: this.text(c.kerb_stage_row_unit!(scene, t, r)),
          meaning: this.text(c.kerb_stage_row_meaning!(scene, t, r)),
          type: (['number', 'whole', 'choice'] as const)[c.kerb_stage_row_type!(scene, t, r)] ?? 'number',
          options: options ? options.split('|') : [], min: c.kerb_stage_row_min!(scene, t, r), max: c.kerb_stage_row_max!(scene, t, r),
          usual: c.kerb_stage_row_default!(scene, t, r),
        });
      }
      tables.push({ name: this.text(c.kerb_stage_table_name!(scene, t)), rows });
    }
    return tables;
  }

  make(scene: number, seed: number, choices: readonly number[]): Stage {
    choices.slice(0, 60).forEach((value, i) => { this.I[this.scratch / 4 + i] = value; });
    this.I[this.error / 4] = 0;
    const stage = this.call.kerb_stage_make!(scene, seed >>> 0, choices.length ? this.scratch : 0, choices.length, 0, this.error);
    if (stage === 0) throw this.failure();
    return new Stage(this, stage, scene);
  }

  failure(): StageError {
    return new StageError(this.text(this.error + ERROR_FIELD), this.text(this.error + ERROR_MESSAGE) || 'failed');
  }
  get errorAt(): number { return this.error; }
  get scratchAt(): number { return this.scratch; }
}

/// A running scene.
export class Stage {
  /// Index of the first number of the vehicles' rows in F and I.
  vehiclesAt = 0;
  count = 0;
  private stage: number;

  constructor(readonly module: StageModule, address: number, readonly scene: number) {
    this.stage = address;
    this.look();
  }

  private look(): void {
    this.vehiclesAt = this.module.call.kerb_stage_vehicles!(this.stage) >>> 2;
    this.count = this.module.call.kerb_stage_vehicle_count!(this.stage);
  }

  free(): void {
    this.module.call.kerb_stage_free!(this.stage);
    this.stage = 0;
    this.count = 0;
  }

  step(): void {
    this.module.call.kerb_stage_step!(this.stage);
    this.look();
  }
  restart(): void {
    this.ok(this.module.call.kerb_stage_restart!(this.stage, this.module.errorAt));
    this.look();
  }

  get time(): number { return this.module.call.kerb_stage_time!(this.stage); }
  get frame(): number { return this.module.call.kerb_stage_frame!(this.stage); }
  get hash(): string {
    const at = this.module.scratchAt;
    this.module.call.kerb_stage_hash!(this.stage, at);
    const u = (k: number): string => (this.module.I[at / 4 + k]! >>> 0).toString(16).padStart(8, '0');
    return u(1) + u(0);
  }

  /// A number of a vehicle, by its place in VEHICLE.
  f(vehicle: number, field: number): number { return this.module.F[this.vehiclesAt + vehicle * VEHICLE.size + field]!; }
  i(vehicle: number, field: number): number { return this.module.I[this.vehiclesAt + vehicle * VEHICLE.size + field]!; }
  reason(vehicle: number): string { return this.module.text(this.module.call.kerb_stage_reason!(this.stage, vehicle)); }
  name(vehicle: number): string { return this.module.text(this.module.call.kerb_stage_vehicle_name!(this.stage, vehicle)); }
  canTake(vehicle: number): boolean { return this.module.call.kerb_stage_can_take!(this.stage, vehicle) !== 0; }

  private ok(result: number): void { if (result !== 0) throw this.module.failure(); }
  take(vehicle: number, throttle: number, brake: number, steering: number): void {
    this.ok(this.module.call.kerb_stage_take!(this.stage, vehicle, throttle, brake, steering, this.module.errorAt));
  }
  handBack(vehicle: number): void { this.ok(this.module.call.kerb_stage_hand_back!(this.stage, vehicle, this.module.errorAt)); }
  drag(kind: number, index: number, x: number, y: number, heading: number): void {
    this.ok(this.module.call.kerb_stage_drag!(this.stage, kind, index, x, y, heading, this.module.errorAt));
    this.look();
  }
  get(table: number, row: number): number { return this.module.call.kerb_stage_get!(this.stage, table, row); }
  set(table: number, row: number, value: number): void { this.ok(this.module.call.kerb_stage_set!(this.stage, table, row, value, this.module.errorAt)); }

  /// Everything that changes, as bytes.
  save(): Uint8Array {
    const size = this.module.call.kerb_stage_snapshot_bytes!(this.stage), block = this.module.call.malloc!(size);
    const written = this.module.call.kerb_stage_save!(this.stage, block, size);
    const copy = this.module.B.slice(block, block + written);
    this.module.call.free!(block);
    return copy;
  }
  restore(snapshot: Uint8Array): void {
    const block = this.module.call.malloc!(snapshot.length);
    this.module.B.set(snapshot, block);
    const result = this.module.call.kerb_stage_restore!(this.stage, block, snapshot.length, this.module.errorAt);
    this.module.call.free!(block);
    this.ok(result);
    this.look();
  }

  // ------------------------------------------------------------------------- shapes
  get shapesVersion(): number { return this.module.call.kerb_stage_shapes_version!(this.stage); }
  /// Address (as an index of numbers) and count of an array.
  rows(what: 'triangle' | 'line' | 'solid' | 'mark'): { at: number; count: number } {
    return { at: this.module.call[`kerb_stage_${what}s`]!(this.stage) >>> 2, count: this.module.call[`kerb_stage_${what}_count`]!(this.stage) };
  }
  grid(what: 'height' | 'cell'): { x: number; y: number; spacing: number; columns: number; rows: number; at: number } | undefined {
    const values = this.module.call[`kerb_stage_${what}s`]!(this.stage), grid = this.module.call[`kerb_stage_${what}_grid`]!(this.stage) >>> 2;
    if (values === 0 || grid === 0) return undefined;
    const F = this.module.F, I = this.module.I;
    return { x: F[grid]!, y: F[grid + 1]!, spacing: F[grid + 2]!, columns: I[grid + 3]!, rows: I[grid + 4]!, at: values };
  }
  extent(): [number, number, number, number] {
    const at = this.module.call.kerb_stage_extent!(this.stage) >>> 2, F = this.module.F;
    return [F[at]!, F[at + 1]!, F[at + 2]!, F[at + 3]!];
  }

  // ------------------------------------------------------------------------- thoughts
  draw(vehicle: number): void { this.module.call.kerb_stage_draw!(this.stage, vehicle); }
  drawnLines(each: (F: Float32Array, at: number, role: number) => void): void {
    const at = this.module.call.kerb_stage_draw_lines!(this.stage) >>> 2, count = this.module.call.kerb_stage_draw_line_count!(this.stage);
    const F = this.module.F, I = this.module.I;
    for (let i = 0; i < count; i++) each(F, at + DRAW_LINE * i, I[at + DRAW_LINE * i + 6]!);
  }
  drawnPoints(each: (F: Float32Array, at: number, role: number) => void): void {
    const at = this.module.call.kerb_stage_draw_points!(this.stage) >>> 2, count = this.module.call.kerb_stage_draw_point_count!(this.stage);
    const F = this.module.F, I = this.module.I;
    for (let i = 0; i < count; i++) each(F, at + DRAW_POINT * i, I[at + DRAW_POINT * i + 3]!);
  }
  drawnTexts(each: (x: number, y: number, z: number, role: number, text: string) => void): void {
    const at = this.module.call.kerb_stage_draw_texts!(this.stage), count = this.module.call.kerb_stage_draw_text_count!(this.stage);
    for (let i = 0; i < count; i++) {
      const byte = at + DRAW_TEXT_BYTES * i, n = byte >>> 2, F = this.module.F;
      each(F[n]!, F[n + 1]!, F[n + 2]!, this.module.I[n + 3]!, this.module.text(byte + 16));
    }
  }

  figures(): { name: string; unit: string; value: number }[] {
    const c = this.module.call, all = [];
    for (let i = 0; i < c.kerb_stage_figure_count!(this.stage); i++)
      all.push({ name: this.module.text(c.kerb_stage_figure_name!(this.stage, i)), unit: this.module.text(c.kerb_stage_figure_unit!(this.stage, i)), value: c.kerb_stage_figure!(this.stage, i) });
    return all;
  }
}
