// Types of kerb-drive. What the fields of structs mean is in structs.d.ts, from Kerb's headers.
import { NumberList, Setting, StructList, View } from './memory.js';
import * as s from './structs.js';

export { KerbError, NumberList, StructList, View, Settings, type Setting } from './memory.js';
export * from './structs.js';
export * from './enums.js';

/** Version of the package and of the library in it. */
export declare const version: string;
/** Names of all settings tables. */
export declare const settingsNames: readonly SettingsName[];
/** Rows of a settings table. */
export declare function settings(name: SettingsName): readonly Setting[];

export type SettingsName = 'aircraft' | 'avoid' | 'avoidAgents' | 'avoidObstacles' | 'calibration' | 'cars' |
    'directedSeek' | 'flock' | 'flyer' | 'follower' | 'lane' | 'laneCompany' | 'line' | 'parker' |
    'performance' | 'planDriver' | 'planLimits' | 'planPath' | 'planSearch' | 'planner' | 'racer' | 'speed' |
    'steeringDriver' | 'stuck' | 'vehicle' | 'wander';

/**
 * Loads Kerb: from the file beside this module, or from a URL, a Response, bytes or a compiled module.
 * Each call makes a Kerb with a memory of its own.
 */
export declare function load(
    source?: string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module): Promise<Kerb>;

// --------------------------------------------------------------------------- what drivers are given

/** A waypoint: its place, or its place and the fields that differ from the defaults. */
export type WaypointLike = readonly number[] | Float32Array | Float64Array | s.Waypoint |
    ({ x: number; y: number; z?: number } & s.WaypointInit) | s.WaypointInit;

/** Options of a path; others than these two are values of every waypoint, such as `speedLimit`. */
export interface PathOptions extends Omit<s.WaypointInit, 'position'> {
    /** The last waypoint leads back to the first. */
    closed?: boolean;
    /** Width of the corridor, half to each side. [m] Without it: 4. */
    width?: number;
}

/** A path: waypoints joined by straight segments. */
export declare class Path extends s.PathStruct {
    /** Throws a KerbError with the index and the field of the first bad waypoint. */
    constructor(waypoints: Iterable<WaypointLike>, options?: PathOptions);
    readonly points: StructList<s.PathPoint>;
    /** Values at a station [m]: one object, whose values change with every call. O(log points) */
    sampleAt(station: number): s.PathSample;
    /** Station of the nearest place of the path. [m] O(points) */
    stationNear(x: number, y: number, z?: number): number;
    /** Lateral offset of a point from the path, left positive. [m] O(points) */
    crossTrack(x: number, y: number, z?: number): number;
    /** The world's origin has moved to this place, in the old coordinates. [m] */
    shiftOrigin(x: number, y: number, z?: number): this;
}

/** Neighbours, which several drivers may share: the list may hold the vehicle itself (its id). */
export declare class Neighbours extends StructList<s.Neighbour> {
    constructor(capacity?: number);
    /** How many of them are there now. [0 … length] */
    count: number;
    /** The next free one, counted in: facing along x, 4.5 m by 1.8 m, then `values`. */
    add(values?: s.NeighbourInit): s.Neighbour;
    /** Forgets all: count 0. */
    clear(): this;
}

/** What is around a vehicle: speed cap, grip, its id, its neighbours, who has the wheel. */
export declare class Surroundings extends s.SurroundingsStruct {
    constructor(values?: s.SurroundingsStructInit);
    neighbours: Neighbours | null;
    /** The controls that acted on the vehicle since the last frame, where `isApplied` is true. */
    readonly applied: s.Controls;
    isApplied: boolean;
}

/** Anything with coordinates: a Vec3, a vector of three.js, a plain object. */
export interface Xyz { x: number; y: number; z: number }
export interface Xyzw extends Xyz { w: number }

/** Axes and unit of another engine. The functions write their second argument and return it. */
export declare class Axes extends View {
    /** 'gltf' is y up and z forward, as vehicles of Jolt and models of three.js are. */
    constructor(engine: 'unity' | 'unreal' | 'godot' | 'gltf' | s.AxesInit);
    readonly x: s.Vec3;
    readonly y: s.Vec3;
    readonly z: s.Vec3;
    /** Metres per unit of length of the engine. */
    unit: number;
    /** From the engine's axes to Kerb's: positions and velocities. */
    positionFrom<T extends Xyz>(theirs: Readonly<Xyz>, ours: T): T;
    positionTo<T extends Xyz>(ours: Readonly<Xyz>, theirs: T): T;
    directionFrom<T extends Xyz>(theirs: Readonly<Xyz>, ours: T): T;
    directionTo<T extends Xyz>(ours: Readonly<Xyz>, theirs: T): T;
    angularVelocityFrom<T extends Xyz>(theirs: Readonly<Xyz>, ours: T): T;
    angularVelocityTo<T extends Xyz>(ours: Readonly<Xyz>, theirs: T): T;
    rotationFrom<T extends Xyzw>(theirs: Readonly<Xyzw>, ours: T): T;
    rotationTo<T extends Xyzw>(ours: Readonly<Xyzw>, theirs: T): T;
}

// --------------------------------------------------------------------------- drivers

/** A vehicle as a view or by its fields; undefined: an average car. */
export type VehicleLike = s.Vehicle | s.VehicleInit | undefined;
export type AircraftLike = s.Aircraft | s.AircraftInit | undefined;

/** What all drivers have in common. */
export interface Driver {
    /** What drive() returned last: one object, whose values change. */
    readonly controls: s.Controls;
    /** Why it drives so, in words: "bend ahead". The number is controls.reason. */
    readonly reason: string;
    /** All that it is, as bytes for restore() of the same build. */
    save(): Uint8Array;
    /** Goes on where a saved driver of this type was. */
    restore(bytes: Uint8Array): this;
    /** The world's origin has moved to this place, in the old coordinates. [m] */
    shiftOrigin(x: number, y: number, z?: number): this;
    /** Begins anew, with default settings, and another vehicle where one is given. */
    restart(vehicle?: VehicleLike | AircraftLike): this;
}

/** Drives along a path. */
export interface Follower extends Driver {}
export declare class Follower extends s.FollowerStruct {
    constructor(vehicle?: VehicleLike, path?: Path | null, settings?: s.FollowerSettingsInit | s.FollowerSettings);
    /** May change in any frame. */
    path: Path | null;
    /** Drives one frame [s]: returns `controls`. Allocates nothing. */
    drive(motion: s.Motion, surroundings: Surroundings | null, timeStep: number): s.Controls;
    /** Writes what it is about to drive, for neighbour.intent of its vehicle; returns `into`. */
    intent(into: s.Intent): s.Intent;
    /** Ends the wait at a stop. */
    go(): void;
    /** What the host tells wrongly, in words. */
    readonly hostMistake: string;
}

/** Races along a racing line. */
export interface Racer extends Driver {}
export declare class Racer extends s.RacerStruct {
    constructor(vehicle?: VehicleLike, line?: RacingLine | null, settings?: s.RacerSettingsInit | s.RacerSettings);
    line: RacingLine | null;
    drive(motion: s.Motion, surroundings: Surroundings | null, timeStep: number): s.Controls;
    /** The default settings with this skill [0 … 1] and the character of this seed. */
    character(seed: number, skill: number): this;
}

/** Drives along a plan, at its times. */
export interface PlanDriver extends Driver {}
export declare class PlanDriver extends s.PlanDriverStruct {
    constructor(vehicle?: VehicleLike, plan?: Plan | null, settings?: s.PlanDriverSettingsInit | s.PlanDriverSettings);
    /** May change in any frame. planner.plan is valid until the planner is used; copy() keeps it. */
    plan: Plan | null;
    drive(motion: s.Motion, surroundings: Surroundings | null, timeStep: number): s.Controls;
}

/** Keeps its lane by rays that the host casts. */
export interface LaneKeeper extends Driver {}
export declare class LaneKeeper extends s.LaneKeeperStruct {
    constructor(vehicle?: VehicleLike, settings?: s.LaneSettingsInit | s.LaneSettings);
    /** Rays of this frame: the first `rayCount` of them count. */
    readonly rays: StructList<s.LaneRay>;
    /** The host's answers, in the order of the rays. */
    readonly hits: StructList<s.LaneHit>;
    rayCount: number;
    /** Writes `rays` and `rayCount`. Cast them, write `hits`, then drive(). */
    ask(motion: s.Motion): number;
    drive(motion: s.Motion, surroundings: Surroundings | null, timeStep: number): s.Controls;
    /** Direction along the road in which to drive; it forgets the road. */
    setDirection(x: number, y: number, z?: number): this;
}

/** Parks: drives to a pose and stops there. */
export interface Parker extends Driver {}
export declare class Parker extends s.ParkerStruct {
    constructor(vehicle?: VehicleLike, settings?: s.ParkerSettingsInit | s.ParkerSettings);
    /** goal: a Pose of the reference point. */
    drive(goal: s.Pose, motion: s.Motion, surroundings: Surroundings | null, timeStep: number): s.Controls;
    readonly phaseText: string;
}

/** Measures what an unknown vehicle can do, by driving it. */
export interface Calibrator extends Driver {}
export declare class Calibrator extends s.CalibratorStruct {
    constructor(known?: VehicleLike, settings?: s.CalibrationSettingsInit | s.CalibrationSettings);
    drive(motion: s.Motion, timeStep: number): s.Controls;
    readonly isRunning: boolean;
    /** `measured` is a valid vehicle now. */
    readonly isDone: boolean;
    readonly failureText: string;
    readonly phaseText: string;
    /** The fields that it measures. */
    fields(): { field: string; value: number; deviation: number; confidence: string }[];
}

/** Brings a vehicle to a desired direction and speed (a Steering), as behaviours give it. */
export interface SteeringDriver extends Driver {}
export declare class SteeringDriver extends s.SteeringDriverStruct {
    constructor(vehicle?: VehicleLike, settings?: s.SteeringDriverSettingsInit | s.SteeringDriverSettings);
    drive(desired: s.Steering, motion: s.Motion, surroundings: Surroundings | null, timeStep: number): s.Controls;
}

/** Flies an aircraft with wings. */
export interface Flyer extends Driver {}
export declare class Flyer extends s.FlyerStruct {
    constructor(aircraft?: AircraftLike, settings?: s.FlyerSettingsInit | s.FlyerSettings);
    /** Flies in a desired direction; null: level and straight on. */
    drive(desired: s.Steering | null, motion: s.Motion, timeStep: number): s.Controls;
    follow(path: Path, motion: s.Motion, timeStep: number): s.Controls;
    arrive(goal: s.DirectedGoal, motion: s.Motion, timeStep: number): s.Controls;
}

// --------------------------------------------------------------------------- racing lines and plans

/** Searches for the racing line of a track, in slices. */
export declare class LineSolver extends s.LineSolverStruct {
    constructor(track: Path, options?: {
        vehicle?: VehicleLike;
        performance?: s.Performance | s.PerformanceInit;
        settings?: s.LineSettings | s.LineSettingsInit;
    });
    /** Does at most so many steps. True: there is work left. */
    advance(steps?: number): boolean;
    readonly progress: number;
    /** The line as it is now, with points so far apart [m]. */
    line(spacing?: number): RacingLine;
    /** The same track with other widths, grip or banking: searches on from the present line. */
    setTrack(track: Path): this;
}

/** A racing line. Several racers may share it. */
export declare class RacingLine extends s.RacingLineStruct {
    constructor(solver: LineSolver, spacing?: number);
    readonly points: StructList<s.LinePoint>;
    /** At a distance from its start [m]: one object, whose values change with every call. */
    at(distance: number): s.LinePoint;
    /** A path for any driver, with the speeds of the line as limits. */
    path(): Path;
    shiftOrigin(x: number, y: number, z?: number): this;
}

/** A start or a goal: [x, y, heading, speed], or by name with tolerances, or a PlanEnd. */
export type PlanEndLike = s.PlanEnd | readonly number[] |
    ({ x: number; y: number; heading?: number; speed?: number } & Omit<s.PlanEndInit, 'pose' | 'speed'>);

/** Limits of plans: of a vehicle (with the share of its grip that a plan uses), and others by name. */
export type PlanLimitsLike = s.PlanLimits | s.Vehicle | ({ vehicle?: VehicleLike; share?: number } & s.PlanLimitsInit);

export interface PlanWorldLike {
    /** Occupancy grid: 255 is blocked. Cells of a row follow one another along x. */
    cells?: Uint8Array;
    columns?: number;
    rows?: number;
    cellSize?: number;
    origin?: s.Vec2Init;
    costMap?: Uint8Array;
    costPerMetre?: number;
    polygons?: readonly (readonly (readonly [number, number])[])[];
    boxMin?: s.Vec2Init;
    boxMax?: s.Vec2Init;
}

export type PlanMoverLike = { x?: number; y?: number; heading?: number } & s.PlanMoverInit;

/** A plan: pieces of one curvature and one acceleration. */
export declare class Plan extends s.PlanStruct {
    constructor(other?: Plan);
    readonly pieces: StructList<s.PlanPiece>;
    /** The state so many seconds after the start: one object, whose values change with every call. */
    at(time: number): s.PlanState;
    /** A copy that stays as it is whatever the planner does. */
    copy(): Plan;
    /** A path for drivers along paths. */
    path(settings?: s.PlanPathSettingsInit): Path;
}

interface Searching {
    /** Sets the obstacles; without an argument: open ground. */
    setWorld(world?: PlanWorldLike): this;
    setMovers(movers?: readonly PlanMoverLike[]): this;
    /** Begins a query from one or several starts to one or several goals. */
    begin(starts: PlanEndLike | readonly PlanEndLike[], goals: PlanEndLike | readonly PlanEndLike[]): this;
    /** Does at most so many steps; returns a PlanOutcome: RUNNING while there is work left. */
    advance(steps: number): number;
    cancel(): void;
    /** The best plan until now: one object, valid until the next call. copy() keeps it. */
    readonly plan: Plan;
    /** The plan to where the search has come nearest to a goal; valid as `plan` is. */
    readonly partialPlan: Plan;
}

/** Searches for the fastest plan, in slices. */
export interface Planner extends Searching {}
export declare class Planner extends s.PlannerStruct {
    constructor(limits?: PlanLimitsLike, settings?: s.PlannerSettingsInit);
    readonly tree: s.PlanTree;
    /** A node of the tree [0 … tree.count - 1]: one object, whose values change with every call. */
    node(index: number): s.PlanNode;
}

/** The search of the thesis "AIPATH", with speed and time in its states. */
export interface PlanSearch extends Searching {}
export declare class PlanSearch extends s.PlanSearchStruct {
    constructor(limits?: PlanLimitsLike, settings?: s.PlanSearchSettingsInit);
    readonly report: s.PlanSearchReport;
    node(index: number): s.PlanSearchNode;
}

// --------------------------------------------------------------------------- many

/** Many agents as arrays in the module's memory: write them in place. */
export declare class Agents extends s.AgentsStruct {
    constructor(capacity: number);
    readonly capacity: number;
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly z: Float32Array;
    readonly forwardX: Float32Array;
    readonly forwardY: Float32Array;
    readonly forwardZ: Float32Array;
    readonly speed: Float32Array;
    readonly radius: Float32Array;
    readonly turningRadius: Float32Array;
    readonly speedMax: Float32Array;
    readonly acceleration: Float32Array;
    readonly braking: Float32Array;
    get(index: number, into: s.Agent): s.Agent;
    set(index: number, agent: s.Agent): void;
}

/** Finds which items are near a place. */
export declare class NeighbourGrid extends s.NeighbourGridStruct {
    constructor(capacity: number, foundMax?: number);
    readonly foundMax: number;
    /** Positions: write the first `count`, then build(). [m] */
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly z: Float32Array;
    /** Indices that the last query found. */
    readonly found: Int32Array;
    /** Squared distances of the last nearest(). [m²] */
    readonly distancesSquared: Float32Array;
    build(count: number, cellSize: number): this;
    buildFrom(agents: Agents, cellSize: number): this;
    /** Writes `found`; returns how many there are in it. */
    within(x: number, y: number, z: number, radius: number): number;
    /** Writes `found` and `distancesSquared`, nearest first; returns how many there are. */
    nearest(x: number, y: number, z: number, radius: number, count?: number): number;
}

/** A flock: moves agents by the three urges of Reynolds. */
export declare class Flock extends s.FlockStruct {
    constructor(capacity: number, settings?: s.FlockSettingsInit);
    readonly settings: s.FlockSettings;
    update(agents: Agents, timeStep: number): void;
}

/** Runs the bots of a lane round a player. */
export declare class LaneCompany extends s.LaneCompanyStruct {
    constructor(count: number, settings?: s.LaneCompanySettingsInit);
    readonly count: number;
    readonly player: s.LanePlayer;
    readonly bots: StructList<s.LaneBot>;
    readonly orders: StructList<s.LaneOrder>;
    begin(): StructList<s.LaneOrder>;
    drive(timeStep: number): StructList<s.LaneOrder>;
}

/** Lines, points and texts that show what a driver does: call.drawFollower(buffer, …) fills it. */
export declare class DrawBuffer extends s.DrawBufferStruct {
    constructor(lines?: number, points?: number, texts?: number);
    readonly lines: StructList<s.DrawLine>;
    readonly points: StructList<s.DrawPoint>;
    readonly texts: StructList<s.DrawText>;
    clear(): this;
}

interface Learning extends Driver {
    /** Learns from one frame: the controls that acted in it, and the motion at its end. */
    feed(motion: s.Motion, controls: s.Controls, surroundings: Surroundings | null, timeStep: number): void;
    /** Computes what the frames since the last update say. */
    update(): this;
    /** Forgets what was learned. */
    reset(): this;
    /** Writes what is known on top of `description` into `into`. */
    describe(description: s.Vehicle, into: s.Vehicle): s.Vehicle;
}
export interface Estimate extends Learning {}
export declare class Estimate extends s.EstimateStruct { constructor(vehicle?: VehicleLike); }
export interface BodyEstimate extends Learning {}
export declare class BodyEstimate extends s.BodyEstimateStruct { constructor(vehicle?: VehicleLike); }
export interface PedalEstimate extends Learning {}
export declare class PedalEstimate extends s.PedalEstimateStruct { constructor(vehicle?: VehicleLike); }
export interface VehicleEstimate extends Learning {}
export declare class VehicleEstimate extends s.VehicleEstimateStruct { constructor(vehicle?: VehicleLike); }

/** Finds what the host tells wrongly, by watching the vehicle. */
export declare class HostCheck extends s.HostCheckStruct {
    constructor(vehicle?: VehicleLike);
    /** controls: those that acted since the last frame; null: a player drives. */
    feed(motion: s.Motion, controls: s.Controls | null, timeStep: number): void;
    /** The mistake to mend first. */
    readonly worst: { mistake: number; text: string; remedy: string } | null;
}

export interface TrackFindingText { kind: string; index: number; value: number; text: string }

/**
 * A loaded module. A module of one driver has the classes of that driver only; the others are
 * undefined there.
 */
export interface Kerb extends s.StructClasses {
    readonly version: string;
    /** The module's exports, as they are: functions that take addresses. */
    readonly exports: WebAssembly.Exports;
    /** Every function of Kerb, by its name without `kerb_`: call.pathNearest(location, path, point). */
    readonly call: s.Calls;
    /** Rows of a settings table. */
    settings(name: SettingsName): readonly Setting[];
    /** Text of a value of an enum: text('reason', controls.reason), text('planOutcome', 1). */
    text(name: string, value: number): string;
    /** Structs of one type, one after another, for functions of `call` that take several. */
    structs<T>(Class: new (...values: any[]) => T, length: number): StructList<T>;
    /** Numbers of one kind, for functions of `call` that take several. */
    numbers(kind: 'f32' | 'f64' | 'i32' | 'u32' | 'u8', length: number): NumberList;
    /** Throws when waypoints make no track for racing. */
    validateTrack(waypoints: Iterable<WaypointLike>, options?: PathOptions): void;
    /** What is odd about a track for a vehicle. */
    checkTrack(waypoints: Iterable<WaypointLike>, options?: PathOptions & { vehicle?: s.Vehicle | null }): TrackFindingText[];

    readonly Path: typeof Path;
    readonly Neighbours: typeof Neighbours;
    readonly Surroundings: typeof Surroundings;
    readonly Axes: typeof Axes;
    readonly Follower: typeof Follower;
    readonly Racer: typeof Racer;
    readonly LineSolver: typeof LineSolver;
    readonly RacingLine: typeof RacingLine;
    readonly Planner: typeof Planner;
    readonly PlanSearch: typeof PlanSearch;
    readonly Plan: typeof Plan;
    readonly PlanDriver: typeof PlanDriver;
    readonly LaneKeeper: typeof LaneKeeper;
    readonly LaneCompany: typeof LaneCompany;
    readonly Parker: typeof Parker;
    readonly Calibrator: typeof Calibrator;
    readonly SteeringDriver: typeof SteeringDriver;
    readonly Flyer: typeof Flyer;
    readonly Agents: typeof Agents;
    readonly NeighbourGrid: typeof NeighbourGrid;
    readonly Flock: typeof Flock;
    readonly DrawBuffer: typeof DrawBuffer;
    readonly Estimate: typeof Estimate;
    readonly BodyEstimate: typeof BodyEstimate;
    readonly PedalEstimate: typeof PedalEstimate;
    readonly VehicleEstimate: typeof VehicleEstimate;
    readonly HostCheck: typeof HostCheck;
}
