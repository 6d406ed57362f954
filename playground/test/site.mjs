// The static build behind a plain file server, and the browser that opens it. What is missing is said
// in words, and the program ends with 77, which counts as skipped.
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
export const site = join(here, '..', 'dist');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml' };
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

function skip(reason) {
  console.log(`playground: skipped: ${reason}`);
  process.exit(77);
}

/// Serves the build in a folder of its own, as any file server would. `loaded` counts gzipped bytes.
export async function serve() {
  if (!existsSync(join(site, 'index.html'))) skip('it is not built (./dev playground-test builds it)');
  const loaded = new Map();
  const server = createServer(async (request, answer) => {
    let path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)).replace(/^\/some\/folder\//, '/');
    if (path.endsWith('/')) path += 'index.html';
    try {
      const bytes = await readFile(join(site, path));
      loaded.set(path, gzipSync(bytes, { level: 9 }).length);
      answer.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
      answer.end(bytes);
    } catch {
      answer.writeHead(404);
      answer.end();
    }
  });
  await new Promise((done) => server.listen(0, 'localhost', done));
  return { address: `http://localhost:${server.address().port}/some/folder/`, loaded, close: () => server.close() };
}

export async function launch() {
  let chromium;
  try {
    ({ chromium } = await import('playwright-core'));
  } catch {
    return skip('playwright-core is not installed (npm ci --prefix playground)');
  }
  const program = [process.env.KERB_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((place) => place && existsSync(place));
  if (!program) return skip('Chromium is not installed (apt-get install --no-install-recommends chromium)');
  return chromium.launch({ executablePath: program, args: FLAGS });
}

/// A page whose complaints are collected.
export async function openPage(browser, address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 900, height: 560 }, ...options });
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(`${error.stack ?? error}`.slice(0, 400)));
  page.on('console', (message) => { if (message.type() === 'error') complaints.push(message.text().slice(0, 400)); });
  const begun = Date.now();
  await page.goto(address);
  await page.waitForFunction(() => window.kerbPlayground?.steps > 5, null, { timeout: 40000 });
  return { page, complaints, opened: Date.now() - begun };
}
