import { defineConfig } from 'vitest/config';
import { untransformedOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({
  test: {
    ...untransformedOptions,
    globalSetup: './test/global-setup.ts',
    // Files wait for nodes more than they compute, and each has a database of its own: two at a time.
    maxWorkers: 2,
  },
});
