import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../infra/dev/src/testing/vitest-options.ts';

const replacement = (name: string) => fileURLToPath(new URL(`./test/k6/${name}`, import.meta.url));

// The scripts import modules that exist only in k6.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^k6$/, replacement: replacement('k6.ts') },
      { find: /^k6\/crypto$/, replacement: replacement('crypto.ts') },
      { find: /^k6\/http$/, replacement: replacement('http.ts') },
      { find: /^k6\/metrics$/, replacement: replacement('metrics.ts') },
      { find: /^k6\/timers$/, replacement: 'node:timers' },
      { find: /^k6\/x\/sse$/, replacement: replacement('sse.ts') },
    ],
  },
  test: vitestOptions,
});
