// kerb-drive: Kerb in JavaScript. README.md has an example; index.d.ts says what everything is.
import { Kerb } from './kerb.js';

export { KerbError } from './memory.js';
export { settings, settingsNames } from './kerb.js';
export { version } from './identity.js';
export * from './enums.js';

const isFile = (source) => String(source).startsWith('file:');

async function moduleOf(source) {
    if (source instanceof WebAssembly.Module)
        return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
        return WebAssembly.compile(source);
    if (typeof Response !== 'undefined' && source instanceof Response)
        return compileStreaming(source);
    if (isFile(source) && typeof process !== 'undefined') {
        // Kept from bundlers, which would look for a module of Node in the browser.
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ 'node:fs/promises');
        return WebAssembly.compile(await readFile(new URL(source)));
    }
    return compileStreaming(await fetch(source));
}

// Servers that do not know the type of the file still serve it.
async function compileStreaming(response) {
    if (!response.ok)
        throw new Error(`cannot load ${response.url}: ${response.status} ${response.statusText}`);
    if (response.headers.get('Content-Type')?.startsWith('application/wasm') && WebAssembly.compileStreaming)
        return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Loads Kerb: from the file beside this one, or from a URL, a Response, bytes or a compiled module.
 * Each call makes a Kerb with a memory of its own, as workers need it.
 */
export async function load(source = new URL('./kerb.wasm', import.meta.url)) {
    const instance = await WebAssembly.instantiate(await moduleOf(source), {});
    return new Kerb(instance.exports);
}
