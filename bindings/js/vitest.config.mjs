// Programs are started and modules compiled: a busy machine needs time.
export default { test: { include: ['test/*.test.mjs'], testTimeout: 120000 } };
