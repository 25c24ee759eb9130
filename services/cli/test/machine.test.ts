import { judgePostgres } from '@paywatch/domain/deployment';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeBackup } from '../src/doctor/machine/check-backup.ts';
import { checkDisk, judgeDisk } from '../src/doctor/machine/check-disk.ts';
import { checkMachine } from '../src/doctor/machine/check-machine.ts';
import { checkNode } from '../src/doctor/machine/check-node.ts';
import { judgeTimeSource } from '../src/doctor/machine/check-time-source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'machine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const GIGABYTE = 1e9;

test.each([
  [0.9, 3, 'failed'],
  [1, 3, 'ok'],
  [1.9, 20, 'warning'],
  [2, 20, 'ok'],
  [19, 4000, 'warning'],
  [20, 4000, 'ok'],
])('of %f GB free on a disk of %f GB the doctor says: %s', (free, total, status) => {
  const roomy = { path: '/', freeBytes: 100 * GIGABYTE, totalBytes: 200 * GIGABYTE };
  const data = { path: '/data', freeBytes: free * GIGABYTE, totalBytes: total * GIGABYTE };
  expect(judgeDisk([roomy, data])).toMatchObject({ status, detail: expect.stringContaining('/data') });
});

test('the doctor shows the free space of each file system once, and leaves out folders that are missing', async () => {
  mkdirSync(join(folder, 'below'));
  const { detail } = await checkDisk([folder, join(folder, 'below'), join(folder, 'missing')]);
  const { blocks, bsize } = statfsSync(folder);
  expect(detail).toContain(` of ${((blocks * bsize) / GIGABYTE).toFixed(0)} GB free at ${folder}`);
  expect(detail).not.toContain(',');
});

test.each([
  ['2026-03-04T02:30:00Z', 'ok', '0 hours'],
  ['2026-03-05T14:29:59Z', 'ok', '35 hours'],
  ['2026-03-05T14:30:00Z', 'warning', '36 hours'],
  ['2026-03-07T14:30:00Z', 'failed', '84 hours'],
  // The clock was set back.
  ['2026-03-01T00:00:00Z', 'ok', '0 hours'],
])('at %s the doctor says of a backup of March 4: %s', (now, status, age) => {
  const files = ['paywatch-2026-03-03T023000Z.dump', 'paywatch-2026-03-04T023000Z.dump', 'other.dump'];
  const partial = 'paywatch-2026-03-09T023000Z.dump.partial';
  expect(judgeBackup('/backups', [...files, partial], Date.parse(now))).toMatchObject({
    status,
    detail: `the newest in /backups is ${age} old`,
  });
});

test('before the first backup the doctor warns, and says how to make one', () => {
  expect(judgeBackup('/backups', ['paywatch-2026-03-09T023000Z.dump.partial'], 0)).toMatchObject({
    status: 'warning',
    detail: 'none in /backups yet',
    advice: expect.stringContaining('systemctl start paywatch-backup'),
  });
});

test.each([
  ['yes', ['ok']],
  ['no', ['warning']],
  [null, []],
])('if timedatectl says %s about the clock, the doctor says %j', (synchronized, statuses) => {
  expect(judgeTimeSource(synchronized).map(({ status }) => status)).toEqual(statuses);
});

test('the doctor looks for backups where `paywatch install` has set up the machine, in the folder of its answers', async () => {
  const answersFile = join(folder, 'answers.json');
  const checks = async () =>
    (await checkMachine(answersFile)).filter(({ check }) => check === 'Backup').map(({ detail }) => detail);
  const install = (backups: unknown) =>
    writeFileSync(
      answersFile,
      JSON.stringify({
        domain: 'pay.example',
        sources: { BTC: { kind: 'node', url: 'http://u:hidden@10.0.0.1' } },
        backups,
      }),
    );
  expect(await checks()).toEqual([]);
  install(null);
  expect(await checks()).toEqual(['this installation makes no backups']);
  install({ folder, days: 14 });
  expect(await checks()).toEqual([`none in ${folder} yet`]);
  install({ folder: join(folder, 'missing'), days: 14 });
  expect(await checks()).toEqual([expect.stringContaining('ENOENT')]);
  writeFileSync(answersFile, 'http://u:hidden@10.0.0.1');
  expect(await checks()).toEqual([`${answersFile} cannot be read as JSON.`]);
});

const before = (major: string) => String(Number(major) - 1);
const postgresStatus = (major: string) => judgePostgres({ version: `${major}.9`, isReadOnly: false }).status;

test('the doctor warns about what is older than the README asks for', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, postgres = '', node = ''] =
    /needs Postgres (\d+) or newer, Redis .*? with `maxmemory-policy noeviction`, Node\s+(\d+)/s.exec(
      readme,
    ) ?? [];
  expect([postgresStatus(before(postgres)), postgresStatus(postgres)]).toEqual(['warning', 'ok']);
  const statuses = [before(node), node].map((major) => checkNode(`v${major}.0.0`).status);
  expect(statuses).toEqual(['warning', 'ok']);
});
