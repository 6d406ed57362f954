#!/usr/bin/env node
// Builds the package into dist/: modules of WebAssembly, and what follows from Kerb's headers.
//
//     node build.mjs [MODULE…]     all modules, or those named; `all` is always built
//
// LEVEL=-O3 in the environment optimizes for speed (see tools/compile.mjs).
//
// Needs clang, lld, wasi-libc and libclang-rt-14-dev-wasm32. Reads the library beside this folder.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { makeCompiler } from './tools/compile.mjs';
import { emitGlue, emitLayout } from './tools/emit_c.mjs';
import * as emit from './tools/emit_js.mjs';
import { readHeaders } from './tools/headers.mjs';
import { functionsOf, modules } from './tools/modules.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const dist = join(here, 'dist');
const wanted = new Set(['all', ...process.argv.slice(2)]);
const names = Object.keys(modules).filter((name) => process.argv.length < 3 || wanted.has(name));

const headers = readHeaders(`${root}/include/kerb`);
// Functions of the headers that use what the binding has no type for.
const usable = ({ name, parameters, type }) => ![...parameters.map((p) => p.type), type].some(
    (one) => one.startsWith('kerb_settings_table') || one === 'kerb_setting' || one === 'kerb_allocator') &&
    !(type === 'uint64_t');
for (const [name, one] of headers.functions)
    if (!usable(one))
        headers.functions.delete(name);

const compiler = makeCompiler({ root, folder: join(here, 'build'), level: process.env.LEVEL });
mkdirSync(dist, { recursive: true });

/** Writes a file only when it changes, so that what is built from it is not built again. */
function write(name, text) {
    const file = join(dist, name);
    let old = '';
    try {
        old = readFileSync(file, 'utf8');
    } catch { /* the first time */ }
    if (old !== text)
        writeFileSync(file, text);
}

const source = (name, text) => {
    const file = join(compiler.folder, `${name}.c`);
    writeFileSync(file, text);
    return file;
};

const float = (value) => Number(Math.fround(value).toPrecision(7));

// What the compiler says about structs and settings tables.
async function layout(library) {
    const made = await compiler.module([library,
        await compiler.object(source('layout', emitLayout(headers)), 'layout')],
    join(compiler.folder, 'layout.wasm'));
    const { instance: { exports } } = await WebAssembly.instantiate(readFileSync(made), {});
    const u32 = new Uint32Array(exports.memory.buffer), f32 = new Float32Array(exports.memory.buffer);
    const u8 = new Uint8Array(exports.memory.buffer);
    const text = (at) => new TextDecoder().decode(u8.subarray(at, u8.indexOf(0, at)));
    const count = [...headers.structs.values()].reduce((sum, { fields }) => sum + 2 + 2 * fields.length, 0);
    const numbers = u32.slice(exports.numbers() >> 2, (exports.numbers() >> 2) + count);
    emit.withLayout(headers.structs, numbers);
    const stride = exports.setting_size() >> 2, table = exports.tables() >> 2;
    // kerb_settings_table: name, size, settings, count; kerb_setting: name, offset, type, unit, min,
    // max, default_value, choices, meaning.
    const tables = [...headers.tables.values()].map(({ name, header }, i) => {
        const [struct, size, rows, length] = u32.slice(u32[table + i] >> 2, (u32[table + i] >> 2) + 4);
        return { key: name.replace(/^kerb_|_settings_table$|_table$/g, ''), struct: text(struct), size, header,
            rows: Array.from({ length }, (_, n) => {
                const row = (rows >> 2) + n * stride;
                return { name: text(u32[row]), offset: u32[row + 1], type: u32[row + 2],
                    unit: text(u32[row + 3]), min: float(f32[row + 4]), max: float(f32[row + 5]),
                    defaultValue: float(f32[row + 6]),
                    choices: u32[row + 7] ? text(u32[row + 7]).split('|') : null,
                    meaning: text(u32[row + 8]) };
            }) };
    });
    const id = createHash('sha256').update(JSON.stringify([[...numbers], tables])).digest().readUInt32LE(0);
    return { tables, id };
}

const library = await compiler.library();
const { tables, id } = await layout(library);
headers.exported = functionsOf('all', headers);
const version = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).version;
const error = headers.structs.get('kerb_error');

write('structs.js', emit.emitStructs(headers, tables));
write('structs.d.ts', emit.emitTypes(headers, tables));
write('enums.js', emit.emitEnums(headers));
write('enums.d.ts', emit.emitEnumTypes(headers));
write('tables.js', emit.emitTables(tables));
write('calls.js', emit.emitCalls(headers.exported, headers));
write('identity.js', `// Written by build.mjs.
export const version = '${version}';
export const layout = ${id};
export const errorLayout = ${JSON.stringify({ size: error.size,
    fields: Object.fromEntries(error.fields.map(({ name, offset }) => [name, offset])) })};
`);
for (const file of readdirSync(join(here, 'src')))
    copyFileSync(join(here, 'src', file), join(dist, file));

console.log('module       bytes  gzipped');
for (const name of names) {
    const glue = source(`glue_${name}`, emitGlue(functionsOf(name, headers), headers.structs, id));
    const made = await compiler.module([library, await compiler.object(glue, `glue_${name}`)],
        join(dist, name === 'all' ? 'kerb.wasm' : `${name}.wasm`));
    const bytes = readFileSync(made);
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    if (imports.length)
        throw new Error(`${name} imports ${imports.map((one) => one.name).join(', ')}`);
    console.log(`${name.padEnd(10)} ${String(bytes.length).padStart(7)} ${String(gzipSync(bytes, { level: 9 }).length).padStart(8)}`);
    if (name !== 'all') {
        write(`${name}.js`, `// Written by build.mjs: Kerb with the module of one driver.
import { loadFrom } from './load.js';

export * from './names.js';
export const load = (source = new URL('./${name}.wasm', import.meta.url)) => loadFrom(source);
`);
        write(`${name}.d.ts`, `export * from './index.js';\n`);
    }
}
