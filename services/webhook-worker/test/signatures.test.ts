import { verifyWebhook } from '@paywatch/client';
import { serviceProgram } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { createSealer } from '@paywatch/runtime/security';
import { resealSecrets } from '@paywatch/store/sealing';
import { endpointSecretPlace } from '@paywatch/store/webhooks';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { given } from './support/given.ts';
import { openShopBench, type Shop, type ShopBench } from './support/shop.ts';
import { spawnWorker, writeKeys } from './support/spawned-worker.ts';

const HOUR = 3_600_000;

let bench: ShopBench;

beforeAll(async () => {
  bench = await openShopBench();
  await bench.startWorker();
});
afterAll(() => bench.close());

/** Causes an event and returns the request that arrived. */
async function receive(shop: Shop) {
  const { id, body } = await shop.cause();
  await bench.afterAttempts(id, 1);
  const request = given(shop.receiver.received.find(({ headers }) => headers['webhook-id'] === id));
  expect(request.rawBody).toBe(body);
  return { ...request, headers: request.headers as Record<string, string> };
}

function verifiesStandard(
  secret: string,
  request: { rawBody: string; headers: Record<string, string> },
): boolean {
  try {
    new Webhook(secret).verify(request.rawBody, request.headers);
    return true;
  } catch {
    return false;
  }
}

test('the client and the Standard Webhooks library both verify a delivery', async () => {
  const shop = await bench.openShop();
  const request = await receive(shop);
  await verifyWebhook(request.rawBody, request.headers['x-signature'], shop.secret);
  expect(verifiesStandard(shop.secret, request)).toBe(true);
  expect(request.headers['content-type']).toBe('application/json');
});

test('after a change the new secret signs, and for 24 hours the Standard Webhooks header carries a signature of the old one too', async () => {
  const shop = await bench.openShop();
  const renewed = await shop.setEndpointAgain();

  const soon = await receive(shop);
  await verifyWebhook(soon.rawBody, soon.headers['x-signature'], renewed);
  expect([shop.secret, renewed].map((secret) => verifiesStandard(secret, soon))).toEqual([true, true]);

  await bench.store.sql`
    update webhook_endpoints set previous_secret_until = previous_secret_until - interval '24 hours'
    where project_id = ${shop.projectId}`;
  const later = await receive(shop);
  expect([shop.secret, renewed].map((secret) => verifiesStandard(secret, later))).toEqual([false, true]);
});

test('each attempt uses the current endpoint and its current secret', async () => {
  const shop = await bench.openShop();
  shop.receiver.script({ status: 500 }, { status: 500 });
  const { id, body } = await shop.cause();
  await bench.afterAttempts(id, 2);
  const renewed = await shop.setEndpointAgain();
  await shop.letTimePass(HOUR / 6);
  await bench.afterAttempts(id, 3);
  const last = given(shop.receiver.received.at(-1));
  const nowMs = Number(last.headers['webhook-timestamp']) * 1000;
  const event = await verifyWebhook(last.rawBody, String(last.headers['x-signature']), renewed, { nowMs });
  expect(event.id).toBe(id);
  expect(last.rawBody).toBe(body);
});

test('current and previous secrets are re-encrypted with a new key in batches, and a second run changes nothing', async () => {
  const shop = await bench.openShop();
  await shop.setEndpointAgain();
  const newest = { id: 'next', key: randomBytes(32) };
  const both = createSealer([newest, bench.sealingKey]);

  const first = await resealSecrets(bench.store, both, 1);
  expect(first).toMatchObject({ unreadable: 0 });
  expect(first.resealed).toBeGreaterThanOrEqual(2);
  expect(await resealSecrets(bench.store, both, 1)).toEqual({ resealed: 0, unreadable: 0 });

  const [row] = await bench.store.sql<{ secret_sealed: Buffer; previous_secret_sealed: Buffer }[]>`
    select secret_sealed, previous_secret_sealed from webhook_endpoints where project_id = ${shop.projectId}`;
  const onlyNewest = createSealer([newest]);
  const place = endpointSecretPlace(shop.projectId);
  expect(onlyNewest.open(given(row).previous_secret_sealed, place)).toBe(shop.secret);
  expect(onlyNewest.open(given(row).secret_sealed, place)).toMatch(/^whsec_/);
});

test('`keys rotate-encryption` runs without stopping a worker, and the old key can then be removed', async () => {
  const folder = temporaryFolder('rotation');
  const newest = { id: 'after', key: randomBytes(32) };
  const rotating = await openShopBench();
  const shop = await rotating.openShop();
  const send = async (): Promise<void> => {
    const { id } = await shop.cause();
    expect(await shop.afterAttempts(id, 1)).toMatchObject({ status: 'delivered', attempts: 1 });
    const { rawBody, headers } = given(shop.receiver.received.at(-1));
    await verifyWebhook(rawBody, String(headers['x-signature']), shop.secret);
  };
  const oldAndNew = [newest, rotating.sealingKey];
  const worker = await spawnWorker(rotating, folder, oldAndNew);
  await send();
  const rotation = runRotation(rotating.databaseUrl, rotating.redisUrl, writeKeys(oldAndNew));
  while (!rotation.hasEnded()) await send();
  expect(await rotation.result).toMatchObject({ key: 'after', unreadable: 0, removable_keys: ['test'] });
  await send();
  await worker.stop();

  const withNewestAlone = await spawnWorker(rotating, folder, [newest]);
  await send();
  await withNewestAlone.stop();
  await rotating.close();
});

/** Runs `paywatch keys rotate-encryption` in a separate process. */
function runRotation(databaseUrl: string, redisUrl: string, encryptionKeys: string) {
  let hasEnded = false;
  const command = [serviceProgram('cli'), 'keys', 'rotate-encryption', '--json'];
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: encryptionKeys,
  };
  const result = promisify(execFile)(process.execPath, command, { env }).then(({ stdout }): unknown => {
    return JSON.parse(stdout);
  });
  const noteEnd = (): void => {
    hasEnded = true;
  };
  // Also on failure: the test awaits the result and sees the error.
  void result.then(noteEnd, noteEnd);
  return { result, hasEnded: () => hasEnded };
}

test('a secret that cannot be decrypted uses up no attempt of the schedule', async () => {
  const shop = await bench.openShop();
  const stranger = createSealer([{ id: 'lost', key: randomBytes(32) }]);
  const sealed = stranger.seal(shop.secret, endpointSecretPlace(shop.projectId));
  await bench.store.sql`
    update webhook_endpoints set secret_sealed = ${sealed} where project_id = ${shop.projectId}`;
  const { id } = await shop.cause();
  expect(await shop.whenParked(id)).toMatchObject({ status: 'pending', attempts: 0, failures: 0 });
  expect(bench.logLines.join('')).toContain('webhook secret cannot be opened');
});
