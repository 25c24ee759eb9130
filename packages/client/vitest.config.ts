import { defineConfig } from 'vitest/config';

// Programs of others are run here, compilers among them: on a busy machine they take their time.
export default defineConfig({ test: { testTimeout: 120_000, hookTimeout: 120_000 } });
