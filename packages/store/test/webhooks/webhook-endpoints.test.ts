import { createSealer } from '@paywatch/runtime/security';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { claimDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { resealSecrets, surveySecrets } from '../../src/sealing/index.ts';
import { insertEvent } from '../../src/webhooks/events.ts';
import {
  endpointSecretPlace,
  getWebhookEndpoint,
  reportEndpoints,
  setWebhookEndpoint,
} from '../../src/webhooks/webhook-endpoints.ts';
import { createProject, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const oldKey = { id: 'old', key: randomBytes(32) };
const newKey = { id: 'new', key: randomBytes(32) };

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

/** The endpoint as an attempt made now would see it. */
async function claimedEndpoint(projectId: bigint) {
  const publicId = `evt_${randomBytes(12).toString('hex')}`;
  await insertEvent(store.sql, {
    publicId,
    projectId,
    invoiceId: null,
    type: 'webhook.test',
    txid: null,
    body: '{}',
  });
  const [row] = await store.sql<{ id: bigint }[]>`
    select d.id from deliveries d join events e on e.id = d.event_id where e.public_id = ${publicId}`;
  const [claimed] = await claimDeliveries(store, [given(row).id], { token: randomUUID(), leaseSeconds: 20 });
  return given(given(claimed).endpoint);
}

async function idOf(projectId: bigint): Promise<bigint> {
  const [row] = await store.sql<{ id: bigint }[]>`
    select id from webhook_endpoints where project_id = ${projectId}`;
  return given(row).id;
}

const secretOf = (text: string): Buffer => Buffer.from(text);

test('a project without an endpoint has none', async () => {
  const { projectId } = await createProject(store);
  expect(await getWebhookEndpoint(store, projectId)).toBeNull();
});

test('setting it again replaces URL and secret; the previous secret also signs for 24 hours', async () => {
  const { projectId } = await createProject(store);
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://a.example/',
    secretSealed: secretOf('first'),
  });
  expect(await claimedEndpoint(projectId)).toMatchObject({
    url: 'https://a.example/',
    previousSecretSealed: null,
  });

  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://b.example/',
    secretSealed: secretOf('second'),
  });
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://c.example/',
    secretSealed: secretOf('third'),
  });
  const [row] = await store.sql<{ hours: number }[]>`
    select extract(epoch from previous_secret_until - now())::float8 / 3600 as hours
    from webhook_endpoints where project_id = ${projectId}`;
  expect(row?.hours).toBeCloseTo(24, 1);
  expect(await claimedEndpoint(projectId)).toMatchObject({
    url: 'https://c.example/',
    secretSealed: secretOf('third'),
    previousSecretSealed: secretOf('second'),
  });

  await store.sql`update webhook_endpoints set previous_secret_until = now() where project_id = ${projectId}`;
  expect(await claimedEndpoint(projectId)).toMatchObject({ previousSecretSealed: null });
});

test('health: failing since the first failure, healthy after a success, disabled until the endpoint is set again', async () => {
  const { projectId } = await createProject(store);
  const set = () =>
    setWebhookEndpoint(store, byOperator, {
      projectId,
      url: 'https://a.example/',
      secretSealed: secretOf('secret'),
    });
  const report = async (status: 'healthy' | 'failing' | 'disabled', version = 1) =>
    reportEndpoints(store, [{ endpointId: await idOf(projectId), version, status, error: null }]);
  const endpoint = () => getWebhookEndpoint(store, projectId);
  await set();
  expect(await endpoint()).toMatchObject({ status: 'healthy', failingSince: null });

  await report('failing');
  const since = given((await endpoint())?.failingSince);
  await report('failing');
  expect(await endpoint()).toMatchObject({ status: 'failing', failingSince: since });
  await report('healthy');
  expect(await endpoint()).toMatchObject({ status: 'healthy', failingSince: null });

  await report('disabled');
  await report('healthy');
  await report('failing');
  expect((await endpoint())?.status).toBe('disabled');

  await set();
  await report('disabled', 1); // about the endpoint of before
  expect(await endpoint()).toMatchObject({ status: 'healthy', failingSince: null });
});

test('the last attempt of a batch decides the health, but a 410 takes precedence', async () => {
  const [a, b] = [(await createProject(store)).projectId, (await createProject(store)).projectId];
  for (const projectId of [a, b])
    await setWebhookEndpoint(store, byOperator, {
      projectId,
      url: 'https://a.example/',
      secretSealed: secretOf('secret'),
    });
  await reportEndpoints(store, [
    { endpointId: await idOf(b), version: 1, status: 'disabled', error: null },
    { endpointId: await idOf(a), version: 1, status: 'healthy', error: null },
    { endpointId: await idOf(a), version: 1, status: 'failing', error: null },
    { endpointId: await idOf(b), version: 1, status: 'healthy', error: null },
  ]);
  expect((await getWebhookEndpoint(store, a))?.status).toBe('failing');
  expect((await getWebhookEndpoint(store, b))?.status).toBe('disabled');
});

test('resealing moves every secret to the newest key in batches, leaves unreadable ones, and can be repeated', async () => {
  const [before, after] = [createSealer([oldKey]), createSealer([newKey, oldKey])];
  const lost = createSealer([{ id: 'lost', key: randomBytes(32) }]);
  await store.sql`delete from webhook_endpoints`;
  const projects = [];
  for (let count = 0; count < 5; count += 1) projects.push((await createProject(store)).projectId);
  for (const projectId of projects)
    for (const secret of ['previous', 'current'])
      await setWebhookEndpoint(store, byOperator, {
        projectId,
        url: 'https://a.example/',
        secretSealed: before.seal(secret, endpointSecretPlace(projectId)),
      });
  const stranger = (await createProject(store)).projectId;
  const unreadable = lost.seal('lost', endpointSecretPlace(stranger));
  await setWebhookEndpoint(store, byOperator, {
    projectId: stranger,
    url: 'https://a.example/',
    secretSealed: unreadable,
  });

  expect(await resealSecrets(store, after, 2)).toEqual({ resealed: 10, unreadable: 1 });
  expect(await resealSecrets(store, after, 2)).toEqual({ resealed: 0, unreadable: 1 });
  const onlyNew = createSealer([newKey]);
  for (const projectId of projects) {
    const endpoint = await claimedEndpoint(projectId);
    expect(onlyNew.open(endpoint.secretSealed, endpointSecretPlace(projectId))).toBe('current');
    expect(onlyNew.open(given(endpoint.previousSecretSealed), endpointSecretPlace(projectId))).toBe(
      'previous',
    );
  }
  expect((await claimedEndpoint(stranger)).secretSealed).toEqual(unreadable);
});

test('resealing binds old secrets to their row; a bound secret opens in no other row', async () => {
  await store.sql`delete from webhook_endpoints`;
  const key = { id: 'old', key: Buffer.alloc(32, 7) };
  const sealer = createSealer([key]);
  const [mine, other] = [(await createProject(store)).projectId, (await createProject(store)).projectId];
  // Written by a release that bound no rows: `whsec_before`.
  const secretSealed = Buffer.from(
    '036f6c64000102030405060708090a0be3d4b142f3a56a64cf161184379bc3186fe99a157e56bb2c11dd97f9',
    'hex',
  );
  const url = 'https://a.example/';
  await setWebhookEndpoint(store, byOperator, { projectId: mine, url, secretSealed });
  expect(await surveySecrets(store, sealer)).toEqual({ current: 0, outdated: 1, unreadable: 0 });
  expect(await resealSecrets(store, sealer)).toEqual({ resealed: 1, unreadable: 0 });
  const bound = (await claimedEndpoint(mine)).secretSealed;
  expect(sealer.open(bound, endpointSecretPlace(mine))).toBe('whsec_before');
  await setWebhookEndpoint(store, byOperator, { projectId: other, url, secretSealed: bound });
  expect(await surveySecrets(store, sealer)).toEqual({ current: 1, outdated: 0, unreadable: 1 });
});
