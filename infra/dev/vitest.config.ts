import { defineConfig } from 'vitest/config';
import { untransformedOptions } from './src/testing/vitest-options.ts';

export default defineConfig({
  test: { ...untransformedOptions, globalSetup: './test/global-setup.ts' },
});
