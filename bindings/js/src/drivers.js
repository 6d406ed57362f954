// The drivers: a struct in the module's memory each, with its settings, its vehicle and its memory.
import { StructList, own } from './memory.js';
import * as structs from './structs.js';

// Address of an argument of a call in every frame: wrong ones throw, because address 0 is memory.
export function at(view) {
    const { ptr } = view;
    if (!(ptr > 0))
        throw new TypeError('an object of Kerb is wanted here, which was not freed');
    return ptr;
}

const aligned = (size) => (size + 7) & ~7;

/**
 * A class for one driver. `name` is that of its functions in the module; `Described` is what it
 * drives, kerb.Vehicle or kerb.Aircraft.
 */
export function driverClass(kerb, Struct, name, Described) {
    const { m, exports: e } = kerb;
    const init = e[`${name}_init`], save = e[`${name}_save`], load = e[`${name}_load`];
    const shift = e[`${name}_shift_origin`], reasonText = e.reason_text;
    if (!init)
        return undefined;
    return class extends Struct {
        constructor(described, settings) {
            const ptr = m.allocate(aligned(Struct.size) + structs.Controls.size);
            super(m, ptr, null);
            own(this, [ptr]);
            this.$controlsAt = ptr + aligned(Struct.size);
            this.$result = new structs.Controls(m, this.$controlsAt, this);
            try {
                this.$init(described);
                if (settings)
                    this.settings.assign(settings);
            } catch (error) {
                this.free();
                throw error;
            }
        }

        // A plain object describes as well as a view.
        $init(described) {
            const isView = described instanceof Described;
            const view = isView ? described : new Described(described);
            try {
                m.check(e[`${Described.$export}_validate`](at(view), m.error));
                init(this.ptr, view.ptr);
            } finally {
                if (!isView)
                    view.free();
            }
            e.controls_safe(this.$controlsAt, 0);
        }

        /** Begins anew with what it drives now, or with another, and default settings. */
        restart(described) {
            if (described === undefined)
                init(this.ptr, this.ptr + this.$describedAt());
            else
                this.$init(described);
            return this;
        }

        $describedAt() {
            return (this.vehicle ?? this.aircraft ?? this.measured).ptr - this.ptr;
        }

        /** What drive() returned last: one object, whose values change. */
        get controls() {
            return this.$result;
        }

        /** Why it drives so, in words. */
        get reason() {
            return m.text(reasonText(this.$result.reason));
        }

        /** All that it is, as bytes that restore() reads in the same build. */
        save() {
            const size = save(this.ptr, 0, 0), block = m.allocate(size);
            try {
                save(this.ptr, block, size);
                return m.u8.slice(block, block + size);
            } finally {
                m.release(block);
            }
        }

        /** Goes on where the saved driver was. Bytes of another type or build throw. */
        restore(bytes) {
            const block = m.allocate(bytes.length);
            try {
                m.u8.set(bytes, block);
                m.check(load(this.ptr, block, bytes.length, m.error));
            } finally {
                m.release(block);
            }
            return this;
        }

        /** The world's origin has moved to this place, in the old coordinates. */
        shiftOrigin(x, y, z = 0) {
            shift(this.ptr, kerb.$vec(x, y, z));
            return this;
        }
    };
}

export function follower(kerb) {
    const { m, exports: e } = kerb, drive = e.follower_drive;
    const Driver = driverClass(kerb, structs.FollowerStruct, 'follower', kerb.Vehicle);
    return Driver && class Follower extends Driver {
        constructor(vehicle, path = null, settings = undefined) {
            super(vehicle, settings);
            this.path = path;
        }

        drive(motion, surroundings, timeStep) {
            drive(this.$controlsAt, at(this), at(this.path), at(motion),
                surroundings ? surroundings.$ready() : 0, timeStep);
            return this.$result;
        }

        /** Writes what it is about to drive, for the neighbours of its vehicle. */
        intent(into) {
            e.follower_intent(at(this), at(this.path), at(into));
            return into;
        }

        /** Ends the wait at a stop. */
        go() {
            e.follower_go(at(this));
        }

        get hostMistake() {
            return m.text(e.host_mistake_text(this.decision.hostMistake));
        }
    };
}

export function racer(kerb) {
    const { exports: e } = kerb, drive = e.racer_drive;
    const Driver = driverClass(kerb, structs.RacerStruct, 'racer', kerb.Vehicle);
    return Driver && class Racer extends Driver {
        constructor(vehicle, line = null, settings = undefined) {
            super(vehicle, settings);
            this.line = line;
        }

        drive(motion, surroundings, timeStep) {
            drive(this.$controlsAt, at(this), at(this.line), at(motion),
                surroundings ? surroundings.$ready() : 0, timeStep);
            return this.$result;
        }

        /** The default settings with this skill and the character of this seed. */
        character(seed, skill) {
            e.racer_settings_of_seed(this.settings.ptr, seed, skill);
            return this;
        }
    };
}

export function planDriver(kerb) {
    const { exports: e } = kerb, drive = e.plan_driver_drive;
    const Driver = driverClass(kerb, structs.PlanDriverStruct, 'plan_driver', kerb.Vehicle);
    return Driver && class PlanDriver extends Driver {
        constructor(vehicle, plan = null, settings = undefined) {
            super(vehicle, settings);
            this.plan = plan;
        }

        drive(motion, surroundings, timeStep) {
            drive(this.$controlsAt, at(this), at(this.plan), at(motion),
                surroundings ? surroundings.$ready() : 0, timeStep);
            return this.$result;
        }
    };
}

export function laneKeeper(kerb) {
    const { m, exports: e } = kerb, drive = e.lane_keeper_drive, ask = e.lane_keeper_rays;
    const Driver = driverClass(kerb, structs.LaneKeeperStruct, 'lane_keeper', kerb.Vehicle);
    const { LaneRay, LaneHit } = structs;
    const most = 10; // KERB_LANE_RAYS_MAX
    return Driver && class LaneKeeper extends Driver {
        constructor(vehicle, settings = undefined) {
            super(vehicle, settings);
            const block = m.allocate(most * (LaneRay.size + LaneHit.size));
            this.$held.blocks.push(block);
            this.$raysAt = block;
            this.$hitsAt = block + most * LaneRay.size;
            this.rays = new StructList(LaneRay, m, this.$raysAt, most, LaneRay.size, this);
            this.hits = new StructList(LaneHit, m, this.$hitsAt, most, LaneHit.size, this);
            this.rayCount = 0;
        }

        /** Writes `rays` and returns how many there are; the host answers in `hits`. */
        ask(motion) {
            return (this.rayCount = ask(at(this), at(motion), this.$raysAt));
        }

        drive(motion, surroundings, timeStep) {
            drive(this.$controlsAt, at(this), this.$raysAt, this.$hitsAt, this.rayCount, at(motion),
                surroundings ? surroundings.$ready() : 0, timeStep);
            return this.$result;
        }

        /** The direction along the road in which to drive; it forgets the road. */
        setDirection(x, y, z = 0) {
            e.lane_keeper_set_direction(at(this), kerb.$vec(x, y, z));
            return this;
        }
    };
}

export function parker(kerb) {
    const { m, exports: e } = kerb, drive = e.parker_drive;
    const Driver = driverClass(kerb, structs.ParkerStruct, 'parker', kerb.Vehicle);
    return Driver && class Parker extends Driver {
        /** Drives to `goal`, a Pose of the reference point. */
        drive(goal, motion, surroundings, timeStep) {
            drive(this.$controlsAt, at(this), at(goal), at(motion),
                surroundings ? surroundings.$ready() : 0, timeStep);
            return this.$result;
        }

        get phaseText() {
            return m.text(e.parker_phase_text(this.phase));
        }
    };
}

export function calibrator(kerb) {
    const { m, exports: e } = kerb, drive = e.calibrator_drive;
    const Driver = driverClass(kerb, structs.CalibratorStruct, 'calibrator', kerb.Vehicle);
    return Driver && class Calibrator extends Driver {
        drive(motion, timeStep) {
            drive(this.$controlsAt, at(this), at(motion), timeStep);
            return this.$result;
        }

        get isRunning() {
            return this.outcome === 0;
        }

        get isDone() {
            return this.outcome === 1;
        }

        get failureText() {
            return m.text(e.calibration_failure_text(this.failure));
        }

        get phaseText() {
            return m.text(e.calibration_phase_text(this.phase));
        }

        /** Fields that it measures, with value, deviation and confidence. */
        fields() {
            return Array.from(this.confidence, (confidence, i) => {
                const field = m.text(e.calibration_field_name(i));
                return { field, value: this.measured.get(field), deviation: this.deviation.at(i),
                    confidence: m.text(e.calibration_confidence_text(confidence)) };
            });
        }
    };
}

export function steeringDriver(kerb) {
    const { exports: e } = kerb, drive = e.steering_driver_drive;
    const Driver = driverClass(kerb, structs.SteeringDriverStruct, 'steering_driver', kerb.Vehicle);
    return Driver && class SteeringDriver extends Driver {
        /** Brings the vehicle to the direction and speed of `desired`, a Steering. */
        drive(desired, motion, surroundings, timeStep) {
            drive(this.$controlsAt, at(this), at(desired), at(motion),
                surroundings ? surroundings.$ready() : 0, timeStep);
            return this.$result;
        }
    };
}

export function flyer(kerb) {
    const { exports: e } = kerb;
    const { flyer_drive: drive, flyer_follow: follow, flyer_arrive: arrive } = e;
    const Driver = driverClass(kerb, structs.FlyerStruct, 'flyer', kerb.Aircraft);
    return Driver && class Flyer extends Driver {
        /** Flies in the direction of `desired`, a Steering; null: level and straight on. */
        drive(desired, motion, timeStep) {
            drive(this.$controlsAt, at(this), desired ? at(desired) : 0, at(motion), timeStep);
            return this.$result;
        }

        /** Flies along a path in space. */
        follow(path, motion, timeStep) {
            follow(this.$controlsAt, at(this), at(path), at(motion), timeStep);
            return this.$result;
        }

        /** Flies to `goal`, a DirectedGoal. */
        arrive(goal, motion, timeStep) {
            arrive(this.$controlsAt, at(this), at(goal), at(motion), timeStep);
            return this.$result;
        }
    };
}

/** What a vehicle does, learned from driving it: steering, body, pedals or all three. */
export function estimate(kerb, Struct, name) {
    const { exports: e } = kerb, feed = e[`${name}_feed`];
    const Driver = driverClass(kerb, Struct, name, kerb.Vehicle);
    return Driver && class extends Driver {
        /** Learns from one frame: the controls that acted in it, and the motion at its end. */
        feed(motion, controls, surroundings, timeStep) {
            feed(at(this), at(motion), at(controls), surroundings ? surroundings.$ready() : 0, timeStep);
        }

        /** Computes what the frames since the last update say. */
        update() {
            e[`${name}_update`](at(this));
            return this;
        }

        /** Forgets what was learned. */
        reset() {
            e[`${name}_reset`](at(this));
            return this;
        }

        /** Writes what is known into `into`, on top of `description`. */
        describe(description, into) {
            e[`${name}_vehicle`](at(into), at(this), at(description));
            return into;
        }
    };
}

export function hostCheck(kerb) {
    const { m, exports: e } = kerb;
    const Driver = driverClass(kerb, structs.HostCheckStruct, 'host_check', kerb.Vehicle);
    return Driver && class HostCheck extends Driver {
        feed(motion, controls, timeStep) {
            e.host_check_feed(at(this), at(motion), controls ? at(controls) : 0, timeStep);
        }

        /** The mistake to mend first, or null: in words, with its remedy. */
        get worst() {
            const which = e.host_check_worst(at(this));
            return which === 0 ? null : { mistake: which, text: m.text(e.host_mistake_text(which)),
                remedy: m.text(e.host_mistake_remedy(which)) };
        }
    };
}
