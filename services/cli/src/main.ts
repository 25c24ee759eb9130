#!/usr/bin/env node
import { runCli } from './cli.ts';

// A closed pipe is not a failure: `paywatch accounts list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runCli(process.argv.slice(2), process);
