// The controls of the native library and those of WebAssembly are the same bits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../dist/index.js';
import { testIf } from './harness.mjs';
import { drives } from './model.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
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
