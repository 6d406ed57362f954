// Each driver does what it is for; what is around it counts; it is saved and restored.
import assert from 'node:assert/strict';
import { CalibrationOutcome, LaneHitKind, load, PlanOutcome, Reason, ParkerPhase } from '../dist/index.js';
import { test } from './harness.mjs';
import { Model } from './model.mjs';

const kerb = await load();
const dt = 0.015625;

/** Drives a model until `until` or for so many frames; returns the number of frames. */
function run(drive, model, frames, until = () => false) {
    for (let i = 0; i < frames; i++) {
        model.tell();
        const controls = drive(model.motion);
        if (until(controls))
            return i;
        model.step(controls);
    }
    return frames;
}

test('a follower arrives, stops behind another car, and keeps to a speed cap', () => {
    const path = new kerb.Path([[0, 0], [100, 0], [100, 60]], { width: 6 });
    const follower = new kerb.Follower({}, path, { speed: 12 }), around = new kerb.Surroundings({ id: 1 });
    const model = new Model(new kerb.Motion());
    const drive = (motion) => follower.drive(motion, around, dt);
    around.speedCap = 5;
    run(drive, model, 600);
    assert.ok(model.state[4] < 5.2 && model.state[4] > 4, `${model.state[4]} m/s`);
    assert.equal(follower.reason, kerb.text('reason', Reason.SPEED_CAP));
    around.speedCap = 1e6;
    around.neighbours = new kerb.Neighbours(4);
    around.neighbours.add({ id: 1, position: [model.state[0], 0, 0] }); // itself
    around.neighbours.add({ id: 2, position: [80, 0, 0] });
    follower.settings.avoid.patience = 500;
    run(drive, model, 1500);
    assert.ok(model.state[0] > 60 && model.state[0] < 80 - 4.5 && model.state[4] < 0.1, `${model.state}`);
    assert.equal(follower.decision.neighbour.id, 2);
    around.neighbours.clear();
    assert.ok(run(drive, model, 4000, ({ reason }) => reason === Reason.ARRIVED) < 4000);
    assert.equal(follower.reason, 'arrived');
    assert.equal(follower.badFrames, 0);
});

test('a saved follower goes on with the same controls, and a damaged block is refused', () => {
    const path = new kerb.Path([[0, 0], [60, 0], [60, 60]], { width: 6 });
    const follower = new kerb.Follower({}, path), model = new Model(new kerb.Motion());
    run((motion) => follower.drive(motion, null, dt), model, 200);
    const block = follower.save(), twin = new kerb.Follower({ wheelbase: 3 }, path).restore(block);
    for (let i = 0; i < 200; i++) {
        model.tell();
        const one = follower.drive(model.motion, null, dt).toJSON();
        assert.deepEqual(twin.drive(model.motion, null, dt).toJSON(), one);
        model.step(follower.controls);
    }
    assert.throws(() => follower.restore(block.slice(0, 100)), { field: 'size' });
    block[0] ^= 1;
    assert.throws(() => follower.restore(block), { field: 'magic' });
    assert.throws(() => new kerb.Parker().restore(twin.save()), { field: 'kind' });
});

test('a bad time step and an impossible motion are answered as the library says', () => {
    const follower = new kerb.Follower({}, new kerb.Path([[0, 0], [60, 0]]));
    assert.equal(follower.drive(new kerb.Motion({ position: [NaN, 0, 0] }), null, dt).reason, Reason.BAD_MOTION);
    assert.equal(follower.drive(new kerb.Motion(), null, 0).reason, Reason.BAD_STEP);
    assert.equal(follower.badFrames, 2);
});

test('a player takes the wheel and hands it back', () => {
    const follower = new kerb.Follower({}, new kerb.Path([[0, 0], [300, 0]], { width: 8 }), { speed: 8 });
    const around = new kerb.Surroundings({ id: 1 }), model = new Model(new kerb.Motion());
    around.playerDrives = around.isApplied = true;
    around.applied.assign({ throttle: 0.5, brake: 0, gear: 1, handbrake: false });
    for (let i = 0; i < 300; i++) {
        model.tell();
        follower.drive(model.motion, around, dt);
        model.step(around.applied);
    }
    const before = model.state[4];
    around.playerDrives = around.isApplied = false;
    run((motion) => follower.drive(motion, around, dt), model, 600);
    assert.ok(before > 8.5 && Math.abs(model.state[4] - 8) < 0.3, `${before}, ${model.state[4]} m/s`);
});

test('an origin that moves changes no controls', () => {
    const waypoints = [[0, 0], [80, 0], [80, 60]];
    const [a, b] = [0, 1].map(() => new kerb.Path(waypoints, { width: 6 }));
    const one = new kerb.Follower({}, a), two = new kerb.Follower({}, b);
    const [near, far] = [new Model(new kerb.Motion()), new Model(new kerb.Motion())];
    for (let i = 0; i < 500; i++) {
        if (i === 200) {
            b.shiftOrigin(64, -32);
            two.shiftOrigin(64, -32);
            far.state[0] -= 64;
            far.state[1] += 32;
        }
        near.tell();
        far.tell();
        const first = one.drive(near.motion, null, dt), second = two.drive(far.motion, null, dt);
        assert.ok(Math.abs(first.steering - second.steering) < 1e-3, `frame ${i}`);
        near.step(first);
        far.step(second);
    }
});

test('a racer laps a line that was searched in slices', () => {
    const track = new kerb.Path([[0, 0], [120, 0], [160, 50], [120, 100], [0, 100], [-40, 50]], { closed: true, width: 12 });
    kerb.validateTrack([...track.points].map(({ position }) => [position.x, position.y]));
    assert.ok(Array.isArray(kerb.checkTrack([[0, 0], [120, 0], [160, 50], [120, 100], [0, 100]], { width: 1 })));
    const solver = new kerb.LineSolver(track, { vehicle: {}, settings: { margin: 1.2 } });
    let slices = 0;
    while (solver.advance(8))
        slices++;
    assert.ok(slices > 3 && solver.progress === 1);
    const line = solver.line(2);
    solver.free();
    assert.ok(line.time > 5 && line.points.length === line.count && line.points.at(3).speed > 1);
    assert.equal(line.path().closed, true);
    const { x, y, heading } = line.at(10).toJSON();
    const racer = new kerb.Racer({}, line).character(7, 0.8);
    const model = new Model(new kerb.Motion(), x, y, Math.cos(heading), Math.sin(heading));
    run((motion) => racer.drive(motion, null, dt), model, 4000);
    assert.ok(racer.decision.totalDistance > line.length, `${racer.decision.totalDistance} m`);
    assert.equal(racer.badFrames, 0);
});

test('a plan leads round a wall, shows its tree, becomes a path, and is driven', () => {
    const planner = new kerb.Planner({ vehicle: {}, share: 0.4 });
    // Where ground has costs, though they are 0 here, plans are searched for.
    planner.setWorld({ polygons: [[[15, -20], [17, -20], [17, 6], [15, 6]]], boxMin: [-20, -30], boxMax: [60, 30],
        costMap: new Uint8Array(80 * 60), columns: 80, rows: 60, cellSize: 1, origin: [-20, -30] });
    planner.setMovers([{ x: 40, y: 20, heading: 0, velocity: [0, -1], length: 4, width: 2 }]);
    planner.begin([0, 0, 0], [{ x: 35, y: 0, heading: 0 }, { x: 35, y: 2, positionTolerance: 0.5 }]);
    let slices = 0, outcome;
    while ((outcome = planner.advance(200)) === PlanOutcome.RUNNING)
        slices++;
    assert.equal(outcome, PlanOutcome.FOUND);
    assert.ok(slices > 1 && planner.tree.count > 1 && planner.node(1).parent >= 0);
    const plan = planner.plan.copy();
    planner.begin([0, 0, 0], [5, 0, 0]);
    assert.ok(plan.count === plan.pieces.length && plan.length > 35);
    assert.ok(Math.abs(plan.at(1e9).pose.position.x - 35) < 0.6);
    assert.ok(plan.path({ speedStep: 2 }).length > 35);
    const driver = new kerb.PlanDriver({}, plan), model = new Model(new kerb.Motion(), 1.35, 0);
    assert.ok(run((motion) => driver.drive(motion, null, dt), model, 3000, ({ reason }) => reason === Reason.ARRIVED) < 3000);
    const search = new kerb.PlanSearch({ vehicle: {} });
    search.begin([0, 0, 0], [30, 5, 0]);
    while (search.advance(1000) === PlanOutcome.RUNNING)
        continue;
    assert.ok(search.plan.count > 0 && search.report.expansions > 0 && search.node(0).parent === -1);
    const grid = new Uint8Array(100).fill(255);
    assert.equal(planner.setWorld({ cells: grid, columns: 10, rows: 10, cellSize: 1, origin: [-5, -5] })
        .begin([0, 0, 0], [30, 0, 0]).advance(10), PlanOutcome.START_BLOCKED);
});

test('a lane keeper keeps its lane by rays', () => {
    const keeper = new kerb.LaneKeeper({}, { edgeDistance: 1.75, speed: 10 }), model = new Model(new kerb.Motion(), 0, 0.5);
    run((motion) => {
        const count = keeper.ask(motion);
        for (let i = 0; i < count; i++) {
            const { origin, direction, length } = keeper.rays.at(i), hit = keeper.hits.at(i);
            const edge = direction.y < 0 ? -1.75 : 5.25, reach = (edge - origin.y) / direction.y;
            const isHit = direction.y !== 0 && reach >= 0 && reach <= length;
            hit.kind = isHit ? LaneHitKind.EDGE : LaneHitKind.NOTHING;
            hit.distance = isHit ? reach : 0;
            hit.normal.set(0, -Math.sign(direction.y), 0);
        }
        return keeper.drive(motion, null, dt);
    }, model, 1200);
    assert.ok(Math.abs(model.state[1]) < 0.15 && model.state[4] > 9, `${model.state}`);
    assert.equal(keeper.decision.edgeSeen, true);
});

test('a parker parks, and a steering driver steers where behaviours want', () => {
    const parker = new kerb.Parker(), goal = new kerb.Pose(), model = new Model(new kerb.Motion());
    kerb.call.poseMake(goal, 12, 9, 1.5);
    assert.ok(run((motion) => parker.drive(goal, motion, null, dt), model, 6000, ({ reason }) => reason === Reason.ARRIVED) < 6000);
    assert.equal(parker.phase, ParkerPhase.ARRIVED);
    assert.equal(parker.phaseText, kerb.text('parkerPhase', ParkerPhase.ARRIVED));
    const driver = new kerb.SteeringDriver(), agent = new kerb.Agent(), desired = new kerb.Steering();
    const target = new kerb.Vec3([40, 40, 0]), second = new Model(new kerb.Motion());
    const near = () => Math.hypot(second.state[0] - 40, second.state[1] - 40) < 6;
    assert.ok(run((motion) => {
        kerb.call.agentOf(agent, driver.vehicle, motion);
        kerb.call.arrive(desired, agent, target, dt);
        return driver.drive(desired, motion, null, dt);
    }, second, 4000, near) < 4000);
});

test('a flyer flies along a path and to a goal', () => {
    const flyer = new kerb.Flyer({ cruiseSpeed: 50 });
    const motion = new kerb.Motion({ position: [0, 0, 500], velocity: [50, 0, 0] });
    const goal = new kerb.DirectedGoal({ position: [2000, 500, 400], forward: [0, 1, 0], speed: 40, turningRadius: 200 });
    assert.ok(flyer.arrive(goal, motion, 0.02).throttle >= 0);
    assert.ok(flyer.decision.remaining > 1500);
    const path = new kerb.Path([[0, 0, 500], [3000, 0, 500]], { width: 100 });
    assert.ok(Number.isFinite(flyer.follow(path, motion, 0.02).pitch));
    assert.equal(flyer.drive(null, motion, 0.02), flyer.controls);
});

test('a calibrator measures the model', () => {
    const calibrator = new kerb.Calibrator({ wheelbase: 2.7, speedMax: 30 }, { speedMax: 20 });
    const model = new Model(new kerb.Motion());
    const frames = run((motion) => calibrator.drive(motion, dt), model, 200000, () => !calibrator.isRunning);
    assert.ok(frames < 200000 && calibrator.outcome !== CalibrationOutcome.RUNNING);
    assert.ok(calibrator.isDone, calibrator.failureText);
    const braking = calibrator.fields().find(({ field }) => field === 'braking_max');
    assert.ok(Math.abs(braking.value - 8.1) < 0.3 && braking.confidence !== 'given', JSON.stringify(braking));
});

test('estimates learn, and a host check finds a wrong sign', () => {
    const estimate = new kerb.Estimate(), check = new kerb.HostCheck(), model = new Model(new kerb.Motion());
    const path = new kerb.Path(Array.from({ length: 60 }, (_, i) => [i * 10, 6 * Math.sin(i)]), { width: 8 });
    const follower = new kerb.Follower({}, path, { speed: 9 }), told = new kerb.Motion(), acted = new kerb.Controls();
    for (let i = 0; i < 3600; i++) {
        model.tell();
        estimate.feed(model.motion, acted, null, dt);
        told.assign(model.motion);
        told.velocity.set(model.state[4], 0, 0); // in the vehicle's axes: the mistake
        check.feed(told, acted, dt);
        acted.assign(follower.drive(model.motion, null, dt));
        model.step(acted);
    }
    const learned = estimate.describe(follower.vehicle, new kerb.Vehicle());
    assert.ok(Number.isFinite(learned.steeringAngleMax));
    assert.match(check.worst.text, /velocity/);
    assert.ok(check.worst.remedy.length > 20);
});

test('a company gives orders to the bots of a lane', () => {
    const company = new kerb.LaneCompany(5, { lanes: 3 });
    company.player.assign({ speed: 20, edgeDistance: 1.75 });
    const orders = company.begin();
    for (const order of orders)
        assert.ok(order.respawn && order.speed > 0);
    company.bots.assign([...orders].map((order) => ({ distanceAhead: order.respawnDistanceAhead,
        speed: order.speed, edgeDistance: order.edgeDistance, oncoming: order.respawnOncoming })));
    assert.equal(company.drive(0.02).at(0).speed > 0, true);
});
