import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../infra/dev/src/testing/vitest-options.ts';
import { K6_MODULES } from './src/runner/k6-modules.ts';

// The scripts import modules that exist only in k6.
export default defineConfig({
  resolve: {
    alias: Object.entries(K6_MODULES).map(([name, url]) => ({
      find: new RegExp(`^${name}$`),
      replacement: url.startsWith('file:') ? fileURLToPath(url) : url,
    })),
  },
  test: vitestOptions,
});
