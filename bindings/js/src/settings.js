// Settings by name, from Kerb's settings tables: every field with unit, range, default and meaning.
// A setter checks what it writes, because drivers do not check their settings in every frame.
import { KerbError, View, NumberList } from './memory.js';

const camel = (name) => name.replace(/_+([a-z0-9])/g, (_, c) => c.toUpperCase());

const types = ['number', 'whole number', 'choice'];

/** The rows of a table as objects: what a page needs for a slider. */
function rowsOf(table) {
    return (table.list ??= Object.freeze(table.rows.map(
        ([field, offset, type, unit, min, max, defaultValue, choices, meaning]) => Object.freeze({
            name: field.split('.').map(camel).join('.'), field, offset, type: types[type], unit, min,
            max, defaultValue, choices: choices && Object.freeze(choices), meaning,
        }))));
}

const isFloat = (row) => row.type === 'number';

function read(view, row) {
    const at = (view.ptr + row.offset) >> 2;
    return isFloat(row) ? view.$m.f32[at] : view.$m.i32[at];
}

function write(view, row, value) {
    const fail = (result, message) => {
        throw new KerbError(message, { result, field: row.field });
    };
    if (row.choices && typeof value === 'string') {
        const index = row.choices.indexOf(value);
        if (index < 0)
            fail('out of range', `must be one of ${row.choices.join(', ')}`);
        value = index;
    }
    if (typeof value !== 'number')
        fail('wrong type', `must be a ${row.type}`);
    if (!Number.isFinite(value))
        fail('not a finite number', 'must be a finite number');
    if (!isFloat(row) && !Number.isInteger(value))
        fail('wrong type', 'must be a whole number');
    if (Math.fround(value) < Math.fround(row.min) || Math.fround(value) > Math.fround(row.max))
        fail('out of range', `must be from ${row.min} to ${row.max}`);
    const at = (view.ptr + row.offset) >> 2;
    if (isFloat(row))
        view.$m.f32[at] = value;
    else
        view.$m.i32[at] = value;
}

// One list of a settings struct, such as gear ratios.
class SettingList extends NumberList {
    constructor(view, rows) {
        super(view.$m, view.ptr + rows[0].offset, rows.length, isFloat(rows[0]) ? 'f32' : 'i32', view);
        this.$rows = rows;
    }

    set(index, value) {
        const row = this.$rows[index];
        if (!row)
            throw new RangeError(`index ${index} of ${this.length}`);
        write(this.$owner, row, value);
    }

    assign(values) {
        let i = 0;
        for (const value of values)
            this.set(i++, value);
        return this;
    }
}

// A part of a settings struct whose rows share the start of their names.
class Group {
    constructor(settings) {
        this.$settings = settings;
    }

    assign(values) {
        for (const key of Object.keys(values))
            assignOne(this, key, values[key]);
        return this;
    }

    toJSON() {
        return Object.fromEntries(this.$names.map((name) => [name, this[name]?.toJSON?.() ?? this[name]]));
    }
}

function assignOne(target, key, value) {
    const name = camel(key);
    if (!target.$names.includes(name))
        throw new KerbError(`there is no such setting${target.$path ? ` in ${target.$path}` : ''}`,
            { result: 'unknown field', field: key });
    if (value === undefined)
        return;
    const now = target[name];
    if (now !== null && typeof now === 'object')
        now.assign(value);
    else
        target[name] = value;
}

// Gives a prototype an accessor for every row, group and list below `path`.
function define(prototype, rows, path, settingsOf) {
    const names = [], parts = new Map();
    for (const row of rows) {
        const rest = row.field.slice(path.length), head = rest.split(/[.[]/)[0];
        if (!parts.has(head))
            parts.set(head, []);
        parts.get(head).push(row);
    }
    for (const [head, inside] of parts) {
        const name = camel(head), cached = `$${name}`;
        names.push(name);
        const [first] = inside, behind = first.field.slice(path.length + head.length);
        let get, set;
        if (behind === '') {
            get = function () { return read(settingsOf(this), first); };
            set = function (value) { write(settingsOf(this), first, value); };
        } else if (behind.startsWith('[')) {
            get = function () { return (this[cached] ??= new SettingList(settingsOf(this), inside)); };
        } else {
            class Part extends Group {}
            define(Part.prototype, inside, `${path}${head}.`, (group) => group.$settings);
            Part.prototype.$path = path + head;
            get = function () { return (this[cached] ??= new Part(settingsOf(this))); };
        }
        Object.defineProperty(prototype, name, { get, set, enumerable: true, configurable: true });
    }
    prototype.$names = names;
}

/** A class that views a settings struct by its table. */
export class Settings extends View {
    /** Rows of the table, in its order. */
    get rows() {
        return this.constructor.rows;
    }

    $row(name) {
        const row = this.rows.find((one) => one.name === name || one.field === name);
        if (!row)
            throw new KerbError('there is no such setting', { result: 'unknown field', field: name });
        return row;
    }

    /** Value of the setting with this name, such as 'speed' or 'speedControl.integral'. */
    get(name) {
        return read(this, this.$row(name));
    }

    /** Checks and writes the setting with this name. A choice may be given by its name. */
    set(name, value) {
        write(this, this.$row(name), value);
        return this;
    }

    /** Writes all defaults of the table. */
    reset() {
        for (const row of this.rows)
            write(this, row, row.defaultValue);
        return this;
    }

    assign(values) {
        if (values instanceof Settings && values.constructor.struct === this.constructor.struct)
            return super.assign(values);
        for (const key of Object.keys(values))
            assignOne(this, key, values[key]);
        return this;
    }

    toJSON() {
        return Group.prototype.toJSON.call(this);
    }
}

/** Class for the settings of one table. */
export function settingsClass(table) {
    const Class = class extends Settings {};
    Class.struct = table.struct;
    Class.size = table.size;
    Class.rows = rowsOf(table);
    Class.fields = [];
    define(Class.prototype, Class.rows, '', (view) => view);
    return Class;
}
