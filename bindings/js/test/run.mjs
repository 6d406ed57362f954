// `npm test`: by vitest where it is installed, else by Node's own runner. Files and options are passed
// on.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
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
const report = `${here}build/test/report`;
mkdirSync(`${here}build/test`, { recursive: true });
const run = hasVitest
    ? [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}.json`, ...given]
    : ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout', '--test-reporter=tap',
        `--test-reporter-destination=${report}.tap`, ...(given.length ? given : files)];
const { status } = spawnSync(process.execPath, run, { cwd: here, stdio: 'inherit' });

/** Numbers of tests that passed, failed and were skipped. */
function counts() {
    if (hasVitest) {
        const said = JSON.parse(readFileSync(`${report}.json`, 'utf8'));
        return [said.numPassedTests, said.numFailedTests, said.numPendingTests];
    }
    const tap = readFileSync(`${report}.tap`, 'utf8');
    return ['pass', 'fail', 'skipped'].map((what) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(tap)[1]));
}

const [passed, failed, skipped] = counts();
console.log(`kerb-drive: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(status ?? 1);
