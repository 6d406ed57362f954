// The browser that tests of pages run in, and what they share. Without playwright-core or Chromium
// they say so and exit with 77, which CTest counts as skipped. KERB_CHROMIUM names another browser.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const SKIPPED = 77;
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}

function findPlaywright() {
  try {
    return createRequire(import.meta.url)('playwright-core');
  } catch {
    return skip('playwright-core is not installed (npm install --prefix test/browser)');
  }
}

function findChromium() {
  const places = [process.env.KERB_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return places.find((place) => place && existsSync(place)) ??
    skip('Chromium is not installed (apt-get install --no-install-recommends chromium)');
}

/// Until everything that was asked for has been drawn.
export const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
export const picture = (page) => page.evaluate(() => document.getElementById('scene').toDataURL());

export async function seek(page, time) {
  await page.locator('#scrub').evaluate((scrub, value) => {
    scrub.value = value;
    scrub.dispatchEvent(new Event('input'));
  }, time);
  await settle(page);
}

export async function nothingIsWiderThanAPhone(page) {
  for (const [width, height] of [[400, 800], [320, 568], [667, 375], [844, 390]]) {
    await page.setViewportSize({ width, height });
    await settle(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} x ${height}`);
    // On its side nothing lies over the words beside the map.
    if (width > height) assert.ok(await page.evaluate(() => document.querySelector('.stage').getBoundingClientRect().right <= document.querySelector('.side').getBoundingClientRect().left + 1), `${width} x ${height}`);
  }
}

async function openPage(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' });
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(address);
  await settle(page);
  return { page, pages: [page], complaints };
}

async function runTest(name, test, opened, given) {
  try {
    await test(opened.page, given);
    assert.deepEqual(opened.complaints, []);
    console.log(`ok      ${name}`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${name}\n${error.stack}`);
    return false;
  } finally {
    for (const page of opened.pages) await page.close();
  }
}

/// Each with a page of its own, of which the browser must not complain, and with `given`, or else
/// with all that `open` tells of the page.
export async function runTests(tests, browser, address, given, open = openPage) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    const opened = await open(browser, address);
    failed += (await runTest(name, test, opened, given ?? opened)) ? 0 : 1;
  }
  return { failed, count: Object.keys(tests).length };
}

export async function takeScreenshot(browser, address, file, settings, prepare = async () => {}) {
  mkdirSync(dirname(file), { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce', ...settings });
  await page.goto(address);
  await prepare(page);
  await settle(page);
  await page.screenshot({ path: file });
  await page.close();
}

/// The program of a test: `run` gets the browser, what was named, a folder that is removed and one
/// for screenshots, and returns what its runTests came to.
export async function main(named, run) {
  const [, script, program, screenshots] = process.argv;
  if (!program) {
    console.error(`usage: node ${basename(script)} ${named} [FOLDER FOR SCREENSHOTS]`);
    process.exit(2);
  }
  const { chromium } = findPlaywright();
  const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS });
  const folder = mkdtempSync(join(tmpdir(), 'kerb-page-'));
  const runs = await run({ browser, program, folder, screenshots: screenshots ?? folder });
  await browser.close();
  rmSync(folder, { recursive: true });
  const [failed, count] = ['failed', 'count'].map((sum) => runs.reduce((total, each) => total + each[sum], 0));
  console.log(failed ? `${failed} of ${count} failed` : `all ${count} passed`);
  process.exit(failed ? 1 : 0);
}
