import { repositoryFolder } from '@paywatch/dev/stack';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../runner/run-script.ts';
import { k6Version, readThresholds, runK6 } from './k6.ts';
import type { LoadEnvironment } from './load-stage.ts';
import { formatReport, isPassed, type LoadReport, type ScriptReport } from './report.ts';
import { aboutScript, ITERATIONS, scriptNames } from './scripts.ts';

const FILE = '.paywatch/load-report.md';
const SCRIPT_PROCESS = fileURLToPath(new URL('../runner/script-process.ts', import.meta.url));
const SHOWN_LINES = 15;

/** What a script brought, without its name. */
type Run = { outcomes: Outcome[]; problem: string | null };

/** Runs a function with a new stack and its environment. */
type OnStage = <Result>(work: (environment: LoadEnvironment) => Promise<Result>) => Promise<Result>;

/**
 * Runs every script, each against a stack of its own, with k6 or without it in a small run, and writes the report to a file. Returns the
 * exit code: 99 if a script failed, 130 after an interruption.
 */
export async function loadAll(
  options: readonly string[],
  { onStage, interrupted }: { onStage: OnStage; interrupted: AbortSignal },
): Promise<number> {
  const version = k6Version();
  const startedAt = new Date().toISOString();
  const run = async (name: string, environment: LoadEnvironment): Promise<Run> =>
    version === null
      ? runSmall(name, environment, interrupted)
      : runByK6(name, options, environment, interrupted);
  const scripts: ScriptReport[] = [];
  for (const name of scriptNames()) {
    if (interrupted.aborted) return 130;
    scripts.push(await reportOf(name, () => onStage((environment) => run(name, environment))));
  }
  if (interrupted.aborted) return 130;
  write({ startedAt, machine: describeMachine(), runner: describeRunner(version, options), scripts });
  return scripts.every(isPassed) ? 0 : 99;
}

async function reportOf(name: string, run: () => Promise<Run>): Promise<ScriptReport> {
  console.error(`running ${name}`);
  const startedMs = performance.now();
  const { outcomes, problem } = await run();
  const report = {
    name,
    about: aboutScript(name),
    seconds: (performance.now() - startedMs) / 1000,
    outcomes,
    problem,
  };
  console.error(`${name} ${isPassed(report) ? 'passed' : 'failed'}`);
  return report;
}

async function runByK6(
  name: string,
  options: readonly string[],
  environment: LoadEnvironment,
  interrupted: AbortSignal,
): Promise<Run> {
  const { code, output } = await runK6(name, options, environment, { interrupted, isKept: true });
  const outcomes = readThresholds(output);
  const isComplete = (code === 0 || code === 99) && outcomes.length > 0;
  return { outcomes, problem: isComplete ? null : `k6 ended with ${code}\n${endOf(output)}` };
}

/** In a process of its own, because a script reads its settings once. */
async function runSmall(name: string, environment: LoadEnvironment, interrupted: AbortSignal): Promise<Run> {
  const child = spawn(process.execPath, [SCRIPT_PROCESS, name, String(ITERATIONS[name] ?? 0)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = () => child.kill();
  interrupted.addEventListener('abort', stop);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  interrupted.removeEventListener('abort', stop);
  if (output === '') return { outcomes: [], problem: endOf(errors) };
  return { outcomes: JSON.parse(output) as Outcome[], problem: null };
}

function endOf(output: string): string {
  return output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}

function describeMachine(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.version}`;
}

function describeRunner(version: string | null, options: readonly string[]): string {
  if (version !== null) return `Run by k6 ${version}, options: ${options.join(' ') || 'none'}.`;
  return (
    'Run without k6, 10 to 25 times for each kind of user: durations are measured and have no verdict, because few requests prove ' +
    'nothing about them. For a load test install k6 2.'
  );
}

function write(report: LoadReport): void {
  const file = join(repositoryFolder, FILE);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, formatReport(report));
  console.error(`report: ${FILE}`);
}
