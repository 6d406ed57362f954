// Driving a frame allocates nothing in JavaScript.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from './harness.mjs';

const program = fileURLToPath(new URL('garbage.mjs', import.meta.url));

// A frame that makes an object of one number takes 12 bytes or more. A third of that is left for what
// the engine does on its own.
const perFrameMax = 4;

for (const [driver, frames] of [['follower', 1e6], ['racer', 2e5], ['planDriver', 2e5], ['laneKeeper', 2e5],
    ['parker', 2e5], ['steeringDriver', 2e5], ['flyer', 2e5], ['calibrator', 2e5]])
    test(`${frames} frames of a ${driver} leave no garbage`, () => {
        const said = JSON.parse(execFileSync(process.execPath, ['--expose-gc', '--min-semi-space-size=64',
            '--max-semi-space-size=64', '--no-memory-reducer', program, driver, String(frames)], { encoding: 'utf8' }));
        console.log(`${driver}: ${said.perCall.toFixed(3)} bytes a frame`);
        assert.equal(said.collections, 0);
        assert.ok(said.perCall < perFrameMax, `${said.perCall} bytes a frame`);
    });
