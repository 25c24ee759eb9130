import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: './test/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Files wait for nodes more than they compute, and each has a database of its own: two at a time, and modules are loaded once.
    maxWorkers: 2,
    isolate: false,
  },
});
