import { defineConfig } from 'vitest/config';
import { vitestOptions } from './src/vitest-options.ts';

export default defineConfig({
  test: { ...vitestOptions, globalSetup: './test/global-setup.ts' },
});
