// Runs the scenes of stage.wasm in Node, and prints a line for each: id, steps, hash. As test_stage does
// natively.
//
//     node playground/native/run_stage.mjs [WASM] [STEPS]
import { readFile } from 'node:fs/promises';

const file = process.argv[2] ?? 'build-playground/stage.wasm';
const steps = Number(process.argv[3] ?? 300);
const module = await WebAssembly.compile(await readFile(file));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) {
    console.error(`${file} imports ${imports.map((i) => `${i.module}.${i.name}`).join(', ')}`);
    process.exit(1);
}
const stage = (await WebAssembly.instantiate(module, {})).exports;
stage._initialize?.();

const decoder = new TextDecoder();
function text(address) {
    const bytes = new Uint8Array(stage.memory.buffer, address);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

const hash = stage.malloc(8);
for (let scene = 0; scene < stage.kerb_stage_scene_count(); scene++) {
    const id = text(stage.kerb_stage_scene_id(scene));
    const one = stage.kerb_stage_make(scene, 1, 0, 0, 0, 0);
    if (one === 0) {
        console.log(`${id} cannot be made`);
        process.exitCode = 1;
        continue;
    }
    const begun = performance.now();
    for (let i = 0; i < steps; i++) stage.kerb_stage_step(one);
    const each = (performance.now() - begun) / steps;
    stage.kerb_stage_hash(one, hash);
    const [low, high] = new Uint32Array(stage.memory.buffer, hash, 2);
    console.log(`${id} ${steps} ${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`);
    console.error(`    ${each.toFixed(3)} ms a step, ${stage.kerb_stage_vehicle_count(one)} vehicles`);
    stage.kerb_stage_free(one);
}
