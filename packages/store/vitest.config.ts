import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({
  // Files share no state but modules, which are loaded once.
  test: { ...vitestOptions, isolate: false, globalSetup: './test/global-setup.ts' },
});
