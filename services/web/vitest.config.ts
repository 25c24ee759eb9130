import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    globalSetup: './test/support/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: ['test/**/*.test.{ts,tsx}'],
    // One browser at a time: more would only wait for each other, and make the rest of the machine wait.
    fileParallelism: false,
  },
});
