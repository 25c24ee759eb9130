import { interruption } from '@paywatch/dev/commands';
import type { Trial } from './trial-result.ts';

/**
 * Runs a trial and prints its steps as they end, its violations and, with `isJson`, both as JSON. Returns the exit code: 1 if there is a
 * violation, 130 after SIGINT or SIGTERM, at which the trial removes what it set up.
 */
export async function runTrial(name: string, trial: Trial, isJson: boolean): Promise<0 | 1 | 130> {
  const interrupted = interruption();
  interrupted.addEventListener('abort', () => say('interrupted: stopping and removing everything'));
  const { steps, violations } = await trial((step) => say(`✓ ${step}`), interrupted);
  if (isJson) process.stdout.write(`${JSON.stringify({ trial: name, steps, violations }, null, 2)}\n`);
  for (const violation of violations) say(`✗ ${violation}`);
  if (interrupted.aborted) return 130;
  return violations.length > 0 ? 1 : 0;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
