import type { Logger } from '../observability/logger.ts';
import { tierUpEarly } from './tier-up-early.ts';

/** Shutdown steps run one after the other; the sequences of a `parallel` step run at once. */
export type ShutdownStep =
  { name: string; run: () => Promise<void> | void } | { parallel: readonly (readonly ShutdownStep[])[] };

/**
 * Runs the steps on SIGTERM or SIGINT and exits with code 0, or 1 if a step failed or `graceMs` passed. A second signal exits at once.
 * An unhandled error also shuts down, with code 1, because the state of the process is unknown.
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

async function runSteps(logger: Logger, steps: readonly ShutdownStep[]): Promise<boolean> {
  let clean = true;
  for (const step of steps) clean = (await runStep(logger, step)) && clean;
  return clean;
}

/** Resolves to whether the step succeeded. A failure is logged, and the next step runs all the same. */
async function runStep(logger: Logger, step: ShutdownStep): Promise<boolean> {
  if ('parallel' in step) {
    const results = await Promise.all(step.parallel.map((sequence) => runSteps(logger, sequence)));
    return results.every(Boolean);
  }
  try {
    await step.run();
    return true;
  } catch (err) {
    logger.error({ err, step: step.name }, 'shutdown step failed');
    return false;
  }
}

/** Runs a service's main function. A startup error is printed as one line, with exit code 1. */
export function runMain(main: () => Promise<void>): void {
  tierUpEarly();
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}
