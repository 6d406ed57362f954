// Reads Kerb's public headers: structs, enums, functions and settings tables, with their comments.
//
// No C parser: the headers keep one form (one declaration a line or a wrapped one, `typedef struct
// kerb_x { … } kerb_x;`), which the house checks. What is read wrongly does not compile, because
// everything read here becomes C again: offsets come from the compiler (tools/emit_c.mjs).
import { readFileSync, readdirSync } from 'node:fs';

/** camelCase of a name of C: `cross_track_error` → `crossTrackError`. */
export const camel = (name) => name.replace(/_+([a-z0-9])/g, (_, c) => c.toUpperCase());

/** Name of a class of JavaScript: `kerb_lane_ray` → `LaneRay`. */
export const pascal = (name) => {
    const rest = camel(name.replace(/^kerb_/, ''));
    return rest[0].toUpperCase() + rest.slice(1);
};

const scalars = {
    float: 'f32', double: 'f64', int32_t: 'i32', uint32_t: 'u32', uint8_t: 'u8', bool: 'bool',
    uint64_t: 'u64', size_t: 'u32', int: 'i32', char: 'char',
};

// The comment that belongs to a declaration: lines of /// before it, and ///< behind it.
function commentOf(before, behind) {
    const text = [...before, ...behind].map((line) => line.replace(/^\/\/\/<? ?/, '')).join(' ');
    return text.replace(/\s+/g, ' ').trim();
}

// Pieces of a body that end with `end`, each with its comment: [{code, comment}].
function declarations(body, end) {
    const found = [];
    let before = [], code = '', last = null;
    for (const line of body.split('\n')) {
        const at = line.search(/\/\//);
        const note = at < 0 ? '' : line.slice(at).trim();
        let text = (at < 0 ? line : line.slice(0, at)).trim();
        if (note.startsWith('///<')) {
            if (text) {
                code += ' ' + text;
                text = '';
                if (code.trim().endsWith(end)) {
                    last = { code: code.trim(), comment: '', before, behind: [note] };
                    found.push(last);
                    [code, before] = ['', []];
                    continue;
                }
                last = { code, before, behind: [note], pending: true };
                continue;
            }
            if (last)
                last.behind.push(note);
            continue;
        }
        if (note.startsWith('///'))
            before.push(note);
        if (!text)
            continue;
        code += ' ' + text;
        if (code.trim().endsWith(end)) {
            last = { code: code.trim(), before, behind: [] };
            found.push(last);
            [code, before] = ['', []];
        }
    }
    if (code.trim())
        found.push({ code: code.trim() + end, before, behind: last?.pending ? last.behind : [] });
    return found.map((one) => ({ code: one.code.slice(0, -end.length).trim(),
        comment: commentOf(one.before, one.behind) }));
}

// Fields of a struct from one declaration such as `float *x, *y` or `kerb_vec2 points[16]`.
function fieldsOf({ code, comment }) {
    if (code.includes('('))
        return []; // a pointer to a function
    const match = /^(?:const\s+)?(?:struct\s+)?(\w+)\s*(.*)$/s.exec(code);
    const [, type, rest] = match;
    return rest.split(',').map((part) => {
        const [, stars, name, array] = /^([\s*]*)(\w+)\s*(\[.*\])?$/s.exec(part.trim());
        return { type, name, pointer: stars.includes('*'), array: Boolean(array), comment };
    });
}

function enumOf(name, body) {
    const values = [];
    let next = 0;
    for (const { code, comment } of declarations(body, ','))
        for (const one of code.split(',').map((part) => part.trim()).filter(Boolean)) {
            const [, constant, , value] = /^(\w+)(\s*=\s*(\S+))?$/.exec(one);
            if (value !== undefined)
                next = Number(value);
            values.push({ constant, value: next, comment });
            next++;
        }
    // The longest prefix of whole words that all share, without the last word of any.
    const words = values.map(({ constant }) => constant.split('_'));
    let shared = 0;
    while (words.every((w) => w.length > shared + 1 && w[shared] === words[0][shared]))
        shared++;
    for (const value of values)
        value.name = value.constant.split('_').slice(shared).join('_');
    return { name, values };
}

function parameterOf(code) {
    const [, constant, type, stars, name, array] =
        /^(const\s+)?(?:struct\s+)?(\w+)\s*([\s*]*)(?:const\s+)?(\w+)\s*(\[[^\]]*\])?$/.exec(code.trim());
    const depth = (stars.match(/\*/g) ?? []).length + (array ? 1 : 0);
    return { type, name, pointer: depth, constant: Boolean(constant) };
}

function functionOf(code, comment, header) {
    const match = /^(const\s+)?(\w+)\s*(\*?)\s*(\w+)\((.*)\)$/s.exec(code.replace(/\s+/g, ' ').trim());
    if (!match)
        return null;
    const [, , type, star, name, list] = match;
    if (list.includes('(') || list.includes('...'))
        return null;
    const parameters = list === 'void' ? [] : list.split(',').map(parameterOf);
    return { name, type, pointer: star ? 1 : 0, parameters, comment, header };
}

/** Reads all headers of `folder`: {structs, enums, functions, tables}, each a Map by name. */
export function readHeaders(folder) {
    const structs = new Map(), enums = new Map(), functions = new Map(), tables = new Map();
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.h')).sort()) {
        const header = file.slice(0, -2);
        const text = readFileSync(`${folder}/${file}`, 'utf8');
        for (const [whole, name, body] of text.matchAll(
            /typedef struct (kerb_\w+) \{([\s\S]*?)\n\} \1;/g)) {
            const comment = commentBefore(text, text.indexOf(whole));
            structs.set(name, { name, header, comment, fields: declarations(body, ';').flatMap(fieldsOf) });
        }
        for (const [whole, name, body] of text.matchAll(/typedef enum (kerb_\w+) \{([\s\S]*?)\} \1;/g))
            enums.set(name, { ...enumOf(name, body), header,
                comment: commentBefore(text, text.indexOf(whole)) });
        for (const { 1: code, index } of text.matchAll(/^KERB_API ([^;]*?);/gm)) {
            const comment = commentBefore(text, index);
            const table = /^const kerb_settings_table (\w+)$/.exec(code);
            if (table) {
                tables.set(table[1], { name: table[1], header });
                continue;
            }
            const one = functionOf(code, comment, header);
            if (one)
                functions.set(one.name, one);
        }
    }
    return { structs, enums, functions, tables, scalars };
}

function commentBefore(text, index) {
    const lines = text.slice(0, index).split('\n').slice(0, -1);
    const found = [];
    while (lines.length && lines.at(-1).startsWith('///'))
        found.unshift(lines.pop());
    return commentOf(found, []);
}
