import { repositoryFolder } from '@paywatch/dev/stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStarter, runArguments } from '../shared/containers.ts';
import { baseImageOf } from './base-image.ts';

test('the Dockerfile is based on the Node version that package.json pins', () => {
  const dockerfile = readFileSync(join(repositoryFolder, 'Dockerfile'), 'utf8');
  expect(baseImageOf(dockerfile)).toMatchObject({ node: process.version.slice(1), suite: 'bookworm' });
});

test('a digest is ignored, and stages with different bases are refused', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  expect(baseImageOf(`FROM node:26.10.0-trixie-slim@${digest} AS build\n`)).toEqual({
    name: 'node:26.10.0-trixie-slim',
    node: '26.10.0',
    suite: 'trixie',
  });
  for (const dockerfile of [
    '',
    'FROM alpine:3\n',
    'FROM node:26.10.0-bookworm-slim\nFROM node:26.9.0-bookworm-slim\n',
  ])
    expect(() => baseImageOf(dockerfile), dockerfile).toThrow('base');
});

test('a container runs as user 1000 without capabilities, on the network of the host, with its secrets read-only', () => {
  const command = {
    words: ['node', 'x.mjs'],
    env: { PORT: '1' },
    mounts: { '/run/secrets': '/tmp/s', '/data': '/tmp/d:rw' },
  };
  expect(runArguments('one', command)).toEqual([
    'run',
    '--isolation=chroot',
    '--network=host',
    '--user=1000:1000',
    '--cap-drop=all',
    '--env=PORT=1',
    '--volume=/tmp/s:/run/secrets:ro',
    '--volume=/tmp/d:/data',
    'one',
    '--',
    'node',
    'x.mjs',
  ]);
  expect(runArguments('one', { words: ['sh'], workingFolder: '/data' })).toContain('--workingdir=/data');
});

test.each([
  ['/usr/bin/setpriv', true],
  ['/usr/bin/nsenter', true],
  ['/usr/bin/buildah', true],
  ['/memfd:buildah-chroot-runtime (deleted)', true],
  ['/memfd:buildah-chroot-exec (deleted)', true],
  ['/var/tmp/buildah3561134521/mnt/rootfs/usr/local/bin/node', false],
  ['/var/tmp/buildah3561134521/mnt/rootfs/usr/bin/redis-check-rdb', false],
])('of the processes that run a command, %s only leads to it: %s', (program, leads) => {
  expect(isStarter(program)).toBe(leads);
});
