// Tracks and racing lines.
import { StructList, own } from './memory.js';
import * as structs from './structs.js';
import { at } from './drivers.js';
import { withWaypoints } from './world.js';

export function lineSolver(kerb) {
    const { m, exports: e } = kerb, { LineSolverStruct } = structs;
    if (!e.line_solver_create)
        return undefined;
    return class LineSolver extends LineSolverStruct {
        /** Begins a search. Of `vehicle` (plain or view) follow performance and default settings. */
        constructor(track, { vehicle, performance, settings } = {}) {
            const ptr = m.allocate(LineSolverStruct.size);
            super(m, ptr, null);
            const made = [];
            const keep = (view) => (made.push(view), view);
            try {
                const car = vehicle?.ptr ? vehicle : keep(new kerb.Vehicle(vehicle));
                m.check(e.vehicle_validate(car.ptr, m.error));
                const can = performance?.ptr ? performance : keep(new kerb.Performance());
                if (!performance?.ptr) {
                    e.performance_of(can.ptr, car.ptr);
                    can.assign(performance ?? {});
                }
                const how = settings?.ptr ? settings : keep(new kerb.LineSettings());
                if (!settings?.ptr) {
                    e.line_settings_of(how.ptr, at(track), vehicle === undefined ? 0 : car.ptr);
                    how.assign(settings ?? {});
                }
                m.check(e.line_solver_create(ptr, at(track), can.ptr, how.ptr, m.error));
            } catch (error) {
                m.release(ptr);
                throw error;
            } finally {
                made.forEach((view) => view.free());
            }
            own(this, [ptr], e.line_solver_destroy);
        }

        /** Does at most so many steps. True: there is work left. */
        advance(steps = 1) {
            return e.line_solver_advance(at(this), steps) === 0;
        }

        /** Share of the steps that are done. */
        get progress() {
            return e.line_solver_progress(at(this));
        }

        /** The line as it is now; free() it when no racer needs it. */
        line(spacing = 2) {
            return new kerb.RacingLine(this, spacing);
        }

        setTrack(track) {
            m.check(e.line_solver_set_track(at(this), at(track), m.error));
            return this;
        }
    };
}

export function racingLine(kerb) {
    const { m, exports: e } = kerb, { RacingLineStruct, LinePoint } = structs;
    if (!e.racing_line_create)
        return undefined;
    return class RacingLine extends RacingLineStruct {
        constructor(solver, spacing = 2) {
            const ptr = m.allocate(RacingLineStruct.size + LinePoint.size);
            super(m, ptr, null);
            try {
                m.check(e.racing_line_create(ptr, at(solver), spacing, m.error));
            } catch (error) {
                m.release(ptr);
                throw error;
            }
            own(this, [ptr], e.racing_line_destroy);
            this.$points = null;
            this.$at = new LinePoint(m, ptr + RacingLineStruct.size, this);
        }

        get points() {
            return (this.$points ??= new StructList(LinePoint, m, m.u32[(this.ptr +
                this.$offsets.points) >> 2], this.count, LinePoint.size, this));
        }

        /** The line at a distance from its start [m]: one object, whose values change. */
        at(distance) {
            e.racing_line_at(this.$at.ptr, at(this), distance);
            return this.$at;
        }

        /** A path for any driver, with the speeds of the line as limits. */
        path() {
            const size = structs.Waypoint.size, block = m.allocate(this.count * size);
            try {
                e.racing_line_waypoints(at(this), block);
                const list = new StructList(structs.Waypoint, m, block, this.count, size, null);
                return new kerb.Path(list, { closed: this.closed });
            } finally {
                m.release(block);
            }
        }

        shiftOrigin(x, y, z = 0) {
            e.racing_line_shift_origin(at(this), kerb.$vec(x, y, z));
            return this;
        }
    };
}

/** Functions about tracks, methods of the loaded Kerb. */
export function tracks(kerb) {
    const { m, exports: e } = kerb, { TrackFinding } = structs;
    if (!e.track_validate)
        return {};
    const most = 64;
    return {
        /** Throws when waypoints make no track for racing. */
        validateTrack(waypoints, { closed = true, ...defaults } = {}) {
            withWaypoints(kerb, waypoints, defaults, (block, count) =>
                m.check(e.track_validate(block, count, closed, m.error)));
        },

        /** What is odd about a track: [{kind, index, value, text}], with the kind in a word. */
        checkTrack(waypoints, { closed = true, vehicle = null, ...defaults } = {}) {
            return withWaypoints(kerb, waypoints, defaults, (block, count) => {
                const found = m.allocate(most * TrackFinding.size);
                try {
                    const number = Math.min(most, e.track_check(block, count, closed,
                        vehicle === null ? 0 : at(vehicle), 0, found, most));
                    const list = new StructList(TrackFinding, m, found, number, TrackFinding.size, null);
                    return list.toJSON().map((one) => ({ ...one,
                        kind: m.text(e.track_finding_kind_text(one.kind)) }));
                } finally {
                    m.release(found);
                }
            });
        },
    };
}
