// Many agents: their arrays, the grid that finds neighbours, flocks, and the bots of a lane.
import { NumberList, StructList, own } from './memory.js';
import * as structs from './structs.js';
import { at } from './drivers.js';

const arrays = ['x', 'y', 'z', 'forwardX', 'forwardY', 'forwardZ', 'speed', 'radius', 'turningRadius',
    'speedMax', 'acceleration', 'braking'];
const snake = (name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

export function agents(kerb) {
    const { m, exports: e } = kerb, { AgentsStruct } = structs;
    if (!e.agents_get)
        return undefined;
    class Agents extends AgentsStruct {
        /** Room for so many agents, all at the origin, facing along x. */
        constructor(capacity) {
            const ptr = m.allocate(AgentsStruct.size), block = m.allocate(arrays.length * capacity * 4);
            super(m, ptr, null);
            own(this, [ptr, block]);
            this.capacity = capacity;
            this.$lists = arrays.map((name, i) => {
                const from = block + i * capacity * 4;
                m.u32[(ptr + this.$offsets[snake(name)]) >> 2] = from;
                return new NumberList(m, from, capacity, 'f32', this);
            });
            this.forwardX.fill(1);
            this.speedMax.fill(10);
            this.acceleration.fill(3);
            this.braking.fill(5);
            this.radius.fill(1);
            this.count = capacity;
        }

        /** Reads one agent into an Agent. */
        get(index, into) {
            e.agents_get(at(into), at(this), index);
            return into;
        }

        /** Writes one agent from an Agent. */
        set(index, agent) {
            e.agents_set(at(this), index, at(agent));
        }
    }
    arrays.forEach((name, i) => Object.defineProperty(Agents.prototype, name,
        { get() { return this.$lists[i].array; }, configurable: true }));
    return Agents;
}

export function neighbourGrid(kerb) {
    const { m, exports: e } = kerb, { NeighbourGridStruct } = structs;
    if (!e.neighbour_grid_create)
        return undefined;
    return class NeighbourGrid extends NeighbourGridStruct {
        /** Finds at most `foundMax` items in a query. */
        constructor(capacity, foundMax = 64) {
            const ptr = m.allocate(NeighbourGridStruct.size);
            super(m, ptr, null);
            try {
                m.check(e.neighbour_grid_create(ptr, capacity, m.error));
            } catch (error) {
                m.release(ptr);
                throw error;
            }
            const block = m.allocate((3 * capacity + 2 * foundMax) * 4);
            own(this, [ptr, block], e.neighbour_grid_destroy);
            this.foundMax = foundMax;
            const part = (from, length, kind) => new NumberList(m, block + from * 4, length, kind, this);
            this.$lists = [0, 1, 2].map((i) => part(i * capacity, capacity, 'f32'));
            this.$found = part(3 * capacity, foundMax, 'i32');
            this.$distances = part(3 * capacity + foundMax, foundMax, 'f32');
        }

        /** Arrays of `capacity` positions: write them, then build(). [m] */
        get x() { return this.$lists[0].array; }
        get y() { return this.$lists[1].array; }
        get z() { return this.$lists[2].array; }

        /** Indices that the last query found, and the squared distances of nearest(). */
        get found() { return this.$found.array; }
        get distancesSquared() { return this.$distances.array; }

        /** Sorts the first `count` positions of x, y and z into cells. */
        build(count, cellSize) {
            const [x, y, z] = this.$lists;
            e.neighbour_grid_build(at(this), x.ptr, y.ptr, z.ptr, count, cellSize);
            return this;
        }

        /** Sorts the positions of agents into cells. */
        buildFrom(agents, cellSize) {
            const { u32 } = m, of = (name) => u32[(at(agents) + agents.$offsets[name]) >> 2];
            e.neighbour_grid_build(at(this), of('x'), of('y'), of('z'), agents.count, cellSize);
            return this;
        }

        /** Writes `found`; returns how many there are in it. */
        within(x, y, z, radius) {
            return Math.min(this.foundMax, e.neighbours_within(at(this), kerb.$vec(x, y, z), radius,
                this.$found.ptr, this.foundMax));
        }

        /** Writes `found` and `distancesSquared`, nearest first; returns how many there are. */
        nearest(x, y, z, radius, count = this.foundMax) {
            return e.neighbours_nearest(at(this), kerb.$vec(x, y, z), radius, this.$found.ptr,
                this.$distances.ptr, Math.min(count, this.foundMax));
        }
    };
}

export function flock(kerb) {
    const { m, exports: e } = kerb, { FlockStruct, FlockSettings } = structs;
    if (!e.flock_create)
        return undefined;
    return class Flock extends FlockStruct {
        constructor(capacity, settings = {}) {
            const ptr = m.allocate(FlockStruct.size);
            super(m, ptr, null);
            const how = m.allocate(FlockSettings.size);
            try {
                m.check(e.flock_create(ptr, capacity, m.error));
            } catch (error) {
                m.release(how);
                m.release(ptr);
                throw error;
            }
            own(this, [ptr, how], e.flock_destroy);
            this.settings = new FlockSettings(m, how, this);
            e.flock_settings_default(how);
            this.settings.assign(settings);
        }

        /** Moves every agent by one step. */
        update(agents, timeStep) {
            e.flock_update(at(this), this.settings.ptr, at(agents), timeStep);
        }
    };
}

export function laneCompany(kerb) {
    const { m, exports: e } = kerb, { LaneCompanyStruct, LanePlayer, LaneBot, LaneOrder } = structs;
    if (!e.lane_company_init)
        return undefined;
    return class LaneCompany extends LaneCompanyStruct {
        constructor(count, settings = {}) {
            const sizes = [(LaneCompanyStruct.size + 7) & ~7, LanePlayer.size, count * LaneBot.size,
                count * LaneOrder.size];
            const ptr = m.allocate(sizes.reduce((sum, one) => sum + one));
            super(m, ptr, null);
            own(this, [ptr]);
            e.lane_company_init(ptr);
            const [player, bots, orders] = [1, 2, 3].map((i) =>
                ptr + sizes.slice(0, i).reduce((sum, one) => sum + one, 0));
            this.count = count;
            this.player = new LanePlayer(m, player, this);
            this.bots = new StructList(LaneBot, m, bots, count, LaneBot.size, this);
            this.orders = new StructList(LaneOrder, m, orders, count, LaneOrder.size, this);
            this.settings.assign(settings);
        }

        /** Writes an order with a place for every bot. */
        begin() {
            e.lane_company_begin(at(this), this.player.ptr, this.count, this.orders.ptr);
            return this.orders;
        }

        /** Writes an order for each bot, from `player` and `bots`. */
        drive(timeStep) {
            e.lane_company_drive(at(this), this.player.ptr, this.bots.ptr, this.count, timeStep,
                this.orders.ptr);
            return this.orders;
        }
    };
}

export function drawBuffer(kerb) {
    const { m, exports: e } = kerb, { DrawBufferStruct, DrawLine, DrawPoint, DrawText } = structs;
    if (!e.draw_buffer_make)
        return undefined;
    return class DrawBuffer extends DrawBufferStruct {
        /** Room for so many lines, points and texts. Pass it to the draw functions of kerb.call. */
        constructor(lines = 1024, points = 128, texts = 32) {
            const ptr = m.allocate(DrawBufferStruct.size);
            const block = m.allocate(lines * DrawLine.size + points * DrawPoint.size + texts * DrawText.size);
            super(m, ptr, null);
            own(this, [ptr, block]);
            const second = block + lines * DrawLine.size, third = second + points * DrawPoint.size;
            e.draw_buffer_make(ptr, block, lines, second, points, third, texts);
            this.lines = new StructList(DrawLine, m, block, lines, DrawLine.size, this);
            this.points = new StructList(DrawPoint, m, second, points, DrawPoint.size, this);
            this.texts = new StructList(DrawText, m, third, texts, DrawText.size, this);
        }

        clear() {
            e.draw_clear(at(this));
            return this;
        }
    };
}
