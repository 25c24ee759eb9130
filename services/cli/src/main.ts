#!/usr/bin/env node
import { runCli } from './cli.ts';

// A reader that has seen enough, as in `paywatch accounts list | head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runCli(process.argv.slice(2), process);
