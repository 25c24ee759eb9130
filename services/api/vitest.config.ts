import { defineConfig } from 'vitest/config';
import { untransformedOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({
  test: { ...untransformedOptions, globalSetup: './test/global-setup.ts' },
});
