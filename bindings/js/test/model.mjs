// A kinematic vehicle in single precision, operation by operation as test/native.c has it: both give
// the same bits, because each operation is rounded to a float, and there are no functions but sqrt.
const f = Math.fround;

export class Model {
    constructor(motion, x = 0, y = 0, hx = 1, hy = 0) {
        this.motion = motion;
        this.state = new Float32Array([x, y, hx, hy, 0, 0]); // x, y, heading, speed, steering
        this.gear = 1;
    }

    /** Writes the motion. */
    tell() {
        const { motion, state: s } = this;
        motion.position.set(s[0], s[1], 0);
        const w = f(Math.sqrt(f(f(1 + s[2]) * 0.5))), z = f(Math.sqrt(f(f(1 - s[2]) * 0.5)));
        motion.rotation.set(0, 0, s[3] < 0 ? -z : z, w);
        motion.velocity.set(f(s[4] * s[2]), f(s[4] * s[3]), 0);
        motion.angularVelocity.set(0, 0, f(s[4] * f(s[5] * 0.25)));
        motion.steering = s[5];
        motion.gear = this.gear;
    }

    /** Applies controls for a sixty-fourth of a second. */
    step(controls) {
        const { state: s } = this, dt = 0.015625;
        this.gear = controls.gear;
        s[5] = controls.steering;
        const way = controls.gear < 0 ? -1 : 1;
        let along = f(s[4] * way);
        along = f(along + f(f(controls.throttle * 4) * dt));
        const loss = f(f(f(controls.brake * 8) + 0.125) * dt);
        along = along > loss ? f(along - loss) : along < -loss ? f(along + loss) : 0;
        s[4] = f(along * way);
        const a = f(f(s[4] * f(s[5] * 0.25)) * dt);
        const hx = f(s[2] - f(s[3] * a)), hy = f(s[3] + f(s[2] * a));
        const length = f(Math.sqrt(f(f(hx * hx) + f(hy * hy))));
        s[2] = f(hx / length);
        s[3] = f(hy / length);
        s[0] = f(s[0] + f(f(s[4] * s[2]) * dt));
        s[1] = f(s[1] + f(f(s[4] * s[3]) * dt));
    }
}

/** Hash of all controls that were given: of the words of memory, as test/native.c has them. */
export class Hash {
    value = 2166136261;

    take(kerb, controls) {
        const from = controls.ptr >> 2, { u32 } = kerb.m;
        for (let i = 0; i < 4; i++)
            this.word(u32[from + i]); // throttle, brake, steering, clutch
        this.word(controls.gear);
        this.word(controls.handbrake ? 1 : 0);
        this.word(controls.reason);
    }

    word(value) {
        this.value = Math.imul(this.value ^ value, 16777619) >>> 0;
    }
}

/** Courses that test/native.c drives, too. Each returns the hash of all controls. */
export const drives = {
    follower(kerb) {
        const path = new kerb.Path([{ x: 0, y: 0 }, { x: 60, y: 0, speedLimit: 8 }, { x: 60, y: 40, stop: 1 },
            { x: 20, y: 50 }, { x: 0, y: 60, direction: -1 }, { x: 30, y: 62, direction: -1 }], { width: 6 });
        return drive(kerb, new kerb.Follower({ speedMax: 40 }, path, { speed: 12 }));
    },
    racer(kerb) {
        const track = new kerb.Path([[0, 0], [200, 0], [260, 60], [200, 120], [0, 120], [-60, 60]],
            { closed: true, width: 12 });
        const solver = new kerb.LineSolver(track, { vehicle: { speedMax: 40 } });
        while (solver.advance(4))
            continue;
        const line = solver.line(2), { x, y } = line.at(0);
        return drive(kerb, new kerb.Racer({ speedMax: 40 }, line), x, y);
    },
    planDriver(kerb) {
        const planner = new kerb.Planner({ vehicle: { speedMax: 40 }, share: 0.4 });
        planner.setWorld({ polygons: [[[10, -5], [12, -5], [12, 8], [10, 8]]] });
        planner.begin([0, 0, 0, 0], [30, 5, 0, 0]);
        while (planner.advance(1000) === 0)
            continue;
        return drive(kerb, new kerb.PlanDriver({ speedMax: 40 }, planner.plan.copy()), 1.35, 0);
    },
    parker(kerb) {
        const parker = new kerb.Parker({ speedMax: 40 }), goal = new kerb.Pose();
        kerb.call.poseMake(goal, 12, 9, 2.5);
        const of = { controls: parker.controls, drive: (motion, around, dt) => parker.drive(goal, motion, around, dt) };
        return drive(kerb, of);
    },
};

function drive(kerb, driver, x = 0, y = 0) {
    const motion = new kerb.Motion(), around = new kerb.Surroundings(), hash = new Hash();
    const model = new Model(motion, x, y);
    for (let i = 0; i < 4000; i++) {
        model.tell();
        const controls = driver.drive(motion, around, 0.015625);
        hash.take(kerb, controls);
        model.step(controls);
    }
    return hash.value.toString(16).padStart(8, '0');
}
