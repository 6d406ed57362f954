// The controls of the native library and those of WebAssembly, in Node and in a browser, are the same
// bits.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../dist/index.js';
import { testIf } from './harness.mjs';
import { drives } from './model.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const package_ = fileURLToPath(new URL('../', import.meta.url));
const library = process.env.KERB_LIBRARY ?? join(root, 'build/libkerb.a');

function newest(folder) {
    return Math.max(...readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && /\.[ch]$/.test(entry.name))
        .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs));
}

function why() {
    if (!existsSync(library))
        return `there is no ${library}: ./dev build makes it`;
    if (!process.env.KERB_LIBRARY && statSync(library).mtimeMs < Math.max(newest(join(root, 'src')), newest(join(root, 'include'))))
        return `${library} is older than the sources: ./dev build makes it anew`;
    return '';
}

testIf(why() === '', why(), 'every driver gives the bits of the native library', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kerb-'));
    try {
        const program = join(folder, 'native');
        execFileSync('cc', ['-std=c17', '-O2', '-ffp-contract=off', '-Wall', '-Wextra', '-Werror',
            `-I${root}include`, fileURLToPath(new URL('native.c', import.meta.url)), library, '-lm',
            '-o', program]);
        const native = Object.fromEntries(execFileSync(program, { encoding: 'utf8' }).trim().split('\n')
            .map((line) => line.split(' ')));
        const kerb = await load();
        const here = Object.fromEntries(Object.entries(drives).map(([name, run]) => [name, run(kerb)]));
        assert.deepEqual(here, native);
    } finally {
        rmSync(folder, { recursive: true });
    }
});

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

testIf(chromium, 'chromium is not installed', 'every driver gives the same bits in a browser', async () => {
    const page = `<!doctype html><title>kerb</title><script type="module">
        import { load } from './dist/index.js';
        import { drives } from './test/model.mjs';
        const kerb = await load();
        const said = Object.entries(drives).map(([name, run]) => name + ' ' + run(kerb));
        await fetch('/said', { method: 'POST', body: said.join('\\n') });
    </script>`;
    let told;
    const said = new Promise((resolve) => { told = resolve; });
    const types = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };
    const server = createServer((request, response) => {
        const file = join(package_, request.url.split('?')[0]), type = types[/\w+$/.exec(file)?.[0]];
        if (request.method === 'POST') {
            let body = '';
            request.on('data', (part) => { body += part; });
            request.on('end', () => told(body));
            response.end();
        } else if (request.url === '/') {
            response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
        } else if (type && existsSync(file)) {
            response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file));
        } else {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const profile = mkdtempSync(join(tmpdir(), 'kerb-'));
    const browser = spawn(chromium, ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync',
        `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: 'ignore', detached: true });
    try {
        const late = setTimeout(() => told('the page said nothing within 90 s'), 90000);
        const kerb = await load();
        const here = Object.entries(drives).map(([name, run]) => `${name} ${run(kerb)}`);
        assert.deepEqual((await said).split('\n'), here);
        clearTimeout(late);
    } finally {
        const ended = new Promise((resolve) => browser.once('exit', resolve));
        process.kill(-browser.pid, 'SIGKILL'); // with its children, which write into the profile
        await ended;
        server.close();
        rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
});
