// A loaded module as an object: its classes, its functions, its settings tables and its texts.
import { calls } from './calls.js';
import * as crowd from './crowd.js';
import * as drivers from './drivers.js';
import { errorLayout, layout, version } from './identity.js';
import { KerbError, Memory } from './memory.js';
import * as planning from './planning.js';
import * as racing from './racing.js';
import * as structs from './structs.js';
import { tables } from './tables.js';
import { settingsClass } from './settings.js';
import * as world from './world.js';

const camel = (name) => name.replace(/[_-]+([a-z0-9])/g, (_, c) => c.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

/** Rows of a settings table by name: 'follower', 'racer', 'vehicle', 'planLimits', … */
export function settings(name) {
    const table = tables[camel(name)];
    if (!table)
        throw new KerbError(`there is no table '${name}'; there are ${Object.keys(tables).join(', ')}`,
            { result: 'unknown field', field: name });
    return (table.Class ??= settingsClass(table)).rows;
}

export const settingsNames = Object.freeze(Object.keys(tables));

export class Kerb {
    constructor(exports) {
        if (typeof exports.layout !== 'function' || exports.layout() >>> 0 !== layout)
            throw new KerbError('the module and the binding are of different builds', { field: 'layout' });
        const m = new Memory(exports, errorLayout);
        this.m = m;
        this.exports = exports;
        this.version = version;
        this.call = calls(m, exports);
        // Two quaternions' worth of memory for arguments and results within a call.
        this.$scratch = m.allocate(64);
        this.$vecAt = m.allocate(16);
        for (const [name, Base] of Object.entries(structs))
            if (!name.endsWith('Struct'))
                this[name] = named(name, world.boundClass(this, Base));
        const add = (name, Class) => { if (Class) this[name] = named(name, Class); };
        add('Axes', world.axes(this));
        add('Path', world.path(this));
        add('Neighbours', world.neighbours(this));
        add('Surroundings', world.surroundings(this));
        add('Follower', drivers.follower(this));
        add('LineSolver', racing.lineSolver(this));
        add('RacingLine', racing.racingLine(this));
        add('Racer', drivers.racer(this));
        add('Plan', planning.plan(this));
        add('Planner', planning.planner(this));
        add('PlanSearch', planning.planSearch(this));
        add('PlanDriver', drivers.planDriver(this));
        add('LaneKeeper', drivers.laneKeeper(this));
        add('LaneCompany', crowd.laneCompany(this));
        add('Parker', drivers.parker(this));
        add('Calibrator', drivers.calibrator(this));
        add('SteeringDriver', drivers.steeringDriver(this));
        add('Flyer', drivers.flyer(this));
        add('Agents', crowd.agents(this));
        add('NeighbourGrid', crowd.neighbourGrid(this));
        add('Flock', crowd.flock(this));
        add('DrawBuffer', crowd.drawBuffer(this));
        for (const name of ['Estimate', 'BodyEstimate', 'PedalEstimate', 'VehicleEstimate'])
            add(name, drivers.estimate(this, structs[`${name}Struct`],
                snake(name[0].toLowerCase() + name.slice(1))));
        add('HostCheck', drivers.hostCheck(this));
        Object.assign(this, racing.tracks(this));
        this.$names = null;
    }

    /** Rows of a settings table: name, unit, least, most, default and meaning of every setting. */
    settings(name) {
        return settings(name);
    }

    /** Text of a value of an enum: text('reason', 2) → 'bend ahead'. */
    text(name, value) {
        const text = this.exports[`${snake(name)}_text`];
        if (!text)
            throw new KerbError(`this module has no texts of '${name}'`, { field: name });
        return this.m.text(text(value));
    }

    /** Memory for arrays that functions of `call` read or write: structs of one type. */
    structs(Class, length) {
        return world.structArray(this, Class, length);
    }

    /** Memory for arrays of numbers: 'f32', 'f64', 'i32', 'u32' or 'u8'. */
    numbers(kind, length) {
        return world.numberArray(this, kind, length);
    }

    // Address of a vector that is valid until the next call of this function.
    $vec(x, y, z) {
        const at = this.$vecAt >> 2, { f32 } = this.m;
        f32[at] = x;
        f32[at + 1] = y;
        f32[at + 2] = z;
        return this.$vecAt;
    }
}

function named(name, Class) {
    Object.defineProperty(Class, 'name', { value: name });
    return Class;
}
