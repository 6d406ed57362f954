// Jolt as judge, in short: what `node playground/jolt/judge.mjs` does at length. Calibrations give what
// measured.json says, so that the page's scenes drive what was measured.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
let judging;
try {
  judging = await import('../jolt/judge.mjs');
  await import('jolt-physics/wasm');
} catch (error) {
  console.log(`playground: skipped: Jolt is not installed (npm ci --prefix playground): ${error.message}`);
  process.exit(77);
}
const { JoltVehicle, JoltWorld, VEHICLES } = await import('../jolt/vehicles.mjs');
const { rectanglesOf } = await import('../jolt/cells.mjs');
const judge = await judging.openJudge(), builtIn = judge.c.course_count();
const measured = JSON.parse(await readFile(join(here, '..', 'jolt', 'measured.json'), 'utf8'));
let passed = 0, failed = 0;
function test(name, run) {
  try {
    run();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.message}`);
  }
}

// Figure eight, hairpins, slalom, random parking: every vehicle; the rest is in the long run.
const COURSES = [1, 2, 5, builtIn + judging.SEEDS[4]];
VEHICLES.forEach((design, vehicle) => {
  test(`the_calibrator_measures_the_${design.name}_of_jolt_again`, () => assert.deepEqual(judging.calibrate(judge, vehicle).measured, measured[design.name]));
  if (design.kind === 'tracked') {
    test('the_tank_keeps_to_the_figure_eight', () => {
      const result = judging.trial(judge, vehicle, 1);
      assert.ok(result.finished && result.stuck_events === 0 && result.cte_mean_m < 0.25, JSON.stringify(result));
    });
    return;
  }
  test(`the_${design.name}_drives_courses_without_getting_stuck`, () => {
    const all = COURSES.map((course) => judging.trial(judge, vehicle, course)), sums = judging.sums(all);
    assert.equal(sums.stuck_trials, 0, JSON.stringify(all));
    assert.ok(sums.cte_mean_m < 0.25 && sums.direction_changes_per_s < 0.7, JSON.stringify(sums));
  });
});
// Two laps of two tracks, and places with names and random ones; all of them are in the long run.
for (const [name, track, most] of [['car', 'vamos', 8], ['buggy', 'downs', 6]])
  test(`the_${name}_races_on_${track}_near_the_profile_and_on_the_track`, () => {
    const vehicle = VEHICLES.findIndex((each) => each.name === name), result = judging.race(judge, vehicle, judging.tracksOf(judge).indexOf(track), 2);
    assert.ok(result.laps === 2 && result.over_profile_percent > -3 && result.over_profile_percent < most && result.off_track_s < 0.5 && result.spins === 0 && result.put_back === 0, JSON.stringify(result));
  });
for (const name of ['car', 'truck', 'buggy'])
  test(`the_${name}_parks_where_it_is_told_to`, () => {
    const vehicle = VEHICLES.findIndex((each) => each.name === name), places = [0, 3, 5, 8, judge.c.place_count(), judge.c.place_count() + 4];
    const rows = places.map((place) => judging.park(judge, vehicle, place)), sums = judging.parkSums(rows);
    assert.equal(sums.arrived, rows.length, JSON.stringify(rows));
    assert.ok(sums.position_error_max_m < 0.2 && sums.heading_error_max_deg < 3 && sums.moves_max <= 5, JSON.stringify(rows));
  });
test('the_same_trial_gives_the_same_numbers', () => {
  const strip = ({ drive_ns, ...rest }) => rest;
  assert.deepEqual(strip(judging.trial(judge, 0, 3)), strip(judging.trial(judge, 0, 3)));
});

// A number in 0 … 1, from a seed.
const randomOf = (seed) => () => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed / 4294967296; };
test('rectangles_cover_the_blocked_cells_of_a_map_once_and_nothing_else', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const next = randomOf(seed), columns = 1 + Math.floor(30 * next()), rows = 1 + Math.floor(30 * next()), share = next();
    const cells = Uint8Array.from({ length: columns * rows }, () => (next() < share ? 255 : 0)), covered = new Uint8Array(columns * rows);
    for (const { x, y, columns: wide, rows: high } of rectanglesOf(cells, columns, rows))
      for (let j = y; j < y + high; j++) for (let i = x; i < x + wide; i++) covered[j * columns + i]++;
    cells.forEach((cell, i) => assert.equal(covered[i], cell === 0 ? 0 : 1, `seed ${seed}, cell ${i}`));
  }
  assert.equal(rectanglesOf(new Uint8Array(64).fill(1), 8, 8).length, 1);
});
test('blocked_cells_are_walls_that_no_vehicle_drives_through', () => {
  const columns = 60, rows = 40, spacing = 0.5, cells = new Uint8Array(columns * rows);
  for (let j = 0; j < rows; j++) cells.fill(255, j * columns + 40, j * columns + 44);
  for (const design of VEHICLES) {
    const world = new JoltWorld(judge.Jolt), numbers = new Float32Array(18);
    for (const each of rectanglesOf(cells, columns, rows)) world.addBox(spacing * (each.x + 0.5 * each.columns), spacing * (each.y + 0.5 * each.rows), 1.2, 0, spacing * each.columns, spacing * each.rows, 2.4);
    const vehicle = new JoltVehicle(world, design, 6, 10, 0, 0);
    let farthest = 0;
    for (let frame = 0; frame < 480; frame++) {
      vehicle.press(1, 0, 0, 1, false, 1 / 60);
      world.step(1 / 60);
      farthest = Math.max(farthest, vehicle.motion(numbers)[0]);
    }
    assert.ok(farthest > 12 && farthest < 20, `${design.name}: ${farthest}`);
    world.destroy();
  }
});
test('a_world_goes_on_from_its_snapshot_as_it_went_on_before', () => {
  const world = new JoltWorld(judge.Jolt), numbers = new Float32Array(18), next = randomOf(7), moves = Array.from({ length: 600 }, () => [next(), 0.3 * next(), 2 * next() - 1]);
  const vehicles = VEHICLES.map((design, i) => new JoltVehicle(world, design, 0, 5 * i, 0, 0.1 * i));
  const drive = (from, to) => {
    const seen = [];
    for (let frame = from; frame < to; frame++) {
      const [throttle, brake, steering] = moves[frame];
      vehicles.forEach((vehicle, i) => { seen.push(...vehicle.motion(numbers)); vehicle.press(throttle, brake, i % 2 ? steering : -steering, 1, false, 1 / 60); });
      world.step(1 / 60);
    }
    return seen;
  };
  drive(0, 300);
  const middle = world.save(), before = drive(300, 600);
  world.restore(middle);
  assert.deepEqual(drive(300, 600), before);
  assert.throws(() => world.restore(middle.subarray(0, middle.length - 8)), /another world/);
  world.destroy();
});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
