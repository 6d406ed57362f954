// The page of a race in a real browser: what it says at the end is what the report says, and what
// can be pressed does something.
//
//     node test/browser/race_page_test.mjs build/kerb [FOLDER FOR SCREENSHOTS]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { main, nothingIsWiderThanAPhone, picture, runTests, seek, settle, takeScreenshot } from './browser.mjs';

const RACE = ['race', 'vamos', '--cars', '6', '--laps', '3', '--skill', '0.2,1', '--grid', 'reverse', '--json'];

const rows = (page) => page.$$eval('#order tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
const followed = (page) => page.$eval('#order tr[aria-current="true"] .chip', (chip) => Number(chip.textContent));

/// Rows of the trace at the last sample until a time, by driver.
function sampleAt(report, time) {
  const [head, ...lines] = report.trace.trim().split('\n').map((line) => line.split(','));
  const rows = lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]])));
  const last = Math.max(...rows.map(({ t_s }) => Number(t_s)).filter((t) => t <= time + 1e-6));
  return new Map(rows.filter(({ t_s }) => Number(t_s) === last).map((row) => [Number(row.driver), row]));
}

function seconds(text) {
  const parts = text.split(':').map(Number);
  return parts.length > 1 ? 60 * parts[0] + parts[1] : parts[0];
}

const tests = {
  async at_the_end_the_order_is_that_of_the_report(page, report) {
    await seek(page, 1e6);
    const shown = await rows(page);
    assert.deepEqual(shown.map((row) => Number(row[1])), report.results.map(({ driver }) => driver));
    report.results.forEach(({ best_lap_s, gap_s, laps }, i) => {
      assert.ok(Math.abs(seconds(shown[i][5]) - best_lap_s) < 0.006, `best lap ${shown[i][5]} is not ${best_lap_s}`);
      const behind = report.results[0].laps - laps;
      if (i > 0 && behind > 0) assert.match(shown[i][2], new RegExp(`^.${behind} lap`));
      else if (i > 0) assert.ok(Math.abs(Number(shown[i][2]) - gap_s) < 0.006, `gap ${shown[i][2]} is not ${gap_s}`);
      assert.equal(shown[i][6], 'home');
    });
    assert.equal(shown[0][2], 'won');
    assert.match(await page.textContent('#race-lap'), /^6 of 6 home, the first after \d/);
  },

  async on_the_grid_the_order_is_that_of_the_grid(page, report) {
    await seek(page, 0);
    const grid = [...report.results].sort((a, b) => a.start_place - b.start_place);
    assert.deepEqual((await rows(page)).map((row) => Number(row[1])), grid.map(({ driver }) => driver));
    assert.equal(await page.textContent('#race-lap'), 'Lap 1 of 3');
  },

  /// From place to place they add up to the gap to the leader, while nobody is a lap behind.
  async intervals_fit_the_gaps(page) {
    await seek(page, 20);
    const shown = await rows(page);
    for (let i = 1; i < shown.length; i++) {
      const [gap, interval] = [Number(shown[i][2]), Number(shown[i][3])];
      assert.ok(gap > 0 && interval >= 0 && interval <= gap + 0.011, `interval ${interval} in a gap of ${gap}`);
      if (i > 1) assert.ok(gap >= Number(shown[i - 1][2]), 'gaps grow from place to place');
    }
  },

  async a_row_that_is_pressed_is_followed(page) {
    await seek(page, 20);
    const before = await picture(page);
    const last = await page.$eval('#order tr:last-child .chip', (chip) => Number(chip.textContent));
    await page.click('#order tr:last-child');
    await page.click('#follow');
    await settle(page);
    assert.equal(await followed(page), last);
    assert.notEqual(await picture(page), before);
  },

  async the_leader_is_chosen_whoever_it_is(page, report) {
    await seek(page, 0);
    await page.click('#leader');
    await settle(page);
    assert.equal(await followed(page), report.results.find(({ start_place }) => start_place === 1).driver);
    await seek(page, 1e6);
    await settle(page);
    assert.equal(await followed(page), report.results[0].driver);
    assert.equal(await page.getAttribute('#leader', 'aria-pressed'), 'true');
    await page.click('#order tr:last-child');
    assert.equal(await page.getAttribute('#leader', 'aria-pressed'), 'false');
  },

  async what_a_driver_sees_and_minds_is_that_of_the_trace(page, report) {
    const seen = new Set();
    for (const time of [2, 20, 60, 80, 92]) {
      await seek(page, time);
      for (const number of [1, 3, 6]) {
        await page.click(`#order .chip >> text="${number}"`);
        await settle(page);
        const row = sampleAt(report, time).get(number);
        assert.equal(await page.textContent('#r-sees'), `${row.told} / 5`);
        assert.equal(await page.textContent('#r-minds'), row.minded || 'none');
        const lane = Number((await page.textContent('#r-lane')).replace('−', '-'));
        assert.ok(Math.abs(lane - Number(row.lane)) < 0.016, `lane ${lane} is not ${row.lane}`);
        seen.add(row.told);
      }
    }
    assert.ok(seen.size > 1, 'not always the same number is seen');
  },

  async whom_the_driver_sees_can_be_left_out(page) {
    await seek(page, 8);
    assert.equal(await page.getAttribute('#sight', 'aria-pressed'), 'true');
    const lines = () => page.evaluate(() => {
      let count = 0;
      const { strokeLine } = Scene.prototype;
      Scene.prototype.strokeLine = function counted(points) {
        count += this.context.globalAlpha === 0.5 ? 1 : 0;
        strokeLine.call(this, points);
      };
      document.getElementById('scrub').dispatchEvent(new Event('input'));
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        Scene.prototype.strokeLine = strokeLine;
        done(count);
      })));
    });
    const told = Number((await page.textContent('#r-sees')).split(' ')[0]);
    assert.ok(told > 0);
    assert.ok(await lines() >= told, 'a line to each that is seen');
    const before = await picture(page);
    await page.click('#sight');
    await settle(page);
    assert.equal(await page.getAttribute('#sight', 'aria-pressed'), 'false');
    assert.equal(await lines(), 0);
    assert.notEqual(await picture(page), before);
    await page.keyboard.press('s');
    assert.equal(await page.getAttribute('#sight', 'aria-pressed'), 'true');
  },

  /// But for moments in which they slide or are pushed.
  async cars_move_between_samples_as_they_drive(page) {
    const shares = await page.evaluate(() => {
      const { trials } = readRecordings(document.getElementById('recordings'));
      return trials.map((trial) => {
        let [wrong, count] = [0, 0];
        for (let time = 1; time < 60; time += 0.013, count++) {
          const [dx, dy] = ['x', 'y'].map((name) => trial.value(name, time + 0.013) - trial.value(name, time));
          if (Math.abs(Math.hypot(dx, dy) / 0.013 - Math.abs(trial.value('speed', time))) > 1.5) wrong++;
        }
        return wrong / count;
      });
    });
    for (const share of shares) assert.ok(share < 0.05, `moves otherwise than it drives for ${100 * share} % of the time`);
  },

  nothing_is_wider_than_a_phone: nothingIsWiderThanAPhone,
};

await main('KERB', async ({ browser, program, folder, screenshots }) => {
  const file = join(folder, 'race.html');
  const trace = join(folder, 'race.csv');
  const report = JSON.parse(execFileSync(resolve(program), [...RACE, '--html', file, '--csv', trace]));
  report.trace = readFileSync(trace, 'utf8');
  const address = pathToFileURL(file).href;
  for (const colorScheme of ['light', 'dark'])
    await takeScreenshot(browser, `${address}#trial=1&time=20`, join(screenshots, `race-${colorScheme}.png`), { colorScheme }, (page) => page.click('#follow'));
  return [await runTests(tests, browser, address, report)];
});
