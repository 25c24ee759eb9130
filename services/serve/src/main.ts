import { runMain } from '@paywatch/runtime/process';
import { startServe } from './start.ts';

runMain(() => startServe());
