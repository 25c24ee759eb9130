import { repositoryFolder } from '@paywatch/dev/stack';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const script = readFileSync(join(repositoryFolder, 'install.sh'), 'utf8');
const read = (name: string): unknown => JSON.parse(readFileSync(join(repositoryFolder, name), 'utf8'));

test('install.sh builds with the npm that the repository names', () => {
  const { packageManager } = z.object({ packageManager: z.string() }).parse(read('package.json'));
  expect(`npm@${/^NPM_VERSION=(.*)$/m.exec(script)?.[1]}`).toBe(packageManager);
});

test.each(['x64', 'arm64'])(
  'install.sh reads version and checksum of Node for %s from package-lock.json',
  (arch) => {
    const lock = z
      .object({
        packages: z.record(
          z.string(),
          z.object({ version: z.string().optional(), integrity: z.string().optional() }),
        ),
      })
      .parse(read('package-lock.json'));
    const wanted = lock.packages[`node_modules/node-linux-${arch}`];
    const lockField = /^lock_field\(\) \{[\s\S]*?^\}/m.exec(script)?.[0] ?? '';
    const ask = (field: string) =>
      execFileSync(
        'sh',
        ['-c', `source=$1; ${lockField}\nlock_field node-linux-$2 $3`, 'sh', repositoryFolder, arch, field],
        {
          encoding: 'utf8',
        },
      ).trim();
    expect(ask('version')).toBe(wanted?.version);
    expect(ask('integrity')).toBe(wanted?.integrity);
    expect(wanted?.integrity).toMatch(/^sha512-/);
  },
);

test('install.sh accepts a file with the right checksum and refuses any other', () => {
  const verify = /^verify\(\) \{[\s\S]*?^\}/m.exec(script)?.[0] ?? '';
  const file = join(repositoryFolder, 'package.json');
  const digest = execFileSync('sh', ['-c', 'sha512sum "$1" | cut -d" " -f1', 'sh', file], {
    encoding: 'utf8',
  }).trim();
  const integrity = `sha512-${Buffer.from(digest, 'hex').toString('base64')}`;
  const run = (path: string) =>
    execFileSync('sh', ['-c', `fail() { exit 3; }\n${verify}\nverify "$1" "$2"`, 'sh', path, integrity]);
  expect(run(file)).toBeDefined();
  expect(() => run(join(repositoryFolder, 'package-lock.json'))).toThrow(/Command failed/);
});
