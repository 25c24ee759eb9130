import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../infra/dev/src/testing/vitest-options.ts';

const standIn = (name: string) => fileURLToPath(new URL(`./test/k6/${name}`, import.meta.url));

// The scripts import modules that only k6 has. A whole stack starts before them.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^k6$/, replacement: standIn('k6.ts') },
      { find: /^k6\/crypto$/, replacement: standIn('crypto.ts') },
      { find: /^k6\/http$/, replacement: standIn('http.ts') },
      { find: /^k6\/metrics$/, replacement: standIn('metrics.ts') },
      { find: /^k6\/timers$/, replacement: 'node:timers' },
    ],
  },
  test: vitestOptions,
});
