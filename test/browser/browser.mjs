// The browser that tests of pages run in. Without playwright-core or Chromium they say so and exit
// with 77, which CTest counts as skipped. KERB_CHROMIUM names another browser.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const SKIPPED = 77;
export const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(SKIPPED);
}

export function findPlaywright() {
  try {
    return createRequire(import.meta.url)('playwright-core');
  } catch {
    return skip('playwright-core is not installed (npm install --prefix test/browser)');
  }
}

export function findChromium() {
  const places = [process.env.KERB_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return places.find((place) => place && existsSync(place)) ??
    skip('Chromium is not installed (apt-get install --no-install-recommends chromium)');
}
