import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    ...vitestOptions,
    globalSetup: './test/support/global-setup.ts',
    include: ['test/**/*.test.{ts,tsx}'],
    // The tests mostly wait for pages, and share one browser, so three workers do not overload two cores.
    maxWorkers: 3,
  },
});
