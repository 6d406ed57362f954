// Jolt as the judge of the follower: ten built-in courses and seven random ones, driven by five of
// Jolt's vehicles that Kerb's own calibrator has measured. Courses, trials and the judge are those of
// `kerb follow` (judge.wasm, built of scene/course); only the physics is Jolt's. Prints one JSON object
// with the keys of `kerb follow --json`, by vehicle and by course as well. `race`: laps of a racer alone
// on built-in tracks, with the keys of the results of `kerb race --json`, and against the profile of its
// line. `park`: from rest to places with names and random ones, with the keys of `kerb seek --json`.
//
//     node playground/jolt/judge.mjs [follow] [--vehicle NAME] [--course N] [--brief] [--quiet]
//     node playground/jolt/judge.mjs race [--vehicle NAME] [--track NAME] [--laps N] [--quiet]
//     node playground/jolt/judge.mjs park [--vehicle NAME] [--random N] [--brief] [--quiet]
//     node playground/jolt/judge.mjs --calibrate     writes measured.json, for the scenes of the page
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JoltVehicle, JoltWorld, VEHICLES, YAW_MAX, knownOf } from './vehicles.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/// Seeds of the random courses: the kind of course is the seed modulo 14.
export const SEEDS = [101, 102, 103, 104, 105, 107, 110];
const DRIVE_HZ = 60, PHYSICS_HZ = 120;
const GROUND_THICK = 2, GROUND_SIZE = 120; // [m]

export async function openJudge() {
  const initJolt = (await import('jolt-physics/wasm')).default;
  const Jolt = await initJolt();
  const live = new Map();
  let next = 1, memory;
  const decoder = new TextDecoder();
  const text = (at) => { const bytes = new Uint8Array(memory.buffer, at); return decoder.decode(bytes.subarray(0, bytes.indexOf(0))); };

  const make = (nameAt, x, y, height, nx, ny, nz, heading, terrainAt, obstaclesAt, obstacleCount) => {
    const design = VEHICLES.find((each) => each.name === text(nameAt)), world = new JoltWorld(Jolt, { level: false });
    const F = new Float32Array(memory.buffer), I = new Int32Array(memory.buffer), t = terrainAt >> 2;
    const columns = I[t + 3], rows = I[t + 4];
    let ground;
    if (columns > 1 && rows > 1) {
      const heights = F.slice(I[t + 5] >> 2, (I[t + 5] >> 2) + columns * rows);
      ground = world.addHeights(F[t], F[t + 1], F[t + 2], columns, rows, heights);
    } else {
      ground = world.addBox(0, 0, 0, 0, GROUND_SIZE, GROUND_SIZE, GROUND_THICK);
      world.moveGround(ground, x, y, height, nx, ny, nz, 0.5 * GROUND_THICK);
    }
    for (let i = 0; i < obstacleCount; i++) {
      const at = (obstaclesAt >> 2) + 6 * i, post = I[at] === 1, long = Math.hypot(F[at + 3] - F[at + 1], F[at + 4] - F[at + 2]);
      world.solids.push(post ? world.addPost(F[at + 1], F[at + 2], height, 0.5 * F[at + 5], 60)
        : world.addBox(0.5 * (F[at + 1] + F[at + 3]), 0.5 * (F[at + 2] + F[at + 4]), height, Math.atan2(F[at + 4] - F[at + 2], F[at + 3] - F[at + 1]), Math.max(long, 0.05), F[at + 5], 60));
    }
    const vehicle = new JoltVehicle(world, design, x, y, height, heading, [nx, ny, nz]);
    vehicle.yawMax = YAW_MAX;
    live.set(next, { world, vehicle, ground, moves: !(columns > 1 && rows > 1), numbers: new Float32Array(18), grip: -1 });
    return next++;
  };
  const step = (id, throttle, brake, steering, clutch, gear, handbrake, height, nx, ny, nz, grip, timeStep) => {
    const it = live.get(id);
    it.vehicle.press(throttle, brake, steering, gear, handbrake !== 0, timeStep, clutch);
    if (it.moves) {
      const m = it.vehicle.motion(it.numbers);
      it.world.moveGround(it.ground, m[0], m[1], height, nx, ny, nz, 0.5 * GROUND_THICK);
    }
    // Jolt takes the geometric mean of the friction of both.
    if (grip !== it.grip) { it.ground.SetFriction(grip * grip); it.grip = grip; }
    it.world.step(timeStep);
  };
  const motion = (id, at) => {
    const it = live.get(id), m = it.vehicle.motion(it.numbers);
    m[17] = it.world.solids.some((solid) => it.world.physics.WereBodiesInContact(it.vehicle.body.GetID(), solid.GetID())) ? 1 : 0;
    new Float32Array(memory.buffer, at, 18).set(m);
  };
  const destroy = (id) => { live.get(id)?.world.destroy(); live.delete(id); };
  const zero = () => 0;
  const { instance } = await WebAssembly.instantiate(await readFile(join(here, 'judge.wasm')), {
    jolt: { make, step, motion, destroy, now: () => performance.now() },
    wasi_snapshot_preview1: { fd_close: zero, fd_seek: zero, fd_write: zero, proc_exit: (code) => { throw new Error(`exit ${code}`); } },
  });
  const c = instance.exports;
  memory = c.memory;
  c._initialize();
  return { Jolt, c, text, memory: () => memory, numbers: c.malloc(256) };
}

export function calibrate(judge, index) {
  const { c, text } = judge, design = VEHICLES[index], known = knownOf(design);
  const name = new TextEncoder().encode(`${design.name}\0`);
  new Uint8Array(judge.memory().buffer, c.text(), name.length).set(name);
  c.describe(index, known.kind, known.length, known.width, known.front, known.rearAxle, known.wheelbase, known.mass);
  if (known.gears) {
    new Float32Array(judge.memory().buffer, judge.numbers, known.gears.ratios.length).set(known.gears.ratios);
    const { wheelRadius, idle, power, max, shiftTime } = known.gears;
    c.describe_gears(index, judge.numbers, known.gears.ratios.length, wheelRadius, idle, power, max, shiftTime);
  }
  const outcome = c.calibrate(index, DRIVE_HZ, judge.numbers);
  const seconds = new Float32Array(judge.memory().buffer, judge.numbers, 1)[0], measured = {};
  for (let field = 0; field < c.field_count(); field++) measured[text(c.field_name(field))] = Number(c.field_value(index, field).toPrecision(5));
  if (outcome !== 1) throw new Error(`${design.name} could not be calibrated: ${text(c.calibration_failure())}; measured ${JSON.stringify(measured)}`);
  return { seconds, measured };
}

export function trial(judge, vehicle, course) {
  const { c, text } = judge, failed = c.trial(vehicle, course, DRIVE_HZ, PHYSICS_HZ, judge.numbers);
  if (failed !== 0) throw new Error(`course ${course}: ${text(c.error_field())} ${text(c.error_message())}`);
  const n = new Float64Array(judge.memory().buffer, judge.numbers, 13);
  // Who stands within the 0.3 m of an arrival, but short of the end's normal, has driven until then.
  const finished = n[0] !== 0, arrived = n[12] > 0, time = arrived ? n[12] : n[5];
  return { course: text(c.text()), finished, arrived: finished || arrived, stuck_events: n[1], cte_mean_m: n[2], cte_max_m: n[3], inside_corridor_percent: n[4], time_s: time, speed_mps: arrived ? n[10] / time : n[6],
    drive_ns: n[7], swings_per_s: n[8], teleports: n[9], length_m: n[10], lean_cosine: n[11] };
}

/// The keys of `kerb follow --json` over some trials.
export function sums(trials) {
  const mean = (key) => trials.reduce((sum, each) => sum + each[key], 0) / trials.length;
  const stuck = trials.filter((each) => each.stuck_events > 0 || !each.arrived);
  return {
    trials: trials.length, finished: trials.filter((each) => each.finished).length, arrived: trials.filter((each) => each.arrived).length, stuck_trials: stuck.length,
    stuck_events: trials.reduce((sum, each) => sum + each.stuck_events, 0), cte_mean_m: round(mean('cte_mean_m')), cte_max_m: round(Math.max(...trials.map((each) => each.cte_max_m))),
    inside_corridor_percent: round(mean('inside_corridor_percent')), time_mean_s: round(mean('time_s')), speed_mean_mps: round(mean('speed_mps')), drive_ns: Math.round(mean('drive_ns')),
    direction_changes_per_s: round(mean('swings_per_s')),
  };
}

const round = (value, digits = 4) => Number(value.toFixed(digits));

/// Names of the tracks, in the order of their indexes.
export function tracksOf(judge) {
  const block = judge.c.malloc(40), names = [];
  for (let i = 0; i < judge.c.track_count(); i++) { judge.c.track(i, block, 1); names.push(judge.text(judge.c.text())); }
  judge.c.free(block);
  return names;
}

/// A racer alone on a track, from rest.
export function race(judge, vehicle, track, laps = 3) {
  const { c, text } = judge, failed = c.race(vehicle, track, laps, judge.numbers);
  if (failed !== 0) throw new Error(`track ${track}: ${text(c.error_field())} ${text(c.error_message())}`);
  const n = new Float64Array(judge.memory().buffer, judge.numbers, 12);
  return { driver: 0, vehicle: VEHICLES[vehicle].name, track: text(c.text()), skill: 1, laps: n[0], best_lap_s: round(n[1], 3), profile_s: round(n[2], 3), over_profile_percent: n[1] > 0 ? round(100 * (n[1] / n[2] - 1), 2) : null,
    total_s: round(n[3], 3), off_track_s: round(n[4], 3), cte_mean_m: round(n[5]), cte_max_m: round(n[6]), outside_max_m: round(n[7]), spins: n[8], put_back: n[9], steering_per_s: round(n[11]) };
}

/// Parks at one place, from rest.
export function park(judge, vehicle, place) {
  const { c, text } = judge;
  if (c.park(vehicle, place, DRIVE_HZ, PHYSICS_HZ, judge.numbers) !== 0) throw new Error(`${VEHICLES[vehicle].name} cannot be made`);
  const n = new Float64Array(judge.memory().buffer, judge.numbers, 7);
  return { vehicle: VEHICLES[vehicle].name, place: text(c.text()), arrived: n[0] !== 0, position_error_m: round(n[1]), heading_error_deg: round(n[2], 3), moves: n[3], time_s: round(n[4], 2), length_m: round(n[5], 2), plans: n[6] };
}

export function parkSums(rows) {
  const mean = (key) => round(rows.reduce((sum, each) => sum + each[key], 0) / rows.length), most = (key) => Math.max(...rows.map((each) => each[key]));
  return { count: rows.length, arrived: rows.filter((each) => each.arrived).length, position_error_mean_m: mean('position_error_m'), position_error_max_m: most('position_error_m'),
    heading_error_mean_deg: mean('heading_error_deg'), heading_error_max_deg: most('heading_error_deg'), moves_mean: mean('moves'), moves_max: most('moves'), time_mean_s: mean('time_s') };
}

// Who races and parks when nobody is named; others with wheels can be asked for.
const WHEELED = VEHICLES.map((each, i) => i).filter((i) => VEHICLES[i].kind !== 'tracked');

function mainRace(judge, option, quiet) {
  const names = tracksOf(judge), results = [];
  for (const vehicle of option('--vehicle') ? WHEELED.filter((i) => VEHICLES[i].name === option('--vehicle')) : RACING) {
    calibrate(judge, vehicle);
    for (let track = 0; track < names.length; track++) {
      if (option('--track') && names[track] !== option('--track')) continue;
      const r = race(judge, vehicle, track, Number(option('--laps') ?? 3));
      results.push(r);
      if (!quiet) console.error(`${r.vehicle.padEnd(11)} ${r.track.padEnd(9)} laps ${r.laps} best ${r.best_lap_s} s, profile ${r.profile_s} s (${r.over_profile_percent} % over) off ${r.off_track_s} s spins ${r.spins} put back ${r.put_back} cte ${r.cte_mean_m}`);
    }
  }
  console.log(JSON.stringify({ kerb: 'jolt judge', command: 'race', physics: 'jolt', results }));
}

const RACING = WHEELED.filter((i) => ['car', 'buggy'].includes(VEHICLES[i].name)), PARKING = WHEELED.filter((i) => VEHICLES[i].kind !== 'motorcycle');

function mainPark(judge, option, brief, quiet) {
  const rows = [], perVehicle = {}, named = judge.c.place_count(), random = Number(option('--random') ?? 20);
  for (const vehicle of (option('--vehicle') ? WHEELED.filter((i) => VEHICLES[i].name === option('--vehicle')) : PARKING)) {
    calibrate(judge, vehicle);
    const mine = [];
    for (let place = 0; place < named + random; place++) {
      const r = park(judge, vehicle, place);
      mine.push(r);
      if (!quiet) console.error(`${r.vehicle.padEnd(11)} ${r.place.padEnd(30)} ${r.arrived ? 'arrived' : 'NOT    '} ${r.position_error_m.toFixed(3)} m ${r.heading_error_deg.toFixed(2)} deg, ${r.moves} moves ${r.time_s.toFixed(1)} s ${r.length_m.toFixed(1)} m`);
    }
    perVehicle[VEHICLES[vehicle].name] = parkSums(mine);
    rows.push(...mine);
  }
  console.log(JSON.stringify({ kerb: 'jolt judge', command: 'seek', physics: 'jolt', seeds: `0 … ${random - 1}`, ...parkSums(rows), per_vehicle: perVehicle, ...(brief ? {} : { rows }) }));
}

async function main(given) {
  const option = (name) => { const at = given.indexOf(name); return at >= 0 ? given[at + 1] : undefined; };
  const judge = await openJudge(), quiet = given.includes('--quiet');
  if (given[0] === 'race') return mainRace(judge, option, quiet);
  if (given[0] === 'park') return mainPark(judge, option, given.includes('--brief'), quiet);
  return mainFollow(judge, given, option);
}

async function mainFollow(judge, given, option) {
  const builtIn = judge.c.course_count();
  let courses = [...Array(builtIn).keys(), ...SEEDS.map((seed) => builtIn + seed)];
  if (option('--course') !== undefined) courses = [courses[Number(option('--course'))]];
  const chosen = VEHICLES.map((each, i) => i).filter((i) => !option('--vehicle') || VEHICLES[i].name === option('--vehicle'));
  if (given.includes('--calibrate')) {
    const file = join(here, 'measured.json'), measured = {};
    for (const vehicle of chosen) measured[VEHICLES[vehicle].name] = calibrate(judge, vehicle).measured;
    await writeFile(file, `${JSON.stringify(measured, null, 1)}\n`);
    return;
  }
  const all = [], perVehicle = {}, calibrations = {};
  for (const vehicle of chosen) {
    const name = VEHICLES[vehicle].name, mine = [];
    calibrations[name] = calibrate(judge, vehicle);
    for (const course of courses) {
      const result = trial(judge, vehicle, course);
      mine.push(result);
      if (!given.includes('--quiet'))
        console.error(`${name.padEnd(11)} ${result.course.padEnd(22)} ${result.finished ? 'finished' : result.arrived ? 'arrived ' : 'NOT     '} stuck ${result.stuck_events} cte ${result.cte_mean_m.toFixed(3)} max ${result.cte_max_m.toFixed(2)} in ${result.inside_corridor_percent.toFixed(0)} % ${result.time_s.toFixed(0)} s ${result.speed_mps.toFixed(1)} m/s swings ${result.swings_per_s.toFixed(2)} lean ${result.lean_cosine.toFixed(2)}`);
    }
    perVehicle[name] = sums(mine);
    all.push(...mine.map((each) => ({ vehicle: name, ...each })));
  }
  const result = { kerb: 'jolt judge', command: 'follow', physics: 'jolt', seed: SEEDS[0], seeds: SEEDS, ...sums(all), per_vehicle: perVehicle };
  if (!given.includes('--brief')) Object.assign(result, { calibrations, rows: all });
  console.log(JSON.stringify(result));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
