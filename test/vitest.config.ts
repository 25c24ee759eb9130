import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../infra/dev/src/testing/vitest-options.ts';

// Each file brings up a whole stack, and waits more than it computes: two at a time, also on one core.
export default defineConfig({ test: { ...vitestOptions, maxWorkers: 2 } });
