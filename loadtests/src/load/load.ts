/** `npm run load -- NAME`: runs a script of `k6/` against a new stack, with the k6 on PATH. */
import { interruption } from '@paywatch/dev/commands';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openShops, startLoadStack, type LoadEnvironment } from './load-stage.ts';

const SCRIPTS = fileURLToPath(new URL('../../k6/', import.meta.url));
const SHARED = 'shop.ts';
const API_REPLICAS = 2;
const SHOPS = 5;

process.exit(await load(process.argv.slice(2)));

/** Returns the exit code: that of k6 (99 for a missed threshold), 1 without k6, 2 for an unknown script. */
async function load([name = '', ...options]: readonly string[]): Promise<number> {
  const script = `${SCRIPTS}${name}.ts`;
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(script)) return fail(usage(), 2);
  const problem = problemWithK6();
  if (problem !== null) return fail(problem, 1);
  const interrupted = interruption();
  const stack = await startLoadStack(API_REPLICAS);
  try {
    const environment = await openShops(stack.url, SHOPS);
    return interrupted.aborted ? 130 : await runK6(script, options, environment, interrupted);
  } finally {
    await stack.stop();
  }
}

function fail(text: string, code: number): number {
  console.error(text);
  return code;
}

function usage(): string {
  const names = readdirSync(SCRIPTS)
    .filter((file) => file.endsWith('.ts') && file !== SHARED)
    .map((file) => `  ${file.slice(0, -'.ts'.length)}`);
  return `npm run load -- NAME [-e RATE=50] [-e DURATION=30s] [other options of "k6 run"]\n\n${names.join('\n')}`;
}

/** Why the k6 on PATH cannot be used; null if it can. */
function problemWithK6(): string | null {
  const { error, stdout } = spawnSync('k6', ['version'], { encoding: 'utf8' });
  if (error !== undefined)
    return 'k6 is not on PATH: install k6 2 (https://grafana.com/docs/k6/latest/set-up/install-k6/)';
  const version = /v(\d+)\.\d+\.\d+/.exec(stdout);
  return version?.[1] === '2' ? null : `k6 2 is needed; the version on PATH is ${version?.[0] ?? 'unknown'}`;
}

async function runK6(
  script: string,
  options: readonly string[],
  environment: LoadEnvironment,
  interrupted: AbortSignal,
): Promise<number> {
  const env = { ...process.env, ...environment };
  const k6 = spawn('k6', ['run', ...options, script], { stdio: 'inherit', env });
  interrupted.addEventListener('abort', () => k6.kill('SIGINT'));
  const [code] = await once(k6, 'exit');
  return typeof code === 'number' ? code : 130;
}
