import { OPERATIONS, type Operation, type OperationId } from '@paywatch/domain/contract';
import { sha256 } from '@paywatch/runtime/security';
import { waitUntil } from '@paywatch/dev/testing';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectProblem, openApiKey, openSession, sharedApi } from '../support/api.ts';
import { openOperator } from '../support/operators.ts';

const api = await sharedApi({
  env: { PROJECT_CHANGE_LIMIT_POINTS: '100000', ACCOUNT_LIMIT_POINTS: '100000' },
});
const account = await openOperator(api);
const apiKey = await openApiKey(api, account);

type Entry = [OperationId, Operation];
const ALL: Entry[] = Object.entries(OPERATIONS).map(([id, operation]) => [id as OperationId, operation]);
const PROTECTED = ALL.filter(([, { auth }]) => auth !== 'none');
const BEARER = ALL.filter(([, { auth }]) => auth === 'bearer');
const COMPRESSIONS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const WITH_BODY = ALL.filter(([, { body }]) => body !== undefined);

/** A path of the operation whose parameters have the right form and name nothing. */
function pathOf({ path }: Operation): string {
  return path
    .replace('{publicId}', 'inv_1111111111111111')
    .replace('{id}', 'evt_1111111111111111')
    .replace('{endpointId}', 'we_1')
    .replace('{linkId}', 'plink_1111111111111111')
    .replace('{keyPublic}', 'unknown')
    .replace('{factorId}', '00000000-0000-0000-0000-000000000000')
    .replace('{memberId}', '00000000-0000-0000-0000-000000000000')
    .replace('{accountId}', `acc_${'0'.repeat(32)}`)
    .replace('{currency}', 'BTC')
    .replace('{kind}', 'donate')
    .replace('{token}', account.donateToken);
}

describe('every protected operation', () => {
  it.each(PROTECTED)('%s answers 401 without credentials, whatever the body', async (_id, operation) => {
    for (const body of [undefined, {}, { nonsense: 1 }]) {
      const call = api.call(operation.method, pathOf(operation), body === undefined ? {} : { body });
      expectProblem(await call, 401, 'unauthorized');
    }
  });

  it.each(PROTECTED)('%s answers 401 to wrong, malformed or expired credentials', async (_id, operation) => {
    const expired = await openSession(api, account.accountId, 'none', 0);
    for (const session of [expired, `ses_${'x'.repeat(43)}`, apiKey, '', 'x']) {
      expectProblem(await api.call(operation.method, pathOf(operation), { session }), 401, 'unauthorized');
    }
    for (const key of [account.session, 'pw_x_y', `pw_unknown_${'x'.repeat(44)}`, '']) {
      expectProblem(
        await api.call(operation.method, pathOf(operation), { apiKey: key }),
        401,
        'unauthorized',
      );
    }
  });

  it.each(BEARER)('%s never accepts an API key', async (_id, operation) => {
    expectProblem(await api.call(operation.method, pathOf(operation), { apiKey }), 401, 'unauthorized');
  });
});

const callWithSession = ([, operation]: Entry) =>
  api.call(
    operation.method,
    pathOf(operation),
    operation.auth === 'none' ? {} : { session: account.session },
  );

describe('every operation with a body', () => {
  it.each(WITH_BODY)('%s refuses invalid JSON', async (id, operation) => {
    const malformed = await callWithSession([id, operation])
      .set('Content-Type', 'application/json')
      .send('{"a":');
    expectProblem(malformed, 400, 'malformed_json');
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const wrongType = await callWithSession([id, operation]).set('Content-Type', type).send('{}');
      expectProblem(wrongType, 415, 'unsupported_media_type');
    }
  });

  it.each(WITH_BODY)('%s refuses a compressed body', async (id, operation) => {
    for (const [encoding, compress] of Object.entries(COMPRESSIONS)) {
      const compressed = await callWithSession([id, operation])
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', encoding)
        .serialize((body) => body)
        .send(compress('{}'));
      expectProblem(compressed, 415, 'unsupported_media_type');
    }
  });

  it.each(WITH_BODY)('%s refuses a body above 64 KiB', async (id, operation) => {
    const body = JSON.stringify({ filler: 'x'.repeat(64 * 1024) });
    const response = await callWithSession([id, operation])
      .set('Content-Type', 'application/json')
      .send(body);
    expectProblem(response, 413, 'payload_too_large');
  });

  it.each(WITH_BODY)('%s refuses a body that is not an object, and unknown fields', async (id, operation) => {
    for (const body of ['[]', '"text"', '7', 'true']) {
      const response = await callWithSession([id, operation])
        .set('Content-Type', 'application/json')
        .send(body);
      expectProblem(response, 422, 'validation_error');
    }
    const unknown = await callWithSession([id, operation]).send({ no_such_field: 1, '<b>': 2 });
    expectProblem(unknown, 422, 'validation_error');
    const paths = unknown.body.errors.map((error: { path: string }) => error.path);
    expect(paths).toContain('body.no_such_field');
    expect(unknown.text).not.toContain('<b>');
  });
});

describe('a session', () => {
  it('is accepted on operations that declare the API key and acts on its own project', async () => {
    const response = await api.call('get', '/v1/stats', { session: account.session });
    expect(response.status).toBe(200);
  });

  it('expires', async () => {
    const session = await openSession(api, account.accountId, 'none', 1);
    await api.call('get', '/v1/me', { session }).expect(200);
    const hash = sha256(session);
    const cached = api.store.keys.session(hash.toString('hex'));
    const isCached = async () => (await api.store.redis.pttl(cached)) > 0;
    await waitUntil(isCached, { what: 'the session to be cached', everyMs: 5 });
    expect(await api.store.redis.pttl(cached)).toBeLessThanOrEqual(1000);
    // Its second has passed, in Postgres and in Redis.
    await api.store.sql`update sessions set expires_at = now() where token_hash = ${hash}`;
    await api.store.redis.del(cached);
    expectProblem(await api.call('get', '/v1/me', { session }), 401, 'unauthorized');
  });

  it('together with an API key is ignored', async () => {
    const response = await api.call('get', '/v1/stats', { session: account.session, apiKey: 'pw_x_y' });
    expectProblem(response, 401, 'unauthorized');
  });
});
