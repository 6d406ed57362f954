// Compiles C to WebAssembly with clang and wasi-libc: no imports, no glue code of a tool chain.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Those of test/portable/run.sh and cmake/flags.cmake: with them the bits are those of every other
// machine. Kerb's sources are one unit, as in the release build, so that compilers inline across
// files; each function has a section of its own, so that a module holds only what it calls.
const flags = ['--target=wasm32-wasi', '-std=c17', '-msimd128', '-fno-slp-vectorize',
    '-ffp-contract=off', '-fno-math-errno', '-fno-trapping-math', '-ffunction-sections',
    '-fdata-sections', '-fvisibility=hidden', '-Wall', '-Wextra', '-Werror', '-DNDEBUG'];

// The library's own stack needs are above the linker's 64 KB. It lies first in memory, so that an
// overflow traps instead of writing into data.
const link = ['-nostartfiles', '-Wl,--no-entry', '-Wl,--gc-sections', '-Wl,--strip-all',
    '-Wl,--stack-first', '-Wl,-z,stack-size=1048576'];

function sourcesUnder(folder) {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.c'))
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

const age = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

// -Os: at -O3 the module of all is 30 % larger (gzipped 473 in place of 363 KB), and a follower takes
// 1.10 in place of 1.24 µs a call; at -Oz it is 8 % smaller, and takes 1.5 µs. The bits are the same.
const usualLevel = '-Os';

/** A compiler for the sources under `root`, which keeps its objects in `folder`. */
export function makeCompiler({ root, folder, level = usualLevel, clang = 'clang' }) {
    mkdirSync(folder, { recursive: true });
    const include = [`-I${root}/include`, `-I${root}`, `-I${root}/src`];

    async function object(source, name, extra = []) {
        const made = join(folder, `${name}.o`);
        await run(clang, [...flags, level, ...include, ...extra, '-c', source, '-o', made]);
        return made;
    }

    /** The library as one object; made again when a source or a header is younger. */
    async function library() {
        const made = join(folder, `kerb${level}.o`);
        // The host defines kerb_assert_failed: the library's own prints, which WebAssembly cannot.
        const sources = sourcesUnder(`${root}/src`).filter((file) => !file.endsWith('base/assertion.c'));
        const read = ['src', 'include'].flatMap((one) =>
            readdirSync(`${root}/${one}`, { withFileTypes: true, recursive: true })
                .filter((entry) => entry.isFile())
                .map((entry) => join(entry.parentPath ?? entry.path, entry.name)));
        if ([...read, fileURLToPath(import.meta.url)].every((file) => age(file) < age(made)))
            return made;
        const unit = join(folder, 'kerb.c');
        writeFileSync(unit, sources.map((file) => `#include "${file}"\n`).join(''));
        return object(unit, `kerb${level}`, ['-DKERB_BUILDING']);
    }

    /** Links objects to a module. */
    async function module(objects, made) {
        await run(clang, ['--target=wasm32-wasi', ...link, ...objects, '-o', made]);
        return made;
    }

    return { object, library, module, folder };
}
