// The module's memory, and views of what lies in it.
//
// A view is an object with an address. Its fields are getters and setters on the memory: reading and
// writing them copies nothing and allocates nothing. Views of nested structs are made once and kept.
//
// The memory may grow when an object is created. Typed arrays on it are then made anew, which only
// this file has to know: views go through `$m`.

/** An error of Kerb: what is wrong (`message`), with which field and item, and its kind. */
export class KerbError extends Error {
    constructor(message, { result = 'error', field = '', index = -1, line = 0 } = {}) {
        const where = (index >= 0 ? `item ${index}` : '') + (index >= 0 && field ? ', ' : '') + field;
        super(where ? `${where}: ${message}` : message);
        this.name = 'KerbError';
        this.reason = message;
        this.result = result;
        this.field = field;
        this.index = index;
        this.line = line;
    }
}

/** The address of a view or of a number; null is none. */
export function address(view) {
    if (view === null)
        return 0;
    const at = typeof view === 'number' ? view : view?.ptr;
    if (!(at > 0) && typeof view !== 'number')
        throw new KerbError('is not an object of Kerb, or was freed', { result: 'wrong type' });
    return at;
}

const decoder = new TextDecoder();

// What a freed view reads and writes: nothing.
const nowhere = { f32: new Float32Array(), f64: new Float64Array(), i32: new Int32Array(),
    u32: new Uint32Array(), u8: new Uint8Array(), u64: () => 0n, string: () => '', generation: -1 };

export class Memory {
    constructor(exports, errorLayout) {
        this.exports = exports;
        this.layout = errorLayout;
        this.texts = new Map();
        this.generation = 0;
        this.refresh();
        this.error = this.allocate(errorLayout.size);
        // Only a net: a page that creates and drops objects for hours should call free().
        this.net = typeof FinalizationRegistry === 'undefined' ? null
            : new FinalizationRegistry((held) => giveBack(this, held));
    }

    refresh() {
        const { buffer } = this.exports.memory;
        this.f32 = new Float32Array(buffer);
        this.f64 = new Float64Array(buffer);
        this.i32 = new Int32Array(buffer);
        this.u32 = new Uint32Array(buffer);
        this.u8 = new Uint8Array(buffer);
        this.generation++;
    }

    /** After every call that may have allocated. */
    touch() {
        if (this.u8.byteLength === 0)
            this.refresh();
    }

    /** Zeroed memory. */
    allocate(size) {
        const at = this.exports.allocate(size) >>> 0;
        this.touch();
        if (at === 0)
            throw new KerbError(`no memory for ${size} bytes`, { result: 'out of memory' });
        return at;
    }

    release(at) {
        this.exports.release(at);
    }

    /** Text at an address, which must be constant: each is read once. */
    text(at) {
        let text = this.texts.get(at);
        if (text === undefined) {
            text = this.string(at, 1e9);
            this.texts.set(at, text);
        }
        return text;
    }

    string(at, most) {
        let end = at;
        while (end < at + most && this.u8[end] !== 0)
            end++;
        return decoder.decode(this.u8.slice(at, end));
    }

    u64(at) {
        return (BigInt(this.u32[(at + 4) >> 2]) << 32n) | BigInt(this.u32[at >> 2]);
    }

    /** Throws what a call reported, unless it went well. */
    check(result) {
        this.touch();
        if (result === 0)
            return;
        const { fields } = this.layout, at = (name) => this.error + fields[name];
        throw new KerbError(this.string(at('message'), 144), {
            result: this.text(this.exports.result_text(result)),
            field: this.string(at('field'), 48),
            index: this.i32[at('index') >> 2],
            line: this.i32[at('line') >> 2],
        });
    }
}

const camel = (name) => name.replace(/_+([a-z0-9])/g, (_, c) => c.toUpperCase());

/** A struct in the module's memory. */
export class View {
    constructor(m, ptr, owner) {
        this.$m = m;
        this.ptr = ptr;
        this.$i = ptr >> 2; // index in arrays of words
        this.$owner = owner; // keeps what holds the memory alive
    }

    /** Writes the fields of a plain object, of a list of numbers, or of another view of this type. */
    assign(values) {
        if (values instanceof View && values.constructor.struct === this.constructor.struct) {
            this.$m.u8.copyWithin(this.ptr, values.ptr, values.ptr + this.constructor.size);
            return this;
        }
        const { fields } = this.constructor;
        if (Array.isArray(values) || ArrayBuffer.isView(values)) {
            for (let i = 0; i < values.length && i < fields.length; i++)
                this[fields[i]] = values[i];
            return this;
        }
        for (const key of Object.keys(values)) {
            const name = camel(key), value = values[key];
            if (!fields.includes(name))
                throw new KerbError(`there is no such field of ${this.constructor.struct}`,
                    { result: 'unknown field', field: key });
            if (value === undefined)
                continue;
            const now = this[name];
            if (now !== null && typeof now === 'object')
                now.assign(value);
            else
                this[name] = value;
        }
        return this;
    }

    /** A plain object with the same values. */
    toJSON() {
        return Object.fromEntries(this.constructor.fields.map((name) => {
            const value = this[name];
            return [name, value !== null && typeof value === 'object' ? value.toJSON() : value];
        }));
    }

    /** Releases the memory of an object that was made with `new`. It must not be used again. */
    free() {
        release(this);
    }
}
View.prototype.$held = null;

// What an object holds of the module's memory. It knows nothing of the object, so that the collector can
// find that nobody else does.
function giveBack(m, { blocks, destroy }) {
    if (destroy)
        destroy(blocks[0]);
    for (const block of blocks)
        m.release(block);
}

// Gives back what own() was given; the view and its parts read and write nothing from then on.
function release(view) {
    if (view.$held === null)
        return;
    view.$m.net?.unregister(view);
    giveBack(view.$m, view.$held);
    view.$held = null;
    const blind = (one) => {
        if (one.$m === nowhere)
            return;
        one.$m = nowhere;
        one.ptr = one.$i = 0;
        for (const key of Object.keys(one))
            if (one[key]?.$owner === one)
                blind(one[key]);
    };
    blind(view);
}

/**
 * Makes `view` the owner of blocks of memory, which free() or the collector gives back, once. Before
 * that, `destroy` gets the address of the first.
 */
export function own(view, blocks, destroy = null) {
    view.$held = { blocks, destroy };
    view.$m.net?.register(view, view.$held, view);
    return view;
}

/** Structs of one type, one after another. */
export class StructList {
    constructor(Class, m, ptr, length, stride, owner) {
        this.$Class = Class;
        this.$m = m;
        this.ptr = ptr;
        this.length = length;
        this.$stride = stride;
        this.$owner = owner;
        this.$items = [];
    }

    /** View of an item. Kept, so that asking again allocates nothing. */
    at(index) {
        const item = this.$items[index];
        if (item !== undefined)
            return item;
        if (!(index >= 0 && index < this.length))
            throw new RangeError(`index ${index} of ${this.length}`);
        return (this.$items[index] = new this.$Class(this.$m, this.ptr + index * this.$stride, this));
    }

    *[Symbol.iterator]() {
        for (let i = 0; i < this.length; i++)
            yield this.at(i);
    }

    assign(values) {
        let i = 0;
        for (const value of values)
            this.at(i++).assign(value);
        return this;
    }

    toJSON() {
        return [...this].map((item) => item.toJSON());
    }

    free() {
        release(this);
    }
}
StructList.prototype.$held = null;

const shifts = { f32: 2, i32: 2, u32: 2, f64: 3, u8: 0 };

/** Numbers of one type, one after another. */
export class NumberList {
    constructor(m, ptr, length, kind, owner) {
        this.$m = m;
        this.ptr = ptr;
        this.length = length;
        this.$kind = kind;
        this.$owner = owner;
        this.$array = null;
        this.$generation = 0;
    }

    /** A typed array on the memory. Valid until an object is created; ask again then. */
    get array() {
        if (this.$generation !== this.$m.generation) {
            const all = this.$m[this.$kind], from = this.ptr >> shifts[this.$kind];
            this.$array = all.subarray(from, from + this.length);
            this.$generation = this.$m.generation;
        }
        return this.$array;
    }

    at(index) {
        return this.array[index];
    }

    set(index, value) {
        this.array[index] = value;
    }

    [Symbol.iterator]() {
        return this.array[Symbol.iterator]();
    }

    assign(values) {
        let i = 0;
        for (const value of values)
            this.array[i++] = value;
        return this;
    }

    toJSON() {
        return [...this.array];
    }

    free() {
        release(this);
    }
}
NumberList.prototype.$held = null;
