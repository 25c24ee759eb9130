import { waitUntil } from '@paywatch/dev/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-trial-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SCRIPT = `
trap 'sleep 0.3; echo "the program ended" >> "$1/log"; exit' TERM
echo running > "$1/log"
while true; do sleep 0.1; done`;

const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

/** A trial in a process of its own, which runs a program until it is interrupted. */
function startEndlessTrial() {
  const source = `
    import { appendFileSync, writeFileSync } from 'node:fs';
    import { callProgram } from ${module('call-program.ts')};
    import { recordTrial } from ${module('record-trial.ts')};
    import { runTrial } from ${module('run-trial.ts')};
    const [script, folder] = process.argv.slice(1);
    const trial = recordTrial(async (recorder) => {
      recorder.parts.defer(() => appendFileSync(folder + '/log', 'its network is removed\\n'));
      writeFileSync(folder + '/trial', recorder.folder);
      recorder.done('the network is set up');
      await callProgram('sh', ['-c', script, 'sh', folder], recorder).finally(() => recorder.done('never'));
    });
    process.exit(await runTrial('endless', trial, true));`;
  return spawn(process.execPath, ['--input-type=module', '--eval', source, SCRIPT, folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a trial that gets %s ends its programs, then removes what it set up, and exits with 130',
  async (signal) => {
    const trial = startEndlessTrial();
    const [output, [exitCode]] = await Promise.all([
      text(trial.stdout),
      once(trial, 'exit'),
      waitUntil(() => readFileSync(join(folder, 'log'), 'utf8').includes('running'), {
        what: 'the program of the trial',
      }).then(() => trial.kill(signal)),
    ]);
    expect(exitCode).toBe(130);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(
      'running\nthe program ended\nits network is removed\n',
    );
    expect(existsSync(readFileSync(join(folder, 'trial'), 'utf8'))).toBe(false);
    expect(JSON.parse(output)).toEqual({
      trial: 'endless',
      steps: ['the network is set up'],
      violations: ['interrupted'],
    });
  },
);
