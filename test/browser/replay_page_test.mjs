// The replay page in a real browser: opens it from the disk, presses what can be pressed, and looks
// at what changed.
//
//     npm install --prefix test/browser            # playwright-core, once
//     apt-get install --no-install-recommends chromium
//     node test/browser/replay_page_test.mjs build/test/test_replay_page [FOLDER FOR SCREENSHOTS]
//
// The first argument is the program that writes a page of twelve trials, or such a page. Without
// playwright-core or Chromium it says so and exits with 77, which CTest counts as skipped.
// KERB_CHROMIUM names another browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { main, picture, runTests, seek, settle, takeScreenshot } from './browser.mjs';

// ---------------------------------------------------------------- what the page shows

const clock = async (page) => parseFloat(await page.textContent('#clock b'));
const end = async (page) => parseFloat((await page.textContent('#clock span')).replace('/', ''));
const framesAsked = (page) => page.evaluate(() => window.framesAsked);
/// What the box with words, the last to be drawn that is 42 high, covers though it is in view.
const hiddenByWords = (page) => page.evaluate(() => {
  const { box, vehicle, target, canvas } = window.drawn;
  const inView = ({ x, y }) => x > 0 && y > 100 && x < canvas.clientWidth && y < canvas.clientHeight;
  const covered = ({ x, y }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + 42;
  return box ? Object.entries({ vehicle, target }).filter(([, at]) => inView(at) && covered(at)) : [];
});
const near = (value, expected, tolerance, what) =>
  assert.ok(Math.abs(value - expected) <= tolerance, `${what} is ${value}, not ${expected}`);

async function changesPicture(page, action) {
  const before = await picture(page);
  await action();
  await settle(page);
  assert.notEqual(await picture(page), before, 'the picture stayed the same');
}

// ---------------------------------------------------------------- behaviour

const tests = {
  async opens_at_once_and_loads_nothing_else(page, open) {
    assert.deepEqual(open.requests.length, 1, open.requests.join(' '));
    const ready = await page.evaluate(() => performance.getEntriesByType('navigation')[0].domComplete);
    console.log(`    ready after ${Math.round(ready)} ms`);
    assert.ok(ready < 2000, `ready after ${ready} ms`); // with room for a busy test machine
    assert.equal(await clock(page), 0);
  },

  async it_plays_when_it_is_opened(page, open) {
    const playing = await open.again('', { reducedMotion: 'no-preference' });
    assert.equal(await playing.getAttribute('#play', 'aria-label'), 'Pause');
    await playing.waitForFunction(() => parseFloat(document.querySelector('#clock b').textContent) > 0.5);
  },

  async it_waits_where_less_motion_is_preferred_or_a_moment_is_pointed_at(page, open) {
    await page.waitForTimeout(200);
    assert.equal(await clock(page), 0);
    const pointed = await open.again('#trial=4&time=7', { reducedMotion: 'no-preference' });
    await pointed.waitForTimeout(200);
    assert.equal(await clock(pointed), 7);
  },

  async the_map_is_never_black_before_its_first_frame(page, open) {
    const held = await open.again('', { held: true });
    const corner = () => held.evaluate(() => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      context.drawImage(document.getElementById('scene'), 0, 0);
      return context.getImageData(2, 140, 1, 1).data;
    });
    assert.ok((await corner())[0] > 200, 'dark when new');
    await held.setViewportSize({ width: 1000, height: 700 });
    await held.waitForFunction(() => document.getElementById('scene').width < 600);
    assert.ok((await corner())[0] > 200, 'dark after a change of size');
  },

  async the_words_at_the_vehicle_hide_neither_it_nor_its_target(page) {
    for (const course of ['0', '1', '2', '3']) {
      await page.selectOption('#course', course);
      for (const time of [0, 0.5, 3, 8]) {
        await page.click('#fit');
        await seek(page, time);
        for (let zoom = 0; zoom < 8; zoom++) {
          await page.keyboard.press('+');
          await settle(page);
          assert.deepEqual(await hiddenByWords(page), [], `course ${course}, ${time} s, zoom ${zoom}`);
        }
      }
    }
  },

  async playing_moves_time_on_and_pausing_stops_it(page) {
    await page.click('#play');
    await page.waitForFunction(() => parseFloat(document.querySelector('#clock b').textContent) > 0.3);
    await page.keyboard.press('Space');
    // Focus was on the button, where space is a click: either way one press pauses once.
    const stopped = await clock(page);
    await page.waitForTimeout(200);
    near(await clock(page), stopped, 0.11, 'the clock after pausing');
    const paused = await clock(page);
    await page.waitForTimeout(150);
    assert.equal(await clock(page), paused);
  },

  async frames_are_drawn_only_while_playing(page) {
    await settle(page);
    const before = await framesAsked(page);
    await page.waitForTimeout(300);
    assert.equal(await framesAsked(page), before);
  },

  async playing_eight_times_as_fast_is_faster(page) {
    await page.selectOption('#pace', '8');
    const begun = Date.now();
    await page.click('#play');
    await page.waitForFunction(() => parseFloat(document.querySelector('#clock b').textContent) > 6);
    assert.ok(Date.now() - begun < 5000, 'six seconds took as long as at normal speed');
  },

  async at_the_end_it_stops_and_play_begins_anew(page) {
    await page.keyboard.press('End');
    await settle(page);
    near(await clock(page), await end(page), 0.01, 'the clock');
    await page.click('#play');
    await page.waitForFunction(() => parseFloat(document.querySelector('#clock b').textContent) < 5);
  },

  async arrow_keys_step_by_frames_and_seconds(page) {
    await seek(page, 10);
    await page.keyboard.press('ArrowRight');
    await settle(page);
    near(await clock(page), 10 + 1 / 30, 0.006, 'one frame on');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await settle(page);
    near(await clock(page), 9, 0.006, 'one second back');
  },

  async scrubbing_moves_time_and_vehicle(page) {
    await changesPicture(page, () => seek(page, 12.5));
    near(await clock(page), 12.5, 0.006, 'the clock');
    const box = await page.locator('#scrub').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await settle(page);
    near(await clock(page), (await end(page)) / 2, 1, 'the clock');
  },

  async a_click_on_a_chart_goes_there(page) {
    const box = await page.locator('.plot').nth(1).boundingBox();
    await page.mouse.click(box.x + 36 + (box.width - 46) * 0.25, box.y + 20);
    await settle(page);
    near(await clock(page), (await end(page)) / 4, 0.5, 'the clock');
  },

  async charts_over_distance_find_their_time(page) {
    await page.keyboard.press('x');
    const box = await page.locator('.plot').nth(0).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 20);
    await settle(page);
    const length = parseFloat(await page.evaluate(() => document.querySelector('#r-progress').textContent));
    assert.ok(length > 10, `${length} m along the course`);
  },

  async another_course_and_driver_can_be_chosen(page) {
    await changesPicture(page, () => page.selectOption('#course', '2'));
    assert.equal(await page.textContent('#about h1'), 'hairpins');
    await changesPicture(page, () => page.selectOption('#driver', { label: 'baseline' }));
    assert.equal(await page.textContent('tr[aria-current="true"] button'), 'baseline');
    await page.click('tr.trial[data-trial="4"]');
    await settle(page);
    assert.equal(await page.textContent('#about h1'), 'figure-eight');
    assert.equal(await page.inputValue('#driver'), '4');
  },

  async a_link_leads_to_its_trial_and_time(page, open) {
    await page.selectOption('#course', '1');
    await seek(page, 7.25);
    await page.waitForFunction(() => location.hash === '#trial=4&time=7.25');
    const other = await open.again('#trial=6&time=3.5');
    near(await clock(other), 3.5, 0.006, 'the clock');
    assert.equal(await other.inputValue('#driver'), '5');
    await other.evaluate(() => (location.hash = '#trial=2&time=1'));
    await other.waitForFunction(() => document.querySelector('#driver').value === '1');
    await other.goto(other.url().replace(/#.*/, '#trial=99999&time=x'));
    await settle(other);
  },

  async ghosts_thoughts_and_heading_up_show(page) {
    await seek(page, 10);
    await changesPicture(page, () => page.click('#ghosts'));
    assert.ok(await page.isVisible('#ghost-names'));
    await changesPicture(page, () => page.keyboard.press('t'));
    await changesPicture(page, () => page.keyboard.press('f'));
    await changesPicture(page, () => page.click('#heading-up'));
    assert.equal(await page.getAttribute('#follow', 'aria-pressed'), 'true');
  },

  async zoom_and_pan_move_the_map_and_fit_brings_it_back(page) {
    const whole = await picture(page);
    const box = await page.locator('#scene').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await changesPicture(page, () => page.mouse.wheel(0, -300));
    await changesPicture(page, async () => {
      await page.mouse.down();
      await page.mouse.move(box.x + 340, box.y + 280);
      await page.mouse.up();
    });
    await page.click('#fit');
    await settle(page);
    assert.equal(await picture(page), whole);
  },

  async panning_lets_go_of_a_followed_vehicle(page) {
    await page.click('#follow');
    const box = await page.locator('#scene').boundingBox();
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 350, box.y + 300);
    await page.mouse.up();
    assert.equal(await page.getAttribute('#follow', 'aria-pressed'), 'false');
  },

  async the_keys_are_listed_and_the_list_closes(page) {
    await page.keyboard.press('?');
    assert.ok(await page.isVisible('#keys'));
    await page.keyboard.press('Escape');
    assert.ok(!(await page.isVisible('#keys')));
  },

  async darkness_changes_the_picture_at_once(page) {
    await changesPicture(page, async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForTimeout(50);
    });
  },

  async a_phone_shows_everything_without_sideways_scrolling(page) {
    await page.setViewportSize({ width: 400, height: 800 });
    await page.waitForTimeout(100);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(over, 0);
    for (const id of ['#play', '#scrub', '#course', '#driver', '#scene']) assert.ok(await page.isVisible(id), id);
  },

  async everything_that_can_be_pressed_has_a_name(page) {
    const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input, [role="img"]')]
      .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length))
      .map((node) => node.outerHTML));
    assert.deepEqual(nameless, []);
  },
};

// ---------------------------------------------------------------- running them

/// In the page: counts frames, or never grants one, and notes where the words are drawn.
function watchFrames(held) {
  window.framesAsked = 0;
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (frame) => (held ? 1 : ask((now) => (window.framesAsked++, frame(now))));
  window.drawn = {};
  addEventListener('DOMContentLoaded', () => {
    const [draw, words] = [Scene.prototype.draw, Scene.prototype.drawThought];
    Scene.prototype.draw = function (trial, ...rest) {
      window.drawn = { canvas: this.context.canvas };
      draw.call(this, trial, ...rest);
    };
    Scene.prototype.drawThought = function (vehicle, now, ...rest) {
      const { context, view } = this;
      const rectangle = context.roundRect;
      context.roundRect = (x, y, width, height, radius) => {
        window.drawn.box = { x, y, width };
        rectangle.call(context, x, y, width, height, radius);
      };
      words.call(this, vehicle, now, ...rest);
      delete context.roundRect;
      window.drawn.vehicle = view.toScreen(now);
      window.drawn.target = view.toScreen({ x: now.x + now.target_x, y: now.y + now.target_y });
    };
  });
}

/// A fresh page, and what it asked for and complained about.
async function openPage(browser, address) {
  const open = { requests: [], complaints: [], address };
  open.again = async (hash, { reducedMotion = 'reduce', held = false } = {}) => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, reducedMotion });
    page.on('request', (request) => open.requests.push(request.url()));
    page.on('pageerror', (error) => open.complaints.push(String(error.stack)));
    page.on('console', (message) => open.complaints.push(message.text()));
    await page.addInitScript(watchFrames, held);
    await page.goto(address + hash);
    if (!held) await settle(page);
    (open.pages ??= []).push(page);
    return page;
  };
  open.page = await open.again('');
  return open;
}

function pageAddress(source, folder) {
  if (source.endsWith('.html')) return pathToFileURL(resolve(source)).href;
  const file = join(folder, 'replay.html');
  execFileSync(resolve(source), [file]);
  return pathToFileURL(file).href;
}

await main('PROGRAM|PAGE', async ({ browser, program, folder, screenshots }) => {
  const address = pageAddress(program, folder);
  for (const [name, width, height] of [['wide', 1400, 900], ['phone', 400, 800]])
    for (const colorScheme of ['light', 'dark'])
      await takeScreenshot(browser, `${address}#trial=4&time=12`, join(screenshots, `${name}-${colorScheme}.png`), { viewport: { width, height }, colorScheme });
  return [await runTests(tests, browser, address, null, openPage)];
});
