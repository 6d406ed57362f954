// Builds playground/jolt/judge.wasm with clang: the courses, trials and judge of scene/ with the
// library, for a physics that JavaScript brings; and courses.wasm, the courses alone, for the page. Objects stay in build-jolt/ and are used again.
//
//     node playground/jolt/build.mjs
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, '..', '..'), objects = join(root, 'build-jolt');
const run = promisify(execFile);
const FLAGS = ['--target=wasm32-wasi', '-std=c17', '-O2', '-msimd128', '-fno-slp-vectorize', '-ffp-contract=off', '-fno-math-errno', '-fno-trapping-math',
  '-ffunction-sections', '-fdata-sections', '-DNDEBUG', `-I${join(root, 'include')}`, `-I${root}`, `-I${join(root, 'src')}`];

const filesOf = (folder, ending) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
  .filter((file) => file.isFile() && file.name.endsWith(ending)).map((file) => join(file.parentPath ?? file.path, file.name));
const newest = (files) => Math.max(...files.map((file) => statSync(file).mtimeMs));

const sources = [...filesOf('src', '.c'), ...readdirSync(join(root, 'sim')).filter((name) => name.endsWith('.c')).map((name) => join(root, 'sim', name)),
  ...filesOf('scene/course', '.c'), ...filesOf('scene/timing', '.c'),
  ...['tracks.c', 'race_lap.c', 'race_ground.c', 'race_surface.c'].map((name) => join(root, 'scene', 'race', name)), ...filesOf('playground/jolt/native', '.c')];
const headers = newest(['include', 'src', 'sim', 'scene', 'playground/jolt/native'].flatMap((folder) => filesOf(folder, '.h')));

async function compile(source) {
  const object = join(objects, `${relative(root, source).replaceAll('/', '-')}.o`);
  if (!existsSync(object) || statSync(object).mtimeMs < Math.max(headers, statSync(source).mtimeMs))
    await run('clang', [...FLAGS, '-c', source, '-o', object]);
  return object;
}

export async function build() {
  mkdirSync(objects, { recursive: true });
  const made = [], waiting = [...sources];
  await Promise.all(Array.from({ length: Math.max(1, cpus().length) }, async () => {
    while (waiting.length > 0) made.push(await compile(waiting.pop()));
  }));
  const objectOf = (name) => made.find((object) => object.endsWith(`native-${name}.c.o`));
  const only = [objectOf('judge'), objectOf('judge_more')];
  return [await link('judge.wasm', made), await link('courses.wasm', made.filter((object) => !only.includes(object)))];
}

async function link(name, objects) {
  const output = join(here, name);
  if (existsSync(output) && statSync(output).mtimeMs > newest(objects)) return output;
  await run('clang', ['--target=wasm32-wasi', '-mexec-model=reactor', '-Wl,--gc-sections', '-Wl,--export=malloc', '-Wl,--export=free', '-Wl,-z,stack-size=1048576', '-Wl,--strip-all', ...objects.sort(), '-o', output]);
  return output;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const output of await build()) console.log(`${relative(process.cwd(), output)}: ${statSync(output).size} bytes`);
}
