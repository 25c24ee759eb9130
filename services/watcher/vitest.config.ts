import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({
  test: {
    ...vitestOptions,
    globalSetup: './test/global-setup.ts',
    // Files wait for nodes more than they compute, and each has a database of its own: two at a time, and modules are loaded once.
    maxWorkers: 2,
    isolate: false,
  },
});
