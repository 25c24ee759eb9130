/**
 * `npm run trial -- NAME`: sets up a deployment on this machine as an operator does, runs orders through it, and removes it. Exits with 1
 * if there is a violation, with 130 after an interruption. Needs root and takes minutes.
 */
import { runTrial } from './shared/run-trial.ts';
import type { Trial } from './shared/trial-result.ts';

const trials: Readonly<Record<string, () => Promise<{ run: Trial }>>> = {
  compose: () => import('./compose/compose.ts'),
  image: () => import('./image/image.ts'),
  install: () => import('./install/install.ts'),
  restore: () => import('./restore/restore.ts'),
  upgrade: () => import('./upgrade/upgrade.ts'),
};

const [name = '', ...options] = process.argv.slice(2);
const load = trials[name];
if (load === undefined || options.some((option) => option !== '--json')) {
  process.stderr.write(`usage: npm run trial -- ${Object.keys(trials).join(' | ')} [--json]\n`);
  process.exit(2);
}
const { run } = await load();
process.exit(await runTrial(name, run, options.includes('--json')));
