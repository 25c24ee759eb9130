import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    globalSetup: './test/support/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: ['test/**/*.test.{ts,tsx}'],
    // Most of what these tests do is wait for pages. One browser serves them all, so that few more processes run.
    maxWorkers: 3,
  },
});
