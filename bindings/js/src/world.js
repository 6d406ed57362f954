// What drivers are given: paths, neighbours, surroundings, and the axes of other engines.
import { KerbError, NumberList, StructList, own } from './memory.js';
import * as structs from './structs.js';
import { at } from './drivers.js';

/** Writes waypoints into memory that is only used during `call`. */
export function withWaypoints(kerb, waypoints, { width, ...defaults }, call) {
    const { m, exports: e } = kerb, { Waypoint } = structs;
    const list = Array.isArray(waypoints) ? waypoints : [...waypoints];
    const block = m.allocate(Math.max(list.length, 1) * Waypoint.size);
    try {
        const items = new StructList(Waypoint, m, block, list.length, Waypoint.size, null);
        list.forEach((given, i) => {
            const item = items.at(i);
            e.waypoint_at(item.ptr, 0, 0, 0);
            if (width !== undefined)
                item.left = item.right = width / 2;
            item.assign(defaults);
            if (Array.isArray(given) || ArrayBuffer.isView(given)) {
                item.position.set(given[0], given[1], given[2] ?? 0);
            } else if ('x' in given) {
                const { x, y, z = 0, ...rest } = given;
                item.position.set(x, y, z);
                item.assign(rest);
            } else {
                item.assign(given);
            }
        });
        return call(block, list.length);
    } finally {
        m.release(block);
    }
}

export function path(kerb) {
    const { m, exports: e } = kerb;
    if (!e.path_create)
        return undefined;
    const { PathStruct, PathPoint, PathSample, PathLocation } = structs;
    return class Path extends PathStruct {
        /** Waypoints: [x, y, z?], {x, y, z?, …} or views; options: closed, width, and defaults. */
        constructor(waypoints, { closed = false, ...defaults } = {}) {
            const ptr = m.allocate(PathStruct.size + PathSample.size + 2 * PathLocation.size);
            super(m, ptr, null);
            try {
                withWaypoints(kerb, waypoints, defaults, (block, count) =>
                    m.check(e.path_create(ptr, block, count, closed, m.error)));
            } catch (error) {
                m.release(ptr);
                throw error;
            }
            own(this, [ptr], e.path_destroy);
            this.$sample = new PathSample(m, ptr + PathStruct.size, this);
            this.$location = ptr + PathStruct.size + PathSample.size;
            this.$points = null;
        }

        /** The points of the built path. */
        get points() {
            return (this.$points ??= new StructList(PathPoint, m, m.u32[(this.ptr +
                this.$offsets.points) >> 2], this.count, PathPoint.size, this));
        }

        /** Values at a station [m]: one object, whose values change with every call. */
        sampleAt(station) {
            e.path_locate(this.$location, at(this), station);
            e.path_sample_at(this.$sample.ptr, this.ptr, this.$location);
            return this.$sample;
        }

        /** Station of the place of the path that is nearest to a point. [m] O(points) */
        stationNear(x, y, z = 0) {
            e.path_nearest(this.$location, at(this), kerb.$vec(x, y, z));
            return e.path_distance(this.ptr, this.$location);
        }

        /** Lateral offset of a point from the path, left positive. [m] O(points) */
        crossTrack(x, y, z = 0) {
            const point = kerb.$vec(x, y, z);
            e.path_nearest(this.$location, at(this), point);
            return e.path_cross_track(this.ptr, this.$location, point);
        }

        /** The world's origin has moved to this place, in the old coordinates. */
        shiftOrigin(x, y, z = 0) {
            e.path_shift_origin(at(this), kerb.$vec(x, y, z));
            return this;
        }
    };
}

/** A list of neighbours that several drivers may share: it may hold the vehicle itself. */
export function neighbours(kerb) {
    const { m } = kerb, { Neighbour } = structs;
    return class Neighbours extends StructList {
        constructor(capacity = 16) {
            const block = m.allocate(Math.max(capacity, 1) * Neighbour.size);
            super(Neighbour, m, block, capacity, Neighbour.size, null);
            own(this, [block]);
            /** How many of them are there now. */
            this.count = 0;
        }

        /** The next free neighbour, counted in, zeroed but for its heading and size. */
        add(values) {
            const item = this.at(this.count);
            m.u8.fill(0, item.ptr, item.ptr + Neighbour.size);
            item.forward.x = 1;
            item.length = 4.5;
            item.width = 1.8;
            this.count++;
            return values ? item.assign(values) : item;
        }

        clear() {
            this.count = 0;
            return this;
        }
    };
}

export function surroundings(kerb) {
    const { m, exports: e } = kerb, { SurroundingsStruct, Controls } = structs;
    return class Surroundings extends SurroundingsStruct {
        constructor(values) {
            const size = (SurroundingsStruct.size + 7) & ~7;
            const ptr = m.allocate(size + Controls.size);
            super(m, ptr, null);
            own(this, [ptr]);
            e.surroundings_default(ptr);
            /** A Neighbours list, or null. */
            this.neighbours = null;
            /** The controls that acted, where `isApplied` is true. */
            this.applied = new Controls(m, ptr + size, this);
            e.controls_safe(ptr + size, 0);
            /** Whether `applied` says what acted; otherwise the driver's own controls did. */
            this.isApplied = false;
            if (values)
                this.assign(values);
        }

        // Called by drivers: points the struct to what it holds.
        $ready() {
            const { $m, ptr, neighbours: list } = this;
            if (!(ptr > 0))
                throw new TypeError('the surroundings were freed');
            $m.u32[(ptr + this.$offsets.neighbours) >> 2] = list === null ? 0 : list.ptr;
            $m.i32[(ptr + this.$offsets.neighbour_count) >> 2] = list === null ? 0 : list.count;
            $m.u32[(ptr + this.$offsets.applied) >> 2] = this.isApplied ? this.applied.ptr : 0;
            return ptr;
        }
    };
}

/** Memory of the caller for functions of kerb.call: structs of one type. */
export function structArray(kerb, Class, length) {
    const { m } = kerb, block = m.allocate(Math.max(length, 1) * Class.size);
    return own(new StructList(Class.$Base ?? Class, m, block, length, Class.size, null), [block]);
}

const bytes = { f32: 4, i32: 4, u32: 4, f64: 8, u8: 1 };

/** Memory of the caller: numbers of one kind ('f32', 'f64', 'i32', 'u32', 'u8'). */
export function numberArray(kerb, kind, length) {
    const { m } = kerb;
    if (!bytes[kind])
        throw new KerbError(`there is no kind of number '${kind}'`);
    const block = m.allocate(Math.max(length, 1) * bytes[kind]);
    return own(new NumberList(m, block, length, kind, null), [block]);
}

/** Axes and unit of another engine: converts what the engine says and what Kerb says. */
export function axes(kerb) {
    const { m, exports: e } = kerb, { Axes: Base, Quat } = structs;
    if (!e.axes_unity)
        return undefined;
    const vectors = (convert) => function (from, to) {
        const given = kerb.$vec(from.x, from.y, from.z), made = kerb.$scratch;
        convert(made, this.ptr, given);
        const f = m.f32, first = made >> 2;
        to.x = f[first];
        to.y = f[first + 1];
        to.z = f[first + 2];
        return to;
    };
    const rotations = (convert) => function (from, to) {
        const given = kerb.$scratch + Quat.size, made = kerb.$scratch, f = m.f32;
        f[given >> 2] = from.x;
        f[(given >> 2) + 1] = from.y;
        f[(given >> 2) + 2] = from.z;
        f[(given >> 2) + 3] = from.w;
        convert(made, this.ptr, given);
        to.x = f[made >> 2];
        to.y = f[(made >> 2) + 1];
        to.z = f[(made >> 2) + 2];
        to.w = f[(made >> 2) + 3];
        return to;
    };
    class Axes extends Base {
        /** One of 'unity', 'unreal', 'godot', 'gltf' (three.js, Jolt), or the fields of an Axes. */
        constructor(engine) {
            const ptr = m.allocate(Base.size);
            super(m, ptr, null);
            own(this, [ptr]);
            if (typeof engine !== 'string')
                this.assign(engine);
            else if (e[`axes_${engine}`])
                e[`axes_${engine}`](ptr);
            else
                throw new KerbError('must be unity, unreal, godot or gltf', { field: 'engine' });
        }
    }
    Object.assign(Axes.prototype, {
        positionFrom: vectors(e.position_from), positionTo: vectors(e.position_to),
        directionFrom: vectors(e.direction_from), directionTo: vectors(e.direction_to),
        angularVelocityFrom: vectors(e.angular_velocity_from),
        angularVelocityTo: vectors(e.angular_velocity_to),
        rotationFrom: rotations(e.rotation_from), rotationTo: rotations(e.rotation_to),
    });
    return Axes;
}

/** Bound classes for all structs that need no more than memory: with `new`, values, and free(). */
export function boundClass(kerb, Base) {
    const { m, exports: e } = kerb, short = Base.struct.replace(/^kerb_/, '');
    const make = e[`${short}_default`];
    const defaults = {
        controls: (ptr) => e.controls_safe(ptr, 0),
        waypoint: e.waypoint_at && ((ptr) => e.waypoint_at(ptr, 0, 0, 0)),
        plan_end: e.plan_end_make && ((ptr) => e.plan_end_make(ptr, 0, 0, 0, 0)),
        pose: (ptr) => e.pose_make(ptr, 0, 0, 0),
        quat: (ptr) => { m.f32[(ptr + 12) >> 2] = 1; },
        context: e.context_make && ((ptr) => e.context_make(ptr, 1)),
    }[short] ?? (make?.length === 1 ? make : null);
    const Class = class extends Base {
        constructor(values) {
            const ptr = m.allocate(Base.size);
            super(m, ptr, null);
            own(this, [ptr]);
            if (defaults)
                defaults(ptr);
            else if (Base.rows)
                this.reset();
            if (values)
                this.assign(values);
        }
    };
    Class.$export = short;
    Class.$Base = Base;
    return Class;
}
