import { sampleWav } from '@paywatch/dev/testing';
import { expect, test } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi } from '../support/api.ts';
import { bytes } from '../support/download.ts';

const api = await sharedApi({ env: { PROJECT_CHANGE_LIMIT_POINTS: '10000', UPLOAD_LIMIT_POINTS: '10000' } });
const SHARED = 'public, max-age=31536000, s-maxage=300, immutable';

const file = sampleWav(100);
const size = file.length;
const owner = await openAccount(api);
const created = await uploadSound();

/** Uploads the sound and returns its id. */
async function uploadSound(): Promise<string> {
  const { body } = await api
    .call('post', '/v1/uploads?kind=sound', { session: owner.session })
    .set('Content-Type', 'application/octet-stream')
    .send(file)
    .expect(201);
  return String(body.id);
}

function load(headers: Record<string, string>, { method = 'get', id = created }: Load = {}) {
  return api.call(method, `/v1/public/uploads/${id}`).set(headers).buffer(true).parse(bytes);
}
type Load = { method?: 'get' | 'head'; id?: string };

/** The body of an error response, which `bytes` left unread. */
function problemIn({ body }: { body: Buffer }) {
  return JSON.parse(body.toString()) as object;
}

test.each([
  ['bytes=0-1', 0, 1],
  ['bytes=0-', 0, size - 1],
  ['bytes=100-299', 100, 299],
  [`bytes=${size - 1}-`, size - 1, size - 1],
  ['bytes=-44', size - 44, size - 1],
  ['bytes=10-9999999', 10, size - 1],
  // Ranges that touch each other are one.
  ['bytes=0-9,10-19', 0, 19],
])('Range %s gets this part of the file', async (range, start, end) => {
  const part = await load({ Range: range });
  expect(part.status).toBe(206);
  expect(file.subarray(start, end + 1).equals(part.body)).toBe(true);
  expect(part.headers).toMatchObject({
    'content-range': `bytes ${start}-${end}/${size}`,
    'content-length': String(end - start + 1),
    'content-type': 'audio/wav',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: `"${created}"`,
    'cache-control': SHARED,
  });
});

test.each([
  ['more last bytes than it has', { Range: 'bytes=-9999999' }],
  ['several ranges', { Range: 'bytes=0-1,10-11' }],
  ['another unit', { Range: 'seconds=0-1' }],
  ['no number', { Range: 'bytes=a-b' }],
  ['an empty range', { Range: 'bytes=-' }],
  ['nothing', { Range: 'x' }],
  ['a part of another file', { Range: 'bytes=0-1', 'If-Range': '"upl_1111111111111111"' }],
  ['a weak condition', { Range: 'bytes=0-1', 'If-Range': `W/"${created}"` }],
  ['a part since a date', { Range: 'bytes=0-1', 'If-Range': 'Tue, 24 Nov 2026 00:00:00 GMT' }],
])('a Range header that names %s gets the whole file', async (_, headers) => {
  const whole = await load(headers);
  expect(whole.status).toBe(200);
  expect(file.equals(whole.body)).toBe(true);
  expect(whole.headers['content-range']).toBeUndefined();
  expect(whole.headers['accept-ranges']).toBe('bytes');
});

test('a part is sent for as long as the file is the same', async () => {
  const part = await load({ Range: 'bytes=0-1', 'If-Range': `"${created}"` });
  expect(part.status).toBe(206);
  expect(file.subarray(0, 2).equals(part.body)).toBe(true);
});

test.each([`bytes=${size}-`, 'bytes=9999999-', 'bytes=5-1', 'bytes=-0'])(
  'Range %s is refused with the size of the file, and no cache keeps the refusal',
  async (range) => {
    const refused = await load({ Range: range });
    expect(refused.status).toBe(416);
    expect(problemIn(refused)).toMatchObject({ code: 'range_not_satisfiable', status: 416 });
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'content-range': `bytes */${size}`,
      'cache-control': 'no-store',
    });
    expect(refused.headers['content-disposition']).toBeUndefined();
  },
);

test('HEAD names the size of the whole file, whatever range it asks for', async () => {
  for (const headers of [{}, { Range: 'bytes=0-1' }, { Range: 'bytes=9999999-' }]) {
    const head = await load(headers, { method: 'head' });
    expect(head.status).toBe(200);
    expect(head.headers).toMatchObject({ 'content-length': String(size), 'accept-ranges': 'bytes' });
    expect(head.headers['content-range']).toBeUndefined();
  }
});

test('a client that has the file gets no copy of it, also if it asks for a range', async () => {
  for (const headers of [{}, { Range: 'bytes=0-1' }, { Range: 'bytes=9999999-' }]) {
    const answer = await load({ ...headers, 'If-None-Match': `"${created}"` });
    expect(answer.status).toBe(304);
    expect(answer.body).toHaveLength(0);
    expect(answer.headers).toMatchObject({ etag: `"${created}"`, 'cache-control': SHARED });
  }
});

test('a deleted file is gone at once for everyone, and for shared caches when they ask again', async () => {
  const id = await uploadSound();
  const served = await load({}, { id });
  // Nothing of the response belongs to who requested it, or a shared cache must not keep it.
  expect(served.headers).not.toHaveProperty('set-cookie');
  expect(served.headers).not.toHaveProperty('vary');
  const deleted = await api.call('delete', `/v1/uploads/${id}`, { session: owner.session });
  expectAnswer(deleted, 'deleteUpload', 200);
  for (const headers of [{}, { Range: 'bytes=0-1' }, { 'If-None-Match': `"${id}"` }]) {
    const refused = await api.call('get', `/v1/public/uploads/${id}`).set(headers);
    expectProblem(refused, 404, 'not_found');
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(refused.headers).not.toHaveProperty('etag');
  }
});
