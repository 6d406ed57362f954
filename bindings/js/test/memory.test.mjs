// Views, lists, growing memory, and what is freed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { load } from '../dist/index.js';
import { test } from './harness.mjs';

test('views still see their memory after it has grown', async () => {
    const kerb = await load();
    const motion = new kerb.Motion({ position: [1, 2, 3] }), agents = new kerb.Agents(10);
    const { buffer } = kerb.m.u8, x = agents.x;
    agents.x[3] = 7;
    const many = [];
    while (kerb.m.u8.buffer === buffer)
        many.push(new kerb.Planner({}));
    assert.deepEqual(motion.position.toJSON(), { x: 1, y: 2, z: 3 });
    motion.position.y = 5;
    assert.equal(motion.position.y, 5);
    assert.notEqual(agents.x, x);
    assert.equal(agents.x[3], 7);
});

test('free gives memory back, so that a page may make and free objects for ever', async () => {
    const kerb = await load();
    const round = () => {
        const path = new kerb.Path(Array.from({ length: 500 }, (_, i) => [i * 5, 0]));
        const follower = new kerb.Follower({}, path), planner = new kerb.Planner({}), keeper = new kerb.LaneKeeper();
        const grid = new kerb.NeighbourGrid(1000), around = new kerb.Surroundings();
        for (const one of [follower, path, planner, keeper, grid, around, new kerb.Motion(), new kerb.Neighbours(9),
            new kerb.Agents(50), new kerb.Flock(50), new kerb.DrawBuffer(), kerb.numbers('f64', 99),
            kerb.structs(kerb.Obstacle, 9), new kerb.Axes('gltf'), new kerb.LaneCompany(4), new kerb.PlanSearch({})])
            one.free();
    };
    round();
    const bytes = kerb.m.u8.length;
    for (let i = 0; i < 200; i++)
        round();
    assert.equal(kerb.m.u8.length, bytes);
});

test('an error on the way to an object leaves no memory behind', async () => {
    const kerb = await load();
    const track = new kerb.Path([[0, 0], [100, 0], [50, 80]], { closed: true, width: 10 });
    const round = () => {
        assert.throws(() => new kerb.Path([[0, 0], [NaN, 0], ...Array.from({ length: 999 }, (_, i) => [i, 9])]));
        assert.throws(() => new kerb.Follower({}, null, { speed: -1 }));
        assert.throws(() => new kerb.Planner({ turningRadius: -1 }));
        assert.throws(() => new kerb.LineSolver(track, { settings: { margin: -1 } }));
        assert.throws(() => new kerb.NeighbourGrid(-1));
    };
    round();
    const bytes = kerb.m.u8.length;
    for (let i = 0; i < 500; i++)
        round();
    assert.equal(kerb.m.u8.length, bytes);
});

test('what is freed cannot be driven, and its views change nothing', async () => {
    const kerb = await load();
    const path = new kerb.Path([[0, 0], [50, 0]]), motion = new kerb.Motion();
    const follower = new kerb.Follower({}, path), { controls, settings } = follower;
    path.free();
    assert.throws(() => follower.drive(motion, null, 0.01), /freed/);
    follower.path = new kerb.Path([[0, 0], [50, 0]]);
    follower.drive(motion, null, 0.01);
    assert.throws(() => follower.drive({}, null, 0.01), TypeError);
    assert.throws(() => follower.drive(undefined, null, 0.01), TypeError);
    const around = new kerb.Surroundings();
    around.free();
    assert.throws(() => follower.drive(motion, around, 0.01), /freed/);
    motion.free();
    motion.free();
    motion.position.x = 5;
    assert.throws(() => follower.drive(motion, null, 0.01), /freed/);
    follower.free();
    controls.brake = 0.5;
    settings.speed = 3;
    assert.deepEqual([follower.ptr, controls.brake, motion.position.x], [0, undefined, undefined]);
    assert.throws(() => kerb.call.motionForwardSpeed(motion), /freed/);
});

test('objects that are lost are released by the collector', () => {
    const program = fileURLToPath(new URL('lost.mjs', import.meta.url));
    const said = JSON.parse(execFileSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' }));
    for (const [name, { made, released }] of Object.entries(said))
        assert.ok(released > 0.9 * made, `${name}: ${released} of ${made}`);
});

test('lists and numbers are arrays of the module', async () => {
    const kerb = await load();
    const list = kerb.structs(kerb.Obstacle, 3).assign([{ from: [1, 2, 0], radius: 2 }, {}, { to: [4, 5, 6] }]);
    assert.equal(list.at(0), list.at(0));
    assert.deepEqual([...list].map((one) => one.radius), [2, 0, 0]);
    assert.deepEqual(list.at(2).toJSON().to, { x: 4, y: 5, z: 6 });
    assert.throws(() => list.at(3), RangeError);
    const numbers = kerb.numbers('i32', 4).assign([1, 2, 3]);
    assert.deepEqual([...numbers], [1, 2, 3, 0]);
    assert.equal(numbers.array.constructor, Int32Array);
    assert.throws(() => kerb.numbers('i128', 4));
});

test('a plain object, a list and a view write the same', async () => {
    const kerb = await load();
    const a = new kerb.Motion({ position: { x: 1, y: 2, z: 3 }, rotation: [0, 0, 1, 0], gear: -1, engine_speed: 5 });
    const b = new kerb.Motion(a);
    b.position.assign(new Float32Array([1, 2, 3]));
    assert.deepEqual(b.toJSON(), a.toJSON());
    assert.throws(() => a.assign({ positon: [0, 0, 0] }), /positon/);
    assert.throws(() => a.assign({ position: { a: 1 } }), /a:/);
});
