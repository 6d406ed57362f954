// kerb-drive: Kerb in JavaScript. README.md has an example; index.d.ts says what everything is.
import { loadFrom } from './load.js';

export * from './names.js';

/**
 * Loads Kerb: from the file beside this one, or from a URL, a Response, bytes or a compiled module.
 * Each call makes a Kerb with a memory of its own, as workers need it.
 */
export const load = (source = new URL('./kerb.wasm', import.meta.url)) => loadFrom(source);
