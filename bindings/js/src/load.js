// Where a module comes from: an address, a response, bytes, or a compiled module.
import { Kerb } from './kerb.js';

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
        const files = 'node:fs/promises';
        const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
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

/** Loads a module. */
export async function loadFrom(source) {
    const instance = await WebAssembly.instantiate(await moduleOf(source), {});
    return new Kerb(instance.exports);
}
