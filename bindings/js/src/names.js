// What all entries of the package export beside their load().
export { KerbError } from './memory.js';
export { settings, settingsNames } from './kerb.js';
export { version } from './identity.js';
export * from './enums.js';
