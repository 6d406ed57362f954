// `npm test`: by vitest where it is installed, else by Node's own runner. Files and options are passed
// on.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './harness.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));
if (!isBuilt) {
    console.error('kerb-drive is not built: npm run build');
    process.exit(1);
}
const vitest = `${here}node_modules/vitest/vitest.mjs`;
const hasVitest = existsSync(vitest);
if (!hasVitest)
    console.log('vitest is not installed (npm install): the tests run under node --test');
const files = readdirSync(`${here}test`).filter((name) => name.endsWith('.test.mjs')).map((name) => `test/${name}`);
const given = process.argv.slice(2);
const run = hasVitest ? [vitest, 'run', ...given]
    : ['--test', ...(given.length ? given : files)];
process.exit(spawnSync(process.execPath, run, { cwd: here, stdio: 'inherit' }).status ?? 1);
