// The example of README.md runs, and fits its types; those of the types' own test, too.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test, testIf } from './harness.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${here}README.md`, 'utf8');
const example = /```js\n([\s\S]*?)```/.exec(readme)[1];
// In the package's own folder, so that 'kerb-drive' is this package.
const folder = `${here}build/test`;
mkdirSync(folder, { recursive: true });

test('the example of the README has about twenty lines and arrives', () => {
    writeFileSync(`${folder}/example.mjs`, example);
    const said = execFileSync(process.execPath, [`${folder}/example.mjs`], { encoding: 'utf8' });
    assert.match(said, /^arrived at (59\.[89]|60\.[012]), (39\.[789]|40\.[0123])\n$/);
    assert.ok(example.trim().split('\n').length <= 22);
});

const typescript = `${here}node_modules/typescript/bin/tsc`;
testIf(existsSync(typescript), 'typescript is not installed (npm install)', 'the types fit the example and each other', () => {
    writeFileSync(`${folder}/example.ts`, example);
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution',
        'nodenext', '--lib', 'es2022,dom'];
    try {
        execFileSync(process.execPath, [typescript, ...options, `${folder}/example.ts`, `${here}test/types.ts`],
            { encoding: 'utf8', cwd: here });
    } catch (error) {
        assert.fail(error.stdout);
    }
});
