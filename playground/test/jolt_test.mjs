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
const { VEHICLES } = await import('../jolt/vehicles.mjs');
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
test('the_same_trial_gives_the_same_numbers', () => {
  const strip = ({ drive_ns, ...rest }) => rest;
  assert.deepEqual(strip(judging.trial(judge, 0, 3)), strip(judging.trial(judge, 0, 3)));
});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
