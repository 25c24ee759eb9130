import { defineConfig } from 'vitest/config';
import { vitestOptions } from '../../infra/dev/src/testing/vitest-options.ts';

export default defineConfig({ test: vitestOptions });
