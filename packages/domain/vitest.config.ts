import { defineConfig } from 'vitest/config';

// Properties are tried on hundreds of cases: on a busy machine they take their time.
export default defineConfig({ test: { testTimeout: 60_000 } });
