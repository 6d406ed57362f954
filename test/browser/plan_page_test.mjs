// The page of a planned movement in a real browser: the tree grows, the last movement is the one of
// the report, and it is driven from start to goal.
//
//     node test/browser/plan_page_test.mjs build/kerb [FOLDER FOR SCREENSHOTS]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { main, nothingIsWiderThanAPhone, picture, runTests, seek, settle, takeScreenshot } from './browser.mjs';

const PLAN = ['plan', '--from', '4,4,0,0', '--to', '36,4,90,0', '--reverse', '--json'];
const ROWS = Array.from({ length: 24 }, (_, y) => Array.from({ length: 48 }, (_, x) => (x === 20 && y < 17 ? '@' : '.')).join(''));
const MAP = `type octile\nheight 24\nwidth 48\nmap\n${ROWS.join('\n')}\n`;

const text = (page, id) => page.textContent(`#p-${id}`);
const whole = async (page, id) => Number((await text(page, id)).replaceAll(',', ''));
const first = (page) => page.$eval('#scrub', (scrub) => Number(scrub.min));

const tests = {
  async the_tree_grows_expansion_by_expansion(page, report) {
    const begin = await first(page);
    assert.ok(begin < -2, `begins at ${begin}`);
    let last = -1;
    for (let part = 0; part < 1; part += 0.1) {
      await seek(page, begin + part * 1.5);
      const now = await whole(page, 'expansions');
      assert.ok(now >= last, `${now} expansions after ${last}`);
      last = now;
    }
    assert.equal(await text(page, 'phase'), 'Searching');
    assert.ok(last > 0 && last <= report.expansions);
    await seek(page, 0);
    assert.equal(await whole(page, 'expansions'), report.expansions);
    assert.ok(await whole(page, 'arcs') > report.expansions);
  },

  async the_last_movement_is_that_of_the_report(page, report) {
    await seek(page, -0.1);
    assert.equal(await text(page, 'phase'), 'Found');
    assert.equal(await text(page, 'cost'), report.cost_s.toFixed(2));
    assert.equal(await text(page, 'bound'), report.lower_bound_s.toFixed(2));
    assert.equal(Number(await page.$eval('#scrub', (scrub) => scrub.max)).toFixed(2), report.cost_s.toFixed(2));
  },

  async better_movements_follow_worse_ones(page) {
    const costs = [];
    for (let time = await first(page); time < 0; time += 0.05) {
      await seek(page, time);
      const cost = Number(await text(page, 'cost'));
      if (cost > 0) costs.push(cost);
    }
    assert.ok(costs.length > 5 && costs[0] > costs[costs.length - 1]);
    costs.forEach((cost, i) => assert.ok(i === 0 || cost <= costs[i - 1]));
  },

  async it_is_driven_from_start_to_goal(page, report) {
    const places = await page.evaluate(() => {
      const [trial] = readRecordings(document.getElementById('recordings')).trials;
      const { origin } = trial.course;
      return [trial.begin, 0, 3, trial.end].map((time) => [trial.value('x', time) + origin.x, trial.value('y', time) + origin.y]);
    });
    const near = ([x, y], [a, b]) => assert.ok(Math.hypot(x - a, y - b) < 0.05, `${x}, ${y} is not ${a}, ${b}`);
    near(places[0], [4, 4]);
    near(places[1], [4, 4]);
    near(places[3], [36, 4]);
    near(places[2], report.states.find(([t]) => Math.abs(t - 3) < 1e-6).slice(1, 3));
    const before = await (await seek(page, 1), picture(page));
    await seek(page, 3);
    assert.notEqual(await picture(page), before);
    assert.equal(await text(page, 'phase'), 'Driving');
  },

  async the_tree_can_be_hidden(page) {
    await seek(page, -0.1);
    const before = await picture(page);
    await page.click('#thoughts');
    await settle(page);
    assert.notEqual(await picture(page), before);
  },

  async it_plays_and_steps_through_the_search_too(page) {
    const begin = await first(page);
    await page.click('#restart');
    await settle(page);
    await page.click('#forth');
    await settle(page);
    const clock = parseFloat((await page.textContent('#clock b')).replace('−', '-'));
    assert.ok(clock > begin && clock < begin + 0.2, `${clock} after ${begin}`);
    await page.click('#play');
    await page.waitForTimeout(300);
    await page.click('#play');
    assert.ok(parseFloat((await page.textContent('#clock b')).replace('−', '-')) > clock);
  },

  nothing_is_wider_than_a_phone: nothingIsWiderThanAPhone,
};

/// Of a page of a movement that was driven.
const drivenTests = {
  async the_car_drives_beside_the_plan_as_the_report_says(page, report) {
    assert.equal(Number(await page.$eval('#scrub', (scrub) => scrub.max)).toFixed(2), report.driven_s.toFixed(2));
    let most = 0;
    for (let time = 0; time < report.driven_s; time += 0.25) {
      await seek(page, time);
      const [off, throttle, brake] = [await text(page, 'off'), await text(page, 'throttle'), await text(page, 'brake')].map(Number);
      most = Math.max(most, off);
      assert.ok(throttle === 0 || brake === 0, `${throttle} and ${brake} at ${time}`);
    }
    assert.ok(most > 0 && most <= report.error_max_m + 0.01, `${most}, ${report.error_max_m}`);
    assert.ok(await page.isVisible('#p-off'));
    assert.ok((await page.textContent('#about h1 + p')).includes(`driven in ${report.driven_s.toFixed(2)} s`));
  },
};

await main('KERB', async ({ browser, program, folder, screenshots }) => {
  const map = join(folder, 'wall.map');
  writeFileSync(map, MAP);
  const plan = (file, ...more) => JSON.parse(execFileSync(resolve(program), [...PLAN, '--map', map, ...more, '--html', file]));
  const [file, driven] = ['plan.html', 'driven.html'].map((name) => join(folder, name));
  const [report, drive] = [plan(file), plan(driven, '--vehicle', 'buggy', '--drive')];
  const [address, drivenAddress] = [file, driven].map((name) => pathToFileURL(name).href);
  for (const colorScheme of ['light', 'dark'])
    await takeScreenshot(browser, `${address}#trial=1&time=4`, join(screenshots, `plan-${colorScheme}.png`), { colorScheme });
  return [await runTests(tests, browser, address, report), await runTests(drivenTests, browser, drivenAddress, drive)];
});
