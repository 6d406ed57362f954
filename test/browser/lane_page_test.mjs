// The page of lane keeping in a real browser: its errors are the report's, what a keeper thinks is
// shown and nothing that only others think, and there is a line for every ray.
//
//     node test/browser/lane_page_test.mjs build/kerb [FOLDER FOR SCREENSHOTS]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { main, nothingIsWiderThanAPhone, runTests, seek, takeScreenshot } from './browser.mjs';

const LANE = ['lane', 'vamos', '--scenario', 'avoid', '--json'];
const TIMES = [5, 14, 30, 47];

const number = async (page, id) => Number((await page.textContent(id)).replace('−', '-'));
const raysShown = (page) => page.$$eval('#r-rays li', (all) => all.map((line) => [...line.children].map((part) => part.textContent)));

const tests = {
  async the_table_has_the_errors_of_the_report(page, report) {
    const cells = await page.$$eval('#trials tr.trial td', (all) => all.map((cell) => cell.textContent));
    assert.equal(cells[1], report.lateral_error_mean_m.toFixed(3));
    assert.equal(cells[2], report.lateral_error_max_m.toFixed(3));
  },

  async what_it_keeps_and_what_is_wanted_differ_by_little(page) {
    await seek(page, 8);
    const [wanted, held] = [await number(page, '#r-edge-wanted'), await number(page, '#r-edge-held')];
    assert.equal(wanted, 1.75);
    assert.ok(Math.abs(held - wanted) < 0.3, `${held} m from the edge, not ${wanted}`);
  },

  async there_is_a_line_for_every_ray_that_was_asked_for(page) {
    const met = new Set();
    for (const time of TIMES) {
      await seek(page, time);
      const shown = await raysShown(page);
      const asked = await page.evaluate((at) => {
        const raw = JSON.parse(document.getElementById('recordings').textContent).trials[0];
        return atob(raw.ray_counts).charCodeAt(Math.floor((at - raw.start) * raw.rate + 1e-6));
      }, await page.$eval('#scrub', (scrub) => Number(scrub.value)));
      assert.equal(shown.length, asked);
      for (const [what, length] of shown) {
        assert.match(what, /^(edge|wall|car|nothing)$/);
        assert.match(length, /^(within )?\d+\.\d m$/);
        met.add(what);
      }
    }
    assert.ok(met.has('edge'));
  },

  async a_car_that_stands_in_the_lane_is_met(page) {
    let met = false;
    for (let time = 8; time < 20 && !met; time += 0.5) {
      await seek(page, time);
      met = (await raysShown(page)).some(([what]) => what === 'car');
    }
    assert.ok(met);
  },

  async nothing_is_shown_that_only_others_think(page) {
    for (const id of ['#r-lookahead', '#r-radius', '#r-heading', '#r-lane', '#r-place'])
      assert.ok(!(await page.locator(id).isVisible()), `${id} is shown`);
    for (const id of ['#r-edge-wanted', '#r-edge-held', '#r-gap', '#r-rays']) assert.ok(await page.locator(id).isVisible(), `${id} is not shown`);
  },

  nothing_is_wider_than_a_phone: nothingIsWiderThanAPhone,
};

await main('KERB', async ({ browser, program, folder, screenshots }) => {
  const file = join(folder, 'lane.html');
  const report = JSON.parse(execFileSync(resolve(program), [...LANE, '--html', file]));
  const address = pathToFileURL(file).href;
  for (const [name, viewport] of [['desktop', { width: 1400, height: 900 }], ['phone', { width: 400, height: 800 }]])
    await takeScreenshot(browser, `${address}#trial=1&time=14`, join(screenshots, `lane-${name}.png`), { viewport }, (page) => page.click('#follow'));
  return [await runTests(tests, browser, address, report)];
});
