import { createSealer, type SealingKey } from '@paywatch/runtime/security';
import { byOperator } from '@paywatch/store/accounts';
import { endpointSecretPlace, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { progressBar } from '../src/terminal/progress-bar.ts';
import { encryptionKey, openAccount, openBench, type Bench } from './support/bench.ts';

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());
beforeEach(async () => void (await bench.store.sql`delete from webhook_endpoints`));

const [older, newer, lost] = [encryptionKey('k1'), encryptionKey('k2'), encryptionKey('lost')];

/** Sets the endpoint of a new account twice, so that it has a current and a previous secret. */
async function storeSecrets(key: SealingKey): Promise<bigint> {
  const { projectId } = await openAccount(bench);
  for (const secret of ['whsec_previous', 'whsec_current']) {
    const secretSealed = createSealer([key]).seal(secret, endpointSecretPlace(projectId));
    await setWebhookEndpoint(bench.store, byOperator, {
      projectId,
      url: 'https://shop.example/',
      secretSealed,
    });
  }
  return projectId;
}

const rotate = (keys: string) =>
  bench.run(['keys', 'rotate-encryption', '--json'], { env: { ENCRYPTION_KEYS: keys } });

test('re-encrypts every secret with the first key and lists the unused keys', async () => {
  const projectId = await storeSecrets(older);
  const env = { ENCRYPTION_KEYS: `${newer.text},${older.text}` };
  const run = await bench.spawn(['keys', 'rotate-encryption', '--json'], { env });
  expect(run.code).toBe(0);
  expect(run.json()).toEqual({
    key: 'k2',
    resealed: 2,
    current: 2,
    outdated: 0,
    unreadable: 0,
    removable_keys: ['k1'],
  });
  const [row] = await bench.store.sql<{ secret_sealed: Buffer; previous_secret_sealed: Buffer }[]>`
    select secret_sealed, previous_secret_sealed from webhook_endpoints where project_id = ${projectId}`;
  const onlyNewer = createSealer([newer]);
  const place = endpointSecretPlace(projectId);
  expect(onlyNewer.open(row!.secret_sealed, place)).toBe('whsec_current');
  expect(onlyNewer.open(row!.previous_secret_sealed, place)).toBe('whsec_previous');
});

test('a second rotation changes nothing', async () => {
  await storeSecrets(older);
  const keys = `${newer.text},${older.text}`;
  await rotate(keys);
  expect((await rotate(keys)).json()).toMatchObject({ resealed: 0, current: 2 });
});

test('fails and lists no unused keys while a secret cannot be decrypted', async () => {
  await storeSecrets(lost);
  const run = await rotate(`${newer.text},${older.text}`);
  expect(run.code).toBe(1);
  expect(run.json()).toMatchObject({ unreadable: 2, removable_keys: [] });
});

test('a malformed key is reported by its position and not printed', async () => {
  const secret = older.key.toString('base64').slice(0, -4);
  const run = await rotate(`${newer.text},k1:${secret}`);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(run.stderr).error.message).toMatch(/^ENCRYPTION_KEYS: entry 2 /);
  expect(run.stderr).not.toContain(secret);
});

test('the progress bar is empty at the start and full at the end and beyond', () => {
  expect(progressBar(0, 10)).toBe(`[${'-'.repeat(24)}] 0/10`);
  expect(progressBar(5, 10)).toBe(`[${'#'.repeat(12)}${'-'.repeat(12)}] 5/10`);
  expect(progressBar(12, 10)).toBe(`[${'#'.repeat(24)}] 12/12`);
  expect(progressBar(0, 0)).toBe(`[${'#'.repeat(24)}] 0/0`);
});
