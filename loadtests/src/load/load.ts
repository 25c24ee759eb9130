/** The entry of `npm run load -- NAME`: a script of `k6/` against a stack of its own, with the k6 that is on PATH. */
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

/** The exit code: that of k6 (99 where a threshold was missed), 1 without k6, 2 for a script that is none. */
async function load([name = '', ...options]: readonly string[]): Promise<number> {
  const script = `${SCRIPTS}${name}.ts`;
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(script)) return complain(usage(), 2);
  const problem = problemWithK6();
  if (problem !== null) return complain(problem, 1);
  const interrupted = interruption();
  const stack = await startLoadStack(API_REPLICAS);
  try {
    const told = await openShops(stack.url, SHOPS);
    return interrupted.aborted ? 130 : await runK6(script, options, told, interrupted);
  } finally {
    await stack.stop();
  }
}

function complain(text: string, code: number): number {
  console.error(text);
  return code;
}

function usage(): string {
  const names = readdirSync(SCRIPTS)
    .filter((file) => file.endsWith('.ts') && file !== SHARED)
    .map((file) => `  ${file.slice(0, -'.ts'.length)}`);
  return `npm run load -- NAME [-e RATE=50] [-e DURATION=30s] [other options of "k6 run"]\n\n${names.join('\n')}`;
}

/** What is wrong with the k6 on PATH; null where nothing is. */
function problemWithK6(): string | null {
  const { error, stdout } = spawnSync('k6', ['version'], { encoding: 'utf8' });
  if (error !== undefined)
    return 'k6 is not on PATH: install k6 2 (https://grafana.com/docs/k6/latest/set-up/install-k6/)';
  const version = /v(\d+)\.\d+\.\d+/.exec(stdout);
  return version?.[1] === '2'
    ? null
    : `k6 2 is needed, and the one on PATH is ${version?.[0] ?? 'of no known version'}`;
}

async function runK6(
  script: string,
  options: readonly string[],
  told: LoadEnvironment,
  interrupted: AbortSignal,
): Promise<number> {
  const k6 = spawn('k6', ['run', ...options, script], { stdio: 'inherit', env: { ...process.env, ...told } });
  interrupted.addEventListener('abort', () => k6.kill('SIGINT'));
  const [code] = await once(k6, 'exit');
  return typeof code === 'number' ? code : 130;
}
