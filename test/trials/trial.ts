/**
 * `npm run trial -- NAME`: sets up a deployment on this machine as an operator does, runs orders through it, and removes it. Exits with 1
 * if there is a violation. Needs root and takes minutes.
 */
import { interruption } from '@paywatch/dev/commands';
import type { TrialResult } from './shared/trial-result.ts';

type Trial = (report: (step: string) => void) => Promise<TrialResult>;

const trials: Readonly<Record<string, () => Promise<{ run: Trial }>>> = {
  image: () => import('./image/image.ts'),
  install: () => import('./install/install.ts'),
  restore: () => import('./restore/restore.ts'),
  upgrade: () => import('./upgrade/upgrade.ts'),
};

const [name = '', ...options] = process.argv.slice(2);
const load = trials[name];
const isJson = options.includes('--json');
if (load === undefined || options.some((option) => option !== '--json')) {
  process.stderr.write(`usage: npm run trial -- ${Object.keys(trials).join(' | ')} [--json]\n`);
  process.exit(2);
}
const interrupted = interruption();
interrupted.addEventListener('abort', () => process.exit(130));
process.exit(await runTrial(load));

async function runTrial(loadTrial: () => Promise<{ run: Trial }>): Promise<0 | 1> {
  const { run } = await loadTrial();
  const { steps, violations } = await run((step) => void process.stderr.write(`✓ ${step}\n`));
  if (isJson) process.stdout.write(`${JSON.stringify({ trial: name, steps, violations }, null, 2)}\n`);
  for (const violation of violations) process.stderr.write(`✗ ${violation}\n`);
  return violations.length > 0 ? 1 : 0;
}
