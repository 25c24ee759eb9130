import { expect, test } from 'vitest';
import { obstacleOf } from './record-trial.ts';

const find = (program: string) => (program === 'git' ? '/usr/bin/git' : undefined);

test('a trial that cannot run says which packages to install, and that it needs root', () => {
  expect(obstacleOf(['git', 'podman', 'systemd-nspawn', 'ip'], { find, uid: 0 })).toBe(
    'podman, systemd-nspawn, ip missing: apt-get install podman systemd-container iproute2',
  );
  expect(obstacleOf(['git'], { find, uid: 1000 })).toBe('it needs root');
  expect(obstacleOf(['git'], { find, uid: 0 })).toBeNull();
});
