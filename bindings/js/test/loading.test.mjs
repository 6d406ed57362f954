// Modules: what they import, what they have, from where they are loaded.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { load, version } from '../dist/index.js';
import { load as loadFollower } from '../dist/follower.js';
import { dist, test } from './harness.mjs';

const bytes = (name) => readFileSync(new URL(name, dist));

// The driver of each module, and one of another.
const drivers = {
    'kerb.wasm': ['Follower', null], 'follower.wasm': ['Follower', 'Racer'], 'racer.wasm': ['Racer', 'Follower'],
    'plan.wasm': ['PlanDriver', 'Racer'], 'lane.wasm': ['LaneKeeper', 'Follower'], 'seek.wasm': ['Parker', 'Follower'],
    'group.wasm': ['Flock', 'Parker'], 'fly.wasm': ['Flyer', 'Parker'], 'calibrate.wasm': ['Calibrator', 'Path'],
};

test('every module is tested here', () => {
    assert.deepEqual(readdirSync(dist).filter((name) => name.endsWith('.wasm')).sort(), Object.keys(drivers).sort());
});

for (const [name, [driver, other]] of Object.entries(drivers))
    test(`${name} imports nothing and has its driver`, async () => {
        const module = await WebAssembly.compile(bytes(name));
        assert.deepEqual(WebAssembly.Module.imports(module), []);
        const kerb = await load(module);
        const made = driver === 'Flock' ? new kerb.Flock(8) : new kerb[driver]();
        assert.ok(made.ptr > 0);
        if (other)
            assert.equal(kerb[other], undefined);
        assert.equal(kerb.call.version(), version);
    });

test('a module is loaded from bytes, a buffer, a response and an address', async () => {
    const all = bytes('follower.wasm');
    const server = createServer((request, response) => {
        response.writeHead(request.url === '/follower.wasm' ? 200 : 404,
            { 'Content-Type': request.headers['x-type'] ?? 'application/octet-stream' });
        response.end(request.url === '/follower.wasm' ? all : 'nothing here');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${server.address().port}`;
    try {
        const typed = await fetch(`${url}/follower.wasm`, { headers: { 'x-type': 'application/wasm' } });
        for (const source of [all, all.buffer.slice(all.byteOffset, all.byteOffset + all.length),
            `${url}/follower.wasm`, new URL(`${url}/follower.wasm`), await fetch(`${url}/follower.wasm`), typed])
            assert.ok(new (await load(source)).Follower().ptr > 0);
        assert.ok(new (await loadFollower()).Follower().ptr > 0);
        await assert.rejects(load(`${url}/other.wasm`), /404/);
    } finally {
        server.close();
    }
});

test('two loaded modules share nothing', async () => {
    const [a, b] = [await load(), await load()];
    const [one, two] = [new a.Motion({ gear: 3 }), new b.Motion()];
    assert.notEqual(a.m.u8.buffer, b.m.u8.buffer);
    assert.deepEqual([one.gear, two.gear], [3, 1]);
});

test('a module of another build is refused', async () => {
    const other = Buffer.from( // (module (memory (export "memory") 1) (func (export "layout") (result i32) i32.const 7))
        '0061736d010000000105016000017f030201000503010001071302066d656d6f72790200066c61796f757400000a0601040041070b', 'hex');
    await assert.rejects(load(other), /different builds/);
});
