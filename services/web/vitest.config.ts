import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    ...vitestOptions,
    globalSetup: './test/support/global-setup.ts',
    include: ['test/**/*.test.{ts,tsx}'],
    // Most of what these tests do is wait for pages. One browser serves them all, so that few more processes run.
    maxWorkers: 3,
  },
});
