import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../infra/dev/src/testing/vitest-options.ts';

// Each file starts a whole stack and mostly waits: run two at a time, even on one core.
export default defineConfig({ test: { ...vitestOptions, maxWorkers: 2 } });
