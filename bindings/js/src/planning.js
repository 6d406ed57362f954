// Planners and plans.
import { StructList, own } from './memory.js';
import * as structs from './structs.js';
import { at } from './drivers.js';

// Memory for what a call only reads: released when `call` returns.
function scope(m, call) {
    const blocks = [];
    const take = (size) => {
        const block = m.allocate(Math.max(size, 1));
        blocks.push(block);
        return block;
    };
    try {
        return call(take);
    } finally {
        blocks.forEach((block) => m.release(block));
    }
}

function listOf(m, take, Class, values) {
    const block = take(values.length * Class.size);
    return new StructList(Class, m, block, values.length, Class.size, null);
}

export function plan(kerb) {
    const { m, exports: e } = kerb, { PlanStruct, PlanPiece, PlanState, Waypoint } = structs;
    if (!e.plan_at)
        return undefined;
    const size = (PlanStruct.size + 7) & ~7;
    return class Plan extends PlanStruct {
        /** An empty plan, or a copy of another with pieces of its own. */
        constructor(other) {
            const ptr = m.allocate(size + PlanState.size);
            super(m, ptr, null);
            this.$state = new PlanState(m, ptr + size, this);
            this.$block = other?.count ? m.allocate(other.count * PlanPiece.size) : 0;
            this.$list = null;
            this.$listAt = 0;
            const block = this.$block;
            own(this, block ? [ptr, block] : [ptr]);
            if (other) {
                m.u8.copyWithin(ptr, other.ptr, other.ptr + PlanStruct.size);
                if (block) {
                    const from = m.u32[(ptr + this.$offsets.pieces) >> 2];
                    m.u8.copyWithin(block, from, from + other.count * PlanPiece.size);
                    m.u32[(ptr + this.$offsets.pieces) >> 2] = block;
                }
            }
        }

        get pieces() {
            const now = m.u32[(this.ptr + this.$offsets.pieces) >> 2];
            if (this.$list === null || this.$listAt !== now || this.$list.length !== this.count)
                this.$list = new StructList(PlanPiece, m, (this.$listAt = now), this.count,
                    PlanPiece.size, this);
            return this.$list;
        }

        /** The state so many seconds after the start: one object, whose values change. */
        at(time) {
            e.plan_at(this.$state.ptr, at(this), time);
            return this.$state;
        }

        /** A copy that stays as it is whatever the planner does. */
        copy() {
            return new kerb.Plan(this);
        }

        /** A path for drivers along paths. Settings: those of 'planPath'. */
        path(settings) {
            return scope(m, (take) => {
                const how = take(structs.PlanPathSettings.size), count = take(4);
                e.plan_path_settings_default(how);
                new structs.PlanPathSettings(m, how, null).assign(settings ?? {});
                e.plan_waypoints(at(this), how, 0, 0, count, m.error);
                const most = m.i32[count >> 2], block = take(most * Waypoint.size);
                m.check(e.plan_waypoints(this.ptr, how, block, most, count, m.error));
                return new kerb.Path(new StructList(Waypoint, m, block, most, Waypoint.size, null));
            });
        }
    };
}

/** An end of a query: [x, y, heading, speed?] or {x, y, heading, speed?, …} or a PlanEnd. */
function writeEnd(kerb, end, given) {
    const { exports: e } = kerb;
    if (given.ptr) {
        end.assign(given);
    } else if (Array.isArray(given)) {
        e.plan_end_make(end.ptr, given[0], given[1], given[2] ?? 0, given[3] ?? 0);
    } else {
        const { x, y, heading = 0, speed = 0, ...rest } = given;
        e.plan_end_make(end.ptr, x ?? 0, y ?? 0, heading, speed);
        end.assign(rest);
    }
}

// What a planner and a search have in common.
function searching(kerb, Struct, name, SettingsClass) {
    const { m, exports: e } = kerb, { PlanWorld, PlanMover, PlanEnd, PlanQuery, PlanLimits } = structs;
    if (!e[`${name}_create`])
        return undefined;
    const Plan = kerb.Plan;
    return class extends Struct {
        /** Limits: a PlanLimits, its fields, or {vehicle, share} for plans that are to be driven. */
        constructor(limits = {}, settings = {}) {
            const ptr = m.allocate(Struct.size);
            super(m, ptr, null);
            try {
                scope(m, (take) => {
                    const most = new PlanLimits(m, take(PlanLimits.size), null);
                    const how = new structs[SettingsClass](m, take(structs[SettingsClass].size), null);
                    writeLimits(kerb, most, limits);
                    e[`${name}_settings_default`](how.ptr);
                    how.assign(settings);
                    m.check(e[`${name}_create`](ptr, most.ptr, how.ptr, m.error));
                });
            } catch (error) {
                m.release(ptr);
                throw error;
            }
            own(this, [ptr], e[`${name}_destroy`]);
            this.$plan = new Plan();
        }

        /**
         * Sets the obstacles: {cells, columns, rows, cellSize, origin, costMap, costPerMetre,
         * polygons: [[[x, y], …], …], boxMin, boxMax}. Nothing: open ground.
         */
        setWorld(world = {}) {
            const { cells, costMap, polygons = [], ...rest } = world;
            scope(m, (take) => {
                const view = new PlanWorld(m, take(PlanWorld.size), null);
                view.assign(rest);
                const copy = (bytes) => {
                    const block = take(bytes.length);
                    m.u8.set(bytes, block);
                    return block;
                };
                if (cells)
                    view.cells = copy(cells);
                if (costMap)
                    view.costMap = copy(costMap);
                const corners = polygons.flat();
                if (polygons.length) {
                    const at = take(corners.length * 8), counts = take(polygons.length * 4);
                    corners.forEach(([x, y], i) => {
                        m.f32[(at >> 2) + 2 * i] = x;
                        m.f32[(at >> 2) + 2 * i + 1] = y;
                    });
                    polygons.forEach((one, i) => { m.i32[(counts >> 2) + i] = one.length; });
                    view.vertices = at;
                    view.vertexCounts = counts;
                    view.polygonCount = polygons.length;
                }
                m.check(e[`${name}_set_world`](at(this), view.ptr, m.error));
            });
            return this;
        }

        /** Sets moving obstacles: [{pose, velocity, length, width}], or {x, y, heading, …}. */
        setMovers(movers = []) {
            scope(m, (take) => {
                const list = listOf(m, take, PlanMover, movers);
                movers.forEach(({ x, y, heading, ...rest }, i) => {
                    const item = list.at(i);
                    if (x !== undefined)
                        e.pose_make(item.pose.ptr, x, y, heading ?? 0);
                    item.assign(rest);
                });
                m.check(e[`${name}_set_movers`](at(this), list.ptr, movers.length, m.error));
            });
            return this;
        }

        /** Begins a query from one or several starts to one or several goals. */
        begin(starts, goals) {
            const many = (one) => (Array.isArray(one) && typeof one[0] !== 'number' ? one : [one]);
            const from = many(starts), to = many(goals);
            scope(m, (take) => {
                const query = new PlanQuery(m, take(PlanQuery.size), null);
                const write = (values) => {
                    const list = listOf(m, take, PlanEnd, values);
                    values.forEach((value, i) => writeEnd(kerb, list.at(i), value));
                    return list.ptr;
                };
                query.starts = write(from);
                query.goals = write(to);
                query.startCount = from.length;
                query.goalCount = to.length;
                m.check(e[`${name}_begin`](at(this), query.ptr, m.error));
            });
            return this;
        }

        /** Does at most so many steps; returns the PlanOutcome. */
        advance(steps) {
            return e[`${name}_advance`](at(this), steps);
        }

        cancel() {
            e[`${name}_cancel`](at(this));
        }

        /** The best plan until now: one object, valid until the next call. copy() keeps it. */
        get plan() {
            e[`${name}_get_plan`](this.$plan.ptr, at(this));
            return this.$plan;
        }

        /** The plan to where the search has come nearest to a goal; as `plan`. */
        get partialPlan() {
            e[`${name}_get_partial_plan`](this.$plan.ptr, at(this));
            return this.$plan;
        }

        free() {
            this.$plan?.free();
            super.free();
        }
    };
}

function writeLimits(kerb, into, limits) {
    const { exports: e } = kerb;
    if (limits.ptr && limits.constructor.struct === 'kerb_plan_limits') {
        into.assign(limits);
    } else if (limits.constructor?.struct === 'kerb_vehicle') {
        e.plan_limits_to_drive(into.ptr, limits.ptr, 0.4);
    } else {
        const { vehicle, share = 0.4, ...rest } = limits;
        if (vehicle === undefined) {
            e.plan_limits_default(into.ptr);
        } else {
            const view = vehicle.ptr ? vehicle : new kerb.Vehicle(vehicle);
            e.plan_limits_to_drive(into.ptr, view.ptr, share);
            if (view !== vehicle)
                view.free();
        }
        into.assign(rest);
    }
}

export function planner(kerb) {
    const { m, exports: e } = kerb;
    const Base = searching(kerb, structs.PlannerStruct, 'planner', 'PlannerSettings');
    if (!Base)
        return undefined;
    const { PlanTree, PlanNode } = structs;
    return class Planner extends Base {
        constructor(limits, settings) {
            super(limits, settings);
            const block = m.allocate(PlanTree.size + PlanNode.size);
            this.$held.blocks.push(block);
            this.$tree = new PlanTree(m, block, this);
            this.$node = new PlanNode(m, block + PlanTree.size, this);
        }

        /** The tree of the search: {count, search, backwards}. */
        get tree() {
            e.planner_get_tree(this.$tree.ptr, at(this));
            return this.$tree;
        }

        /** A node of the tree: one object, whose values change with every call. */
        node(index) {
            e.planner_get_node(this.$node.ptr, at(this), index);
            return this.$node;
        }
    };
}

export function planSearch(kerb) {
    const { m, exports: e } = kerb;
    const Base = searching(kerb, structs.PlanSearchStruct, 'plan_search', 'PlanSearchSettings');
    if (!Base)
        return undefined;
    const { PlanSearchReport, PlanSearchNode } = structs;
    return class PlanSearch extends Base {
        constructor(limits, settings) {
            super(limits, settings);
            const block = m.allocate(PlanSearchReport.size + PlanSearchNode.size);
            this.$held.blocks.push(block);
            this.$report = new PlanSearchReport(m, block, this);
            this.$node = new PlanSearchNode(m, block + PlanSearchReport.size, this);
        }

        get report() {
            e.plan_search_get_report(this.$report.ptr, at(this));
            return this.$report;
        }

        node(index) {
            e.plan_search_get_node(this.$node.ptr, at(this), index);
            return this.$node;
        }
    };
}
