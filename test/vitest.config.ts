import { defineConfig } from 'vitest/config';

// One file after another: each brings up a whole stack.
export default defineConfig({ test: { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 } });
