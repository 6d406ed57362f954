// The tests run under vitest, and under Node's own runner where vitest is not installed.
import { existsSync } from 'node:fs';

export const { test } = process.env.VITEST ? await import('vitest') : await import('node:test');
export const dist = new URL('../dist/', import.meta.url);

/** A test that needs something: without it, it says so and is skipped. */
export function testIf(there, why, name, body) {
    if (!there)
        console.log(`skipped, ${why}: ${name}`);
    (there ? test : test.skip)(name, body);
}

export const isBuilt = existsSync(new URL('kerb.wasm', dist));
