import type { Logger } from '../observability/logger.ts';
import { optimizeEarly } from './optimize-early.ts';

/** Steps run in the order given, each bounded, when the process is asked to end. */
export type ShutdownStep = { name: string; run: () => Promise<void> | void };

/**
 * Ends the process on SIGTERM or SIGINT after the steps, with code 0; with 1 if a step failed or `graceMs` ran out.
 * A second signal ends it at once. Also ends it, with 1, on an error that nobody handled: what state it is in is unknown.
 */
export function onShutdown(logger: Logger, steps: () => ShutdownStep[], graceMs = 25_000): void {
  let stopping = false;
  const stop = (reason: string, code: number): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ reason }, 'shutting down');
    setTimeout(() => process.exit(1), graceMs).unref();
    runSteps(logger, steps()).then(
      (clean) => process.exit(clean ? code : 1),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'unhandled error');
    stop('unhandled error', 1);
  });
}

async function runSteps(logger: Logger, steps: ShutdownStep[]): Promise<boolean> {
  let clean = true;
  for (const step of steps) {
    try {
      await step.run();
    } catch (err) {
      clean = false;
      logger.error({ err, step: step.name }, 'shutdown step failed');
    }
  }
  return clean;
}

/** Runs a service's main function; an error at start is one clear line and exit code 1. */
export function runMain(main: () => Promise<void>): void {
  optimizeEarly();
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
