import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { obstacleOf, recordTrial } from './record-trial.ts';

const find = (program: string) => (program === 'git' ? '/usr/bin/git' : undefined);

test('a trial that cannot run says which packages to install, and that it needs root', () => {
  expect(obstacleOf(['git', 'podman', 'systemd-nspawn', 'ip'], { find, uid: 0 })).toBe(
    'podman, systemd-nspawn, ip missing: apt-get install podman systemd-container iproute2',
  );
  expect(obstacleOf(['git'], { find, uid: 1000 })).toBe('it needs root');
  expect(obstacleOf(['git'], { find, uid: 0 })).toBeNull();
});

test('a failed step, and a part that cannot be removed, are violations, and the other parts are removed', async () => {
  const removed: string[] = [];
  const trial = recordTrial(async ({ parts, done, check }) => {
    parts.defer(() => void removed.push('first'));
    parts.defer(() => Promise.reject(new Error('the network is busy')));
    check(false, 'the page is blank');
    done('one step');
    throw new Error('no payment arrives');
  });
  const steps: string[] = [];
  const result = await trial((step) => void steps.push(step), new AbortController().signal);
  expect(result).toEqual({
    steps: ['one step'],
    violations: ['the page is blank', 'no payment arrives', 'the network is busy'],
  });
  expect(steps).toEqual(result.steps);
  expect(removed).toEqual(['first']);
});

// In a namespace of its own: nothing is mounted on this machine.
const IN_NAMESPACE = ['--map-root-user', '--mount'];
const canMount = spawnSync('unshare', [...IN_NAMESPACE, 'true']).status === 0;

test.skipIf(!canMount)(
  'files of this machine that a killed program left mounted are not removed with the folder of the trial',
  { meta: { skipReason: 'the system refuses a mount namespace' } },
  () => {
    const kept = mkdtempSync(join(tmpdir(), 'record-trial-'));
    writeFileSync(join(kept, 'file'), '');
    const source = `
      import { execFileSync } from 'node:child_process';
      import { mkdirSync } from 'node:fs';
      import { recordTrial } from ${JSON.stringify(new URL('record-trial.ts', import.meta.url).href)};
      const trial = recordTrial(async ({ folder, done }) => {
        mkdirSync(folder + '/root');
        execFileSync('mount', ['--bind', process.argv[1], folder + '/root']);
        done(folder);
      });
      console.log(JSON.stringify(await trial(() => undefined, new AbortController().signal)));`;
    const node = [process.execPath, '--input-type=module', '--eval', source, kept];
    const { stdout } = spawnSync('unshare', [...IN_NAMESPACE, ...node], { encoding: 'utf8' });
    const { steps, violations } = JSON.parse(stdout) as { steps: string[]; violations: string[] };
    expect(violations).toEqual([]);
    expect(steps).toHaveLength(1);
    expect(existsSync(steps[0] ?? '')).toBe(false);
    expect(existsSync(join(kept, 'file'))).toBe(true);
    rmSync(kept, { recursive: true });
  },
);
