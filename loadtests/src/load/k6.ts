import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Outcome } from '../runner/run-script.ts';
import type { LoadEnvironment } from './load-stage.ts';
import { scriptFile } from './scripts.ts';

/** A run of k6: its exit code, and with `isKept` what it printed. */
export type K6Run = { code: number; output: string };

/** The version of the k6 on PATH; null without a k6 2. */
export function k6Version(): string | null {
  return /v2\.\d+\.\d+/.exec(spawnSync('k6', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? null;
}

/** Runs a script with `options` of `k6 run`. The exit code is 99 for a missed threshold, 130 after an interruption. */
export async function runK6(
  name: string,
  options: readonly string[],
  environment: LoadEnvironment,
  { interrupted, isKept = false }: { interrupted: AbortSignal; isKept?: boolean },
): Promise<K6Run> {
  const k6 = spawn('k6', ['run', ...(isKept ? ['--no-color'] : []), ...options, scriptFile(name)], {
    stdio: ['ignore', isKept ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  k6.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const stop = () => k6.kill('SIGINT');
  interrupted.addEventListener('abort', stop);
  const [code] = await once(k6, 'close');
  interrupted.removeEventListener('abort', stop);
  return { code: typeof code === 'number' ? code : 130, output };
}

/** The outcomes in the block THRESHOLDS of what k6 prints at its end; none if it ended before. */
export function readThresholds(output: string): Outcome[] {
  const [, block = ''] = /█ THRESHOLDS\s*\n(.*?)(?:█|$)/s.exec(output) ?? [];
  const outcomes: Outcome[] = [];
  let metric = '';
  for (const line of block.split('\n').map((text) => text.trim())) {
    const [, mark, expression, measured] = /^([✓✗]) '(.+?)' (.+)$/.exec(line) ?? [];
    if (expression === undefined || measured === undefined) metric = metricOf(line, metric);
    else
      outcomes.push({
        threshold: `${metric}: ${expression}`,
        measured: measured.replace(/^[^=]*=/, ''),
        verdict: mark === '✓' ? 'met' : 'missed',
      });
  }
  return outcomes;
}

/** A threshold of one scenario has its name in a line below that of the metric: `{scenario:donors}`. */
function metricOf(line: string, before: string): string {
  if (line === '') return before;
  return line.startsWith('{') ? before.replace(/\{.*/, '') + line.replaceAll(' ', '') : line;
}
