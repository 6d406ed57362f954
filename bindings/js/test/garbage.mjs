// A program: drives a million frames and says what they allocated. Its young generation must be so
// large that nothing is collected meanwhile, and the engine must not tidy up when it has been busy for
// long (--no-memory-reducer): see garbage.test.mjs.
//     node --expose-gc … garbage.mjs DRIVER [FRAMES]
import { PerformanceObserver } from 'node:perf_hooks';
import { load } from '../dist/index.js';

const kerb = await load();
const name = process.argv[2], frames = Number(process.argv[3] ?? 1e6);
const motion = new kerb.Motion(), around = new kerb.Surroundings({ id: 1 });
around.neighbours = new kerb.Neighbours(4);
const other = around.neighbours.add({ id: 2, position: [30, 3, 0] });
const intent = new kerb.Intent(), goal = new kerb.Pose(), desired = new kerb.Steering({ direction: [1, 0, 0], speed: 5 });
kerb.call.poseMake(goal, 12, 9, 1);
const path = new kerb.Path([[0, 0], [60, 0], [60, 40], [0, 40]], { closed: true, width: 6 });

function racer() {
    const solver = new kerb.LineSolver(path, { vehicle: {} });
    while (solver.advance(8))
        continue;
    return new kerb.Racer({}, solver.line());
}

function planDriver() {
    const planner = new kerb.Planner({ vehicle: {} });
    planner.begin([0, 0, 0], [40, 10, 0]);
    while (planner.advance(1000) === 0)
        continue;
    return new kerb.PlanDriver({}, planner.plan.copy());
}

const makers = {
    follower() {
        const follower = new kerb.Follower({}, path, { speed: 12 });
        return () => {
            const controls = follower.drive(motion, around, 1 / 60);
            follower.intent(intent);
            return controls;
        };
    },
    racer() {
        const driver = racer();
        return () => driver.drive(motion, around, 1 / 60);
    },
    planDriver() {
        const driver = planDriver();
        return () => driver.drive(motion, around, 1 / 60);
    },
    laneKeeper() {
        const keeper = new kerb.LaneKeeper({});
        const answer = (ray, hit) => { // the edge is 4 m to the right
            const down = -ray.direction.y;
            const isHit = down > 0 && ray.origin.y + 4 < ray.length * down;
            hit.kind = isHit ? 1 : 0;
            hit.distance = isHit ? (ray.origin.y + 4) / down : 0;
            hit.normal.y = 1;
        };
        return () => {
            const count = keeper.ask(motion);
            for (let i = 0; i < count; i++)
                answer(keeper.rays.at(i), keeper.hits.at(i));
            return keeper.drive(motion, around, 1 / 60);
        };
    },
    parker() {
        const parker = new kerb.Parker({});
        return () => parker.drive(goal, motion, around, 1 / 60);
    },
    steeringDriver() {
        const driver = new kerb.SteeringDriver({});
        return () => driver.drive(desired, motion, around, 1 / 60);
    },
    flyer() {
        const flyer = new kerb.Flyer({});
        return () => flyer.follow(path, motion, 1 / 60);
    },
    calibrator() {
        const calibrator = new kerb.Calibrator({});
        return () => calibrator.drive(motion, 1 / 60);
    },
};

const frame = makers[name]();
const s = new Float64Array(8); // x, y, angle, speed, and what is read: numbers that make no objects

// Number by number: a number that is given to a function which is not inlined becomes an object,
// whatever that function does, and the engine inlines set(x, y, z) only where it has room.
function tell() {
    motion.position.x = s[0];
    motion.position.y = s[1];
    motion.rotation.z = s[6];
    motion.rotation.w = s[7];
    other.position.x = s[0] + 30;
    motion.velocity.x = s[3] * (1 - 2 * s[6] * s[6]);
    motion.velocity.y = s[3] * 2 * s[6] * s[7];
    motion.angularVelocity.z = s[3] * 0.25 * motion.steering;
}

function turn() {
    s[2] = (s[2] + (s[3] * 0.25 * motion.steering) / 60) % (2 * Math.PI);
    s[6] = Math.sin(0.5 * s[2]);
    s[7] = Math.cos(0.5 * s[2]);
    s[0] = (s[0] + motion.velocity.x / 60) % 1000;
    s[1] = (s[1] + motion.velocity.y / 60) % 1000;
}

function apply(controls) {
    motion.steering = controls.steering;
    motion.gear = controls.gear;
    s[4] += controls.reason + (controls.handbrake ? 1 : 0);
    s[3] = Math.min(Math.max(s[3] + (controls.throttle * 4 - controls.brake * 8 - 0.1) / 60, 0), 30);
}

s[7] = 1;
function run(count) {
    for (let i = 0; i < count; i++) {
        tell();
        apply(frame());
        turn();
    }
}

let collections = 0, began = Infinity;
const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().filter(({ startTime }) => startTime >= began).length;
});
run(frames / 4); // until the engine has compiled what it will
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
await settle();
globalThis.gc();
await settle();
observer.observe({ entryTypes: ['gc'] });
began = performance.now();
// In pieces, and their median: garbage of a frame is in every piece, code that the engine compiles
// late is in one.
const pieces = 5, perCall = [];
for (let i = 0; i < pieces; i++) {
    const before = process.memoryUsage().heapUsed;
    run(frames / pieces);
    perCall.push((process.memoryUsage().heapUsed - before) / (frames / pieces));
}
await settle();
console.log(JSON.stringify({ collections, perCall: perCall.sort((a, b) => a - b)[(pieces - 1) / 2] }));
