import { temporaryFolder } from '@paywatch/dev/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandOf, editSettings, readCompose, servicesOf } from './parsed-compose.ts';

const compose = readCompose(`
services:
  redis:
    image: redis:7
    profiles: [single]
    command: [sh, -c, 'echo "$$HOME"']
    environment: { PORT: 6379, NAME: '$$x' }
    secrets: [{ source: redis_conf }, { source: tls }]
    volumes: ['redis:/data:rw', '/srv/own/infra:/etc/own:ro']
  load: { image: k6, profiles: [load, other] }
secrets:
  redis_conf: { file: /srv/own/secrets/redis_conf }
  tls: { file: /dev/null }
`);

const SOURCES = { volumes: '/srv/volumes', emptyFile: '/srv/empty' };

test('a service runs its command with its variables, secrets, folders and volumes', () => {
  expect(commandOf(compose, 'redis', SOURCES)).toEqual({
    words: ['sh', '-c', 'echo "$HOME"'],
    env: { PORT: '6379', NAME: '$x' },
    mounts: {
      '/run/secrets/redis_conf': '/srv/own/secrets/redis_conf',
      '/run/secrets/tls': '/srv/empty',
      '/data': '/srv/volumes/redis:rw',
      '/etc/own': '/srv/own/infra',
    },
  });
});

test('profiles choose the services, and an unknown service is an error', () => {
  expect(servicesOf(compose, ['single', 'other'])).toEqual(['redis', 'load']);
  expect(servicesOf(compose, [])).toEqual([]);
  expect(() => commandOf(compose, 'nginx', SOURCES)).toThrow('no service nginx');
});

test('.env is edited in place, and a variable that it does not have is an error', () => {
  const folder = temporaryFolder('env');
  writeFileSync(join(folder, '.env'), '# A=1\nAB=2\n# What C is.\n# C=\n');
  editSettings(folder, { A: '$&', AB: '3', C: 'x' });
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('A=$&\nAB=3\n# What C is.\nC=x\n');
  expect(() => editSettings(folder, { D: '1' })).toThrow('D');
});
