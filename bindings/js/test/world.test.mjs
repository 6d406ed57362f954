// Paths, axes of other engines, crowds, and pictures.
import assert from 'node:assert/strict';
import { DrawRole, load } from '../dist/index.js';
import { test } from './harness.mjs';

const kerb = await load();
const near = (a, b, most = 1e-5) => assert.ok(Math.abs(a - b) <= most, `${a} is not ${b}`);

test('a path says where what is', () => {
    const path = new kerb.Path([[0, 0], [60, 0], { x: 60, y: 40, z: 4, stop: 3 }], { width: 5, speedLimit: 9 });
    assert.deepEqual([path.count, path.closed, path.points.length, path.points.at(1).speedLimit], [3, false, 3, 9]);
    near(path.length, 60 + Math.hypot(40, 4), 1e-4);
    near(path.sampleAt(30).position.x, 30);
    near(path.sampleAt(30).left, 2.5);
    near(path.stationNear(20, 3), 20);
    near(path.crossTrack(20, 3), 3);
    assert.equal(path.sampleAt(1), path.sampleAt(2));
    assert.equal(path.points.at(2).stop, 3);
    assert.equal(typeof path.id, 'bigint');
    const again = new kerb.Path([...path.points].map(({ position }) => position.toJSON()));
    assert.equal(again.count, 3);
});

test('axes of other engines go there and back', () => {
    const expected = { unity: [3, -1, 2], unreal: [0.01, -0.02, 0.03], godot: [-3, -1, 2], gltf: [3, 1, 2] };
    for (const [engine, [x, y, z]] of Object.entries(expected)) {
        const axes = new kerb.Axes(engine), ours = new kerb.Vec3();
        axes.positionFrom({ x: 1, y: 2, z: 3 }, ours);
        [[ours.x, x], [ours.y, y], [ours.z, z]].forEach(([a, b]) => near(a, b));
        const theirs = axes.positionTo(ours, { x: 0, y: 0, z: 0 });
        [[theirs.x, 1], [theirs.y, 2], [theirs.z, 3]].forEach(([a, b]) => near(a, b));
        const q = axes.rotationTo(axes.rotationFrom({ x: 0.1, y: 0.2, z: 0.3, w: 0.9 }, new kerb.Quat()), {});
        [[q.x, 0.1], [q.y, 0.2], [q.z, 0.3], [q.w, 0.9]].forEach(([a, b]) => near(a, b));
        const w = axes.angularVelocityTo(axes.angularVelocityFrom({ x: 1, y: 2, z: 3 }, ours), {});
        near(w.y, 2);
    }
    assert.throws(() => new kerb.Axes('doom'), /unity/);
    // A turn about y up is a heading.
    const rotation = new kerb.Axes('gltf').rotationFrom({ x: 0, y: Math.sin(0.25), z: 0, w: Math.cos(0.25) }, new kerb.Quat());
    near(kerb.call.quatHeading(rotation), 0.5);
});

test('a grid finds who is near, and agents are arrays', () => {
    const agents = new kerb.Agents(4), grid = new kerb.NeighbourGrid(100);
    agents.x.set([0, 5, 90, 3]);
    agents.y.set([0, 5, 0, 0]);
    grid.buildFrom(agents, 10);
    const count = grid.within(1, 1, 0, 20);
    assert.deepEqual([...grid.found.subarray(0, count)].sort(), [0, 1, 3]);
    assert.equal(grid.nearest(80, 0, 0, 50, 2), 1);
    assert.deepEqual([grid.found[0], grid.distancesSquared[0]], [2, 100]);
    grid.x.set([7, 8]);
    assert.equal(grid.build(2, 5).within(7, 0, 0, 2), 2);
    const agent = agents.get(1, new kerb.Agent());
    assert.deepEqual(agent.position.toJSON(), { x: 5, y: 5, z: 0 });
    agent.speed = 4;
    agents.set(1, agent);
    assert.equal(agents.speed[1], 4);
});

test('a flock moves', () => {
    const agents = new kerb.Agents(30), flock = new kerb.Flock(30, { speed: 5 });
    for (let i = 0; i < 30; i++) {
        agents.x[i] = (i % 6) * 4;
        agents.y[i] = Math.floor(i / 6) * 4;
    }
    for (let i = 0; i < 120; i++)
        flock.update(agents, 1 / 30);
    assert.ok(agents.x.every(Number.isFinite) && agents.speed.every((speed) => speed > 1));
});

test('a buffer holds what a driver shows', () => {
    const path = new kerb.Path([[0, 0], [60, 0]]), follower = new kerb.Follower({}, path), motion = new kerb.Motion();
    follower.drive(motion, null, 0.02);
    const buffer = new kerb.DrawBuffer(200, 20, 5);
    kerb.call.drawPath(buffer, path, 0, path.length);
    kerb.call.drawFollower(buffer, follower, path, motion);
    assert.ok(buffer.lineCount > 5 && buffer.textCount === 1 && buffer.dropped === 0);
    assert.equal(buffer.lines.at(0).role, DrawRole.PATH);
    assert.match(buffer.texts.at(0).text, /m\/s/);
    assert.equal(buffer.clear().lineCount, 0);
});

test('every class of a struct can be made, written and read', () => {
    let classes = 0;
    for (const [name, Class] of Object.entries(kerb)) {
        if (typeof Class !== 'function' || !Class.struct || !Class.$export)
            continue;
        const one = new Class(), copy = new Class(one);
        assert.deepEqual(copy.toJSON(), one.toJSON(), name);
        one.free();
        copy.free();
        classes++;
    }
    assert.ok(classes > 80, `${classes} classes`);
});
