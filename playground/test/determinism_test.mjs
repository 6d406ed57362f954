// The same scenes give the same hashes in Node and in the browser; that Node gives those of the native
// build, test_stage_wasm (CTest) says. Jolt gives the same on every run: two runs of a scene
// in the browser, and its recorded middle.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { launch, openPage, serve } from './site.mjs';

const here = dirname(fileURLToPath(import.meta.url)), STEPS = 240;
const server = await serve(), browser = await launch();
const { page } = await openPage(browser, server.address);

// In the browser by the page's own module, through the calls that the page makes.
const inBrowser = await page.evaluate(async (steps) => {
  const app = window.kerbPlayground, lines = [];
  app.setRunning(false);
  for (const entry of app.entries.filter((each) => !each.id.startsWith('jolt/') && each.id !== 'plan/mesh')) {
    const show = await entry.make(1, entry.choices.map((choice) => choice.usual));
    for (let i = 0; i < steps; i++) show.step();
    lines.push(`${entry.id} ${steps} ${show.hash}`);
    show.free();
  }
  return lines;
}, STEPS);
const jolt = await page.evaluate(async () => {
  const app = window.kerbPlayground, all = [];
  for (const id of ['jolt/queue', 'plan/mesh']) {
    const entry = app.entries.find((each) => each.id === id), hashes = [];
    for (let run = 0; run < 2; run++) {
      const show = await entry.make(1, entry.choices.map((choice) => choice.usual));
      const steps = (n) => { for (let i = 0; i < n; i++) show.step(); };
      if (run === 1) { steps(90); show.restart(); } // beginning again is a run as well
      steps(120);
      const middle = show.save();
      steps(280);
      hashes.push(show.hash);
      show.restore(middle);
      steps(280);
      hashes.push(show.hash);
      show.free();
    }
    all.push(hashes);
  }
  return all;
});
await browser.close();
server.close();

const { stdout } = await promisify(execFile)(process.execPath, [join(here, '..', 'native', 'run_stage.mjs'), join(here, '..', 'native', 'stage.wasm'), String(STEPS)]);
const inNode = stdout.trim().split('\n');
let failed = 0;
for (const [name, test] of [
  ['every_scene_has_in_the_browser_the_hash_that_it_has_in_node', () => assert.deepEqual(inBrowser, inNode)],
  ['jolt_gives_the_same_on_every_run_and_from_a_snapshot_in_its_middle', () => { for (const hashes of jolt) for (const hash of hashes) assert.equal(hash, hashes[0]); }],
])
  try {
    test();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error.message}`);
  }
console.log(`${2 - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
