// Writes the part of the binding that follows from the headers: classes that view the structs in the
// module's memory, enums, settings tables, and a typed call for every function.
import { camel, pascal } from './headers.mjs';
import { exported } from './emit_c.mjs';

/** Structs whose class is written by hand (src/), on top of the generated one. */
export const byHand = new Set(['kerb_path', 'kerb_follower', 'kerb_racing_line', 'kerb_line_solver',
    'kerb_racer', 'kerb_planner', 'kerb_plan', 'kerb_plan_driver', 'kerb_plan_search',
    'kerb_lane_keeper', 'kerb_lane_company', 'kerb_parker', 'kerb_calibrator', 'kerb_steering_driver',
    'kerb_flyer', 'kerb_agents', 'kerb_flock', 'kerb_neighbour_grid', 'kerb_surroundings',
    'kerb_draw_buffer', 'kerb_estimate', 'kerb_body_estimate', 'kerb_pedal_estimate',
    'kerb_vehicle_estimate', 'kerb_host_check']);

// Structs that JavaScript never holds.
const unseen = new Set(['kerb_error', 'kerb_allocator', 'kerb_log', 'kerb_tasks', 'kerb_host',
    'kerb_setting', 'kerb_settings_table']);

export const className = (struct) => pascal(struct) + (byHand.has(struct) ? 'Struct' : '');

/** The structs with what the compiler said about them: size, alignment, offset and count. */
export function withLayout(structs, numbers) {
    let at = 0;
    for (const struct of structs.values()) {
        [struct.size, struct.alignment] = [numbers[at++], numbers[at++]];
        for (const field of struct.fields)
            [field.offset, field.count] = [numbers[at++], numbers[at++]];
    }
}

const doc = (text, indent = '    ') => (text ? `${indent}/** ${text.replace(/\*\//g, '* /')} */\n` : '');

// What a field is to JavaScript, or null for one that is none of its business.
function kindOf(field, headers) {
    if (field.name === 'memory' || field.name === 'allocator')
        return null;
    if (field.pointer)
        return field.array ? null : { kind: 'pointer' };
    if (headers.structs.has(field.type))
        return unseen.has(field.type) ? null : { kind: 'struct', struct: field.type };
    if (headers.enums.has(field.type))
        return { kind: 'i32', enum: field.type };
    const kind = headers.scalars[field.type];
    return kind ? { kind } : null;
}

// V8 always inlines functions of at most 27 bytes of bytecode, however long the caller is. So numbers
// pass through these getters and setters without becoming objects; `(this.ptr + 8) >> 2` in place of
// `this.$i + 2` is 3 bytes too long for it.
function accessor(field, kind, { classOf, isTable }) {
    const name = camel(field.name), at = field.offset ? `this.ptr + ${field.offset}` : 'this.ptr';
    if (field.array && kind.kind === 'char')
        return `    get ${name}() { return this.$m.string(${at}, ${field.count}); }\n`;
    if (field.array && kind.kind === 'struct')
        return `    get ${name}() { return this.$${name} ??= new StructList(${classOf(kind.struct)}, this.$m, ${at}, ${field.count}, ${classOf(kind.struct)}.size, this); }\n`;
    if (field.array)
        return `    get ${name}() { return this.$${name} ??= new NumberList(this.$m, ${at}, ${field.count}, '${kind.kind === 'bool' ? 'u8' : kind.kind}', this); }\n`;
    switch (kind.kind) {
    case 'struct':
        return isTable(kind.struct)
            ? `    get ${name}() { return this.$${name} ??= new ${classOf(kind.struct)}(this.$m, ${at}, this); }\n`
            : `    get ${name}() { return this.$${name}; }\n`;
    case 'pointer':
        return `    get ${name}() { return this.$m.u32[(${at}) >> 2]; }\n` +
            `    set ${name}(value) { this.$${name} = value; this.$m.u32[(${at}) >> 2] = address(value); }\n`;
    case 'bool':
        return `    get ${name}() { return this.$m.u8[${at}] !== 0; }\n` +
            `    set ${name}(value) { this.$m.u8[${at}] = value ? 1 : 0; }\n`;
    case 'u8':
        return `    get ${name}() { return this.$m.u8[${at}]; }\n` +
            `    set ${name}(value) { this.$m.u8[${at}] = value; }\n`;
    case 'u64':
        return `    get ${name}() { return this.$m.u64(${at}); }\n`;
    case 'f64':
        return `    get ${name}() { return this.$m.f64[(${at}) >> 3]; }\n` +
            `    set ${name}(value) { this.$m.f64[(${at}) >> 3] = value; }\n`;
    default: {
        const word = field.offset ? `this.$i + ${field.offset / 4}` : 'this.$i';
        return `    get ${name}() { return this.$m.${kind.kind}[${word}]; }\n` +
            `    set ${name}(value) { this.$m.${kind.kind}[${word}] = value; }\n`;
    }
    }
}

const isObject = (field, kind) => kind.kind === 'struct' || (field.array && kind.kind !== 'char');

// Without what a class by hand says in its own way: what pointers lead to, and the controls.
function fieldsOf(struct, headers) {
    const inItsWay = ({ field, kind }) => byHand.has(struct.name) &&
        (kind.kind === 'pointer' || /^controls$|^neighbour_count$/.test(field.name));
    return struct.fields.map((field) => ({ field, kind: kindOf(field, headers) }))
        .filter((f) => f.kind && !inItsWay(f));
}

// A class with `extends` comes after its base and after the classes whose sizes it needs; classes in
// getters are looked up late, so that the order of the rest does not matter.
export function emitStructs(headers, tables) {
    const isTable = (name) => tables.some((table) => table.struct === name);
    const lines = [`// Written by build.mjs from Kerb's headers.
import { View, StructList, NumberList, address } from './memory.js';
import { settingsClass } from './settings.js';
import { tables } from './tables.js';
`];
    for (const table of tables)
        lines.push(`export const ${pascal(table.struct)} = settingsClass(tables.${camel(table.key)});\n`);
    for (const struct of headers.structs.values()) {
        if (unseen.has(struct.name) || isTable(struct.name))
            continue;
        const fields = fieldsOf(struct, headers);
        const objects = fields.filter(({ field, kind }) => isObject(field, kind) || kind.kind === 'pointer');
        // Views of nested structs are made at once: a getter that makes them is too long to be inlined.
        const at = (field) => (field.offset ? `ptr + ${field.offset}` : 'ptr');
        const cached = objects.map(({ field, kind }) => ` this.$${camel(field.name)} = ${
            kind.kind === 'struct' && !field.array && !isTable(kind.struct)
                ? `new ${className(kind.struct)}(m, ${at(field)}, this)` : 'null'};`).join('');
        const vector = vectors[struct.name] ? `    set(${names(struct)}) {
        const f = this.$m.f32, at = this.$i;
${struct.fields.map(({ name }, i) => `        f[at + ${i}] = ${name};\n`).join('')}        return this;
    }
` : '';
        lines.push(`export class ${className(struct.name)} extends View {
${cached ? `    constructor(m, ptr, owner) { super(m, ptr, owner);${cached} }\n` : ''}${fields.map(({ field, kind }) => accessor(field, kind, { classOf: className, isTable })).join('')}${vector}}
${byHand.has(struct.name) ? `${className(struct.name)}.prototype.$offsets = ${JSON.stringify(Object.fromEntries(
            struct.fields.map(({ name, offset }) => [name, offset])))};\n` : ''}${className(struct.name)}.size = ${struct.size};
${className(struct.name)}.struct = '${struct.name}';
${className(struct.name)}.fields = ${JSON.stringify(fields.map(({ field }) => camel(field.name)))};
`);
    }
    return lines.join('\n');
}

function typeOf(field, kind, headers) {
    if (field.array && kind.kind === 'char')
        return 'string';
    if (field.array && kind.kind === 'struct')
        return `StructList<${className(kind.struct)}>`;
    if (field.array)
        return 'NumberList';
    return { struct: kind.struct && className(kind.struct), bool: 'boolean', u64: 'bigint',
        pointer: 'number' }[kind.kind] ?? (kind.enum ? pascal(kind.enum) : 'number');
}

function initTypeOf(field, kind, isTable) {
    if (field.array)
        return kind.kind === 'struct' ? `Iterable<${initName(kind.struct, isTable)}>` : 'Iterable<number>';
    if (kind.kind === 'struct')
        return initName(kind.struct, isTable);
    return kind.kind === 'bool' ? 'boolean' : 'number';
}

const names = (struct) => struct.fields.map(({ name }) => name).join(', ');
const vectors = { kerb_vec2: 2, kerb_vec3: 3, kerb_quat: 4 };
const initName = (struct) => `${className(struct)}Init`;

// What a settings class looks like: a tree of groups, lists and rows.
export function treeOf(rows) {
    const root = { groups: new Map(), lists: new Map(), leaves: new Map() };
    for (const row of rows) {
        const parts = row.name.split('.');
        let node = root;
        for (const part of parts.slice(0, -1)) {
            if (!node.groups.has(part))
                node.groups.set(part, { groups: new Map(), lists: new Map(), leaves: new Map() });
            node = node.groups.get(part);
        }
        const list = /^(\w+)\[\d+\]$/.exec(parts.at(-1));
        if (list)
            node.lists.set(list[1], row);
        else
            node.leaves.set(parts.at(-1), row);
    }
    return root;
}

const setType = (row) => (row.choices ? `number | ${row.choices.map((c) => `'${c}'`).join(' | ')}` : 'number');
const rowDoc = (row) => `${row.meaning}${row.unit === '1' || row.choices ? '' : ` [${row.unit}]`}` +
    `${row.choices ? '' : ` [${row.min} … ${row.max}]`} Default: ${row.choices ? row.choices[row.defaultValue] : row.defaultValue}.`;

function settingsTypes(node, indent, init) {
    const out = [];
    for (const [name, row] of node.leaves)
        out.push(init ? `${indent}${camel(name)}?: ${setType(row)};\n`
            : `${doc(rowDoc(row), indent)}${indent}get ${camel(name)}(): number;\n${indent}set ${camel(name)}(value: ${setType(row)});\n`);
    for (const [name, row] of node.lists)
        out.push(init ? `${indent}${camel(name)}?: Iterable<number>;\n`
            : `${doc(rowDoc(row), indent)}${indent}readonly ${camel(name)}: NumberList;\n`);
    for (const [name, group] of node.groups)
        out.push(`${indent}${init ? '' : 'readonly '}${camel(name)}${init ? '?' : ''}: {\n` +
            `${settingsTypes(group, indent + '    ', init)}${indent}};\n`);
    return out.join('');
}

export function emitTypes(headers, tables) {
    const isTable = (name) => tables.some((table) => table.struct === name);
    const lines = [`// Written by build.mjs from Kerb's headers.
import type { View, StructList, NumberList, Settings } from './memory.js';
${[...headers.enums.values()].map(({ name }) => `import type { ${pascal(name)} } from './enums.js';`).join('\n')}
import type * as byHand from './index.js';
`];
    for (const table of tables) {
        const tree = treeOf(table.rows), struct = headers.structs.get(table.struct);
        lines.push(`${doc(struct?.comment, '')}export declare class ${pascal(table.struct)} extends Settings {
    private constructor();
${settingsTypes(tree, '    ', false)}}
export interface ${pascal(table.struct)}Init {
${settingsTypes(tree, '    ', true)}}
`);
    }
    for (const struct of headers.structs.values()) {
        if (unseen.has(struct.name) || isTable(struct.name))
            continue;
        const name = className(struct.name);
        const fields = fieldsOf(struct, headers);
        lines.push(`${doc(struct.comment, '')}export declare class ${name} extends View {
    ${byHand.has(struct.name) ? 'protected' : 'private'} constructor();
${fields.map(({ field, kind }) => fieldTypes(field, kind, headers)).join('')}${vectors[struct.name]
            ? `    /** Writes all components. */\n    set(${fields.map(({ field }) => `${field.name}: number`).join(', ')}): this;\n` : ''}}
export ${vectors[struct.name] ? `type ${name}Init = readonly [${fields.map(() => 'number').join(', ')}] | {` : `interface ${name}Init {`}
${fields.filter(({ kind }) => kind.kind !== 'pointer' && kind.kind !== 'u64' && kind.kind !== 'char')
            .map(({ field, kind }) => `    ${camel(field.name)}?: ${initTypeOf(field, kind, isTable)};\n`).join('')}}${vectors[struct.name] ? ';' : ''}
`);
    }
    const bound = [...tables.map(({ struct }) => struct),
        ...[...headers.structs.keys()].filter((name) => !unseen.has(name) && !isTable(name))]
        .filter((name) => !byHand.has(name) && name !== 'kerb_axes');
    lines.push(`/** Classes of a loaded module for structs: new kerb.Motion({gear: 1}). They begin with defaults. */
export interface StructClasses {
${bound.map((name) => `    readonly ${className(name)}: new (values?: ${initName(name)}) => ${className(name)};`).join('\n')}
}
`);
    lines.push(emitCallTypes(headers));
    return lines.join('\n');
}

function fieldTypes(field, kind, headers) {
    const name = camel(field.name), type = typeOf(field, kind, headers);
    const comment = doc(field.comment);
    if (kind.kind === 'pointer')
        return `${comment}    get ${name}(): number;\n    set ${name}(value: View | number | null);\n`;
    if (isObject(field, kind) || kind.kind === 'char' || kind.kind === 'u64')
        return `${comment}    readonly ${name}: ${type};\n`;
    return `${comment}    ${name}: ${type};\n`;
}

/** Enums as frozen objects of numbers, and their texts by name of the enum. */
export function emitEnums({ enums }) {
    return `// Written by build.mjs from Kerb's headers.
${[...enums.values()].map(({ name, values }) =>
        `export const ${pascal(name)} = Object.freeze({ ${values.map((v) => `${key(v.name)}: ${v.value}`).join(', ')} });`).join('\n')}
`;
}

const key = (name) => (/^\d/.test(name) ? `'${name}'` : name);

export function emitEnumTypes({ enums }) {
    return `// Written by build.mjs from Kerb's headers.
${[...enums.values()].map(({ name, values, comment }) => `${doc(comment, '')}export declare const ${pascal(name)}: {
${values.map((v) => `${doc(v.comment)}    readonly ${key(v.name)}: ${v.value};\n`).join('')}};
export type ${pascal(name)} = number;
`).join('\n')}`;
}

export function emitTables(tables) {
    return `// Written by build.mjs: Kerb's settings tables.
export const tables = {
${tables.map((table) => `${camel(table.key)}: { key: '${camel(table.key)}', struct: '${table.struct}', size: ${table.size}, rows: [
${table.rows.map((row) => JSON.stringify([row.name, row.offset, row.type, row.unit, row.min, row.max,
        row.defaultValue, row.choices, row.meaning])).join(',\n')}] },`).join('\n')}
};
`;
}

// --------------------------------------------------------------------------- calls

const isHost = (p) => p.type === 'kerb_host' && p.pointer;
const isError = (p) => p.type === 'kerb_error' && p.pointer;

function callable(one, { structs, scalars }) {
    return one.parameters.every((p) => p.type === 'void' ? p.pointer === 1 : true) &&
        !(one.type === 'uint64_t');
}

/** A call of JavaScript for each function: views for pointers, an exception for an error. */
export function emitCalls(functions, headers) {
    const lines = functions.filter((one) => callable(one, headers)).map((one) => {
        const byStruct = !one.pointer && headers.structs.has(one.type);
        const names = one.parameters.filter((p) => !isHost(p) && !isError(p)).map((p) => camel(p.name));
        const given = one.parameters.filter((p) => !isHost(p)).map((p) => {
            if (isError(p))
                return 'm.error';
            return p.pointer || headers.structs.has(p.type) ? `a(${camel(p.name)})` : camel(p.name);
        });
        if (byStruct) {
            names.unshift('result');
            given.unshift('a(result)');
        }
        const call = `e.${exported(one.name)}(${given.join(', ')})`;
        let body = call;
        if (one.type === 'kerb_result' && one.parameters.some(isError))
            body = `m.check(${call})`;
        else if (one.type === 'bool')
            body = `${call} !== 0`;
        else if (one.type === 'char' && one.pointer)
            body = `m.text(${call})`;
        if (byStruct)
            body = `(${call}, result)`;
        return `    ${camel(exported(one.name))}: (${names.map(safe).join(', ')}) => ${body.replace(/\bdefault\b/g, 'default_')},`;
    });
    return `// Written by build.mjs from Kerb's headers.
import { address as a } from './memory.js';

export const calls = (m, e) => ({
${lines.join('\n')}
});
`;
}

const safe = (name) => (name === 'default' ? 'default_' : name);

function emitCallTypes(headers) {
    const seen = (p) => {
        if (headers.structs.has(p.type))
            return unseen.has(p.type) ? 'number' : byHand.has(p.type) ? `byHand.${pascal(p.type)}` : className(p.type);
        return null;
    };
    const type = (p) => {
        if (p.pointer > 1 || p.type === 'void')
            return 'View | number';
        if (p.pointer)
            return seen(p) ? `${seen(p)}${p.constant ? ' | null' : ''}` : 'View | number | null';
        return seen(p) ?? (p.type === 'bool' ? 'boolean' : 'number');
    };
    const functions = headers.exported.filter((one) => callable(one, headers));
    return `/** Every function of Kerb that the loaded module has. Structs are views; a result comes first. */
export interface Calls {
${functions.map((one) => {
        const parameters = one.parameters.filter((p) => !isHost(p) && !isError(p))
            .map((p) => `${safe(camel(p.name))}: ${type(p)}`);
        let result = one.type === 'void' && !one.pointer ? 'void' : 'number';
        if (!one.pointer && headers.structs.has(one.type)) {
            const view = seen(one);
            parameters.unshift(`result: ${view}`);
            result = view;
        } else if (one.type === 'kerb_result' && one.parameters.some(isError)) {
            result = 'void';
        } else if (one.type === 'bool') {
            result = 'boolean';
        } else if (one.type === 'char') {
            result = 'string';
        }
        return `${doc(one.comment)}    ${camel(exported(one.name))}(${parameters.join(', ')}): ${result};\n`;
    }).join('')}}
`;
}
