import { sampleGif, sampleMp3, sampleOgg, samplePicture, sampleWav, waitUntil } from '@paywatch/dev/testing';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Response } from 'supertest';
import { describe, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  randomAddress,
  sharedApi,
  startApi,
  type TestAccount,
} from '../support/api.ts';
import { bytes } from '../support/download.ts';
import { openStream } from '../support/stream-client.ts';

const api = await sharedApi({ env: { PROJECT_CHANGE_LIMIT_POINTS: '10000', UPLOAD_LIMIT_POINTS: '10000' } });
const LIMIT = 512 * 1024;

type Options = { kind?: string; name?: string; type?: string; from?: string };

/** Uploads a file as the account area does. */
function upload({ session }: TestAccount, file: Buffer | string, options: Options = {}) {
  const { kind = 'image', name, type = 'application/octet-stream', from } = options;
  const query = new URLSearchParams({ kind, ...(name === undefined ? {} : { name }) });
  return api
    .call('post', `/v1/uploads?${query.toString()}`, { session, ...(from === undefined ? {} : { from }) })
    .set('Content-Type', type)
    .send(file);
}

function load(id: string) {
  return api.call('get', `/v1/public/uploads/${id}`).buffer(true).parse(bytes);
}

async function idOf(response: Response | PromiseLike<Response>): Promise<string> {
  const { status, body, text } = await response;
  expect(status, text).toBe(201);
  return String(body.id);
}

describe('an upload', () => {
  test.each([
    ['image', sampleGif({ frames: 3 }), 'image/gif', 'gif', { width: 12, height: 8, duration_ms: null }],
    ['image', samplePicture('png'), 'image/png', 'png', { width: 12, height: 8, duration_ms: null }],
    ['image', samplePicture('jpeg'), 'image/jpeg', 'jpg', { width: 12, height: 8, duration_ms: null }],
    ['image', samplePicture('webp'), 'image/webp', 'webp', { width: 12, height: 8, duration_ms: null }],
    ['sound', sampleWav(500), 'audio/wav', 'wav', { width: null, height: null, duration_ms: 500 }],
    ['sound', sampleMp3(20), 'audio/mpeg', 'mp3', { width: null, height: null, duration_ms: 523 }],
    ['sound', sampleOgg(1500), 'audio/ogg', 'ogg', { width: null, height: null, duration_ms: 1500 }],
  ])('(%s) is listed and served as it was, as %s', async (kind, file, type, extension, facts) => {
    const account = await openAccount(api);
    const created = await upload(account, file, { kind, name: 'It is an <svg>.html' });
    expectAnswer(created, 'createUpload', 201);
    expect(created.body).toMatchObject({
      kind,
      type,
      bytes: file.length,
      name: 'It is an <svg>.html',
      ...facts,
    });
    const { id, url } = created.body as { id: string; url: string };
    expect(url).toBe(`https://pay.example/v1/public/uploads/${id}`);
    const listed = await api.call('get', '/v1/uploads', { session: account.session });
    expectAnswer(listed, 'listUploads', 200);
    expect(listed.body.data).toEqual([created.body]);
    const served = await load(id);
    expect(served.status).toBe(200);
    expect(file.equals(served.body)).toBe(true);
    expect(served.headers).toMatchObject({
      'content-type': type,
      'content-length': String(file.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': `attachment; filename="${id}.${extension}"`,
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, s-maxage=300, immutable',
      'access-control-allow-origin': '*',
    });
  });

  test('of exactly 512 KiB is kept, and one byte more is refused', async () => {
    const account = await openAccount(api);
    const largest = withComments(sampleGif(), LIMIT);
    expect(largest).toHaveLength(LIMIT);
    const id = await idOf(upload(account, largest));
    expect(largest.equals((await load(id)).body)).toBe(true);
    expectProblem(await upload(account, withComments(sampleGif(), LIMIT + 1)), 413, 'file_too_large');
  });

  test('is gone at once when it is deleted, and another project cannot delete it', async () => {
    const [owner, other] = [await openAccount(api), await openAccount(api)];
    const id = await idOf(upload(owner, samplePicture('png')));
    const path = `/v1/uploads/${id}`;
    expectProblem(await api.call('delete', path, { session: other.session }), 404, 'upload_not_found');
    expect((await load(id)).status).toBe(200);
    const apiKey = await openApiKey(api, owner);
    expectProblem(await api.call('delete', path, { apiKey }), 401, 'unauthorized');
    expectAnswer(await api.call('delete', path, { session: owner.session }), 'deleteUpload', 200);
    expectProblem(await api.call('get', `/v1/public/uploads/${id}`), 404, 'not_found');
    expectProblem(await api.call('delete', path, { session: owner.session }), 404, 'upload_not_found');
    const listed = await api.call('get', '/v1/uploads', { session: owner.session });
    expect(listed.body.data).toEqual([]);
  });

  test('is one of at most 20 of a project, also when they arrive at once', async () => {
    const account = await openAccount(api);
    await api.store.sql`
      insert into uploads (public_id, project_id, kind, name, type, content)
      select 'upl_' || ${account.projectId} || 'x' || n, ${account.projectId}, 'image', '', 'image/gif', ''
      from generate_series(1, 19) n`;
    const [first, second] = await Promise.all([1, 2].map(() => upload(account, samplePicture('png'))));
    expect(new Set([first?.status, second?.status])).toEqual(new Set([201, 409]));
    expectProblem(await upload(account, samplePicture('png')), 409, 'too_many_uploads');
  });
});

const change = ({ session }: TestAccount, body: object) =>
  api.call('patch', '/v1/overlay/settings', { session, body });

describe('an upload in the settings of an overlay', () => {
  const tier = {
    min_amount_btc: '100000',
    min_amount_ltc: '10000000',
    template: 'neon',
    image: 'star',
    sound: 'bell',
    duration_seconds: 9,
  };
  test('takes the place of the built-in one until it is deleted, also in tiers', async () => {
    const account = await openAccount(api);
    const image = await idOf(upload(account, sampleGif()));
    const sound = await idOf(upload(account, sampleWav(200), { kind: 'sound' }));
    const set = { image: 'coin', image_upload: image, tiers: [tier, { ...tier, sound_upload: sound }] };
    const changed = await change(account, set);
    expectAnswer(changed, 'updateOverlaySettings', 200);
    expect(changed.body).toMatchObject({
      image: 'coin',
      image_upload: image,
      sound_upload: null,
      tiers: [
        { image_upload: null, sound_upload: null },
        { image_upload: null, sound_upload: sound },
      ],
    });
    for (const id of [image, sound])
      await api.call('delete', `/v1/uploads/${id}`, { session: account.session }).expect(200);
    const left = await api.call('get', '/v1/overlay/settings', { session: account.session });
    expectAnswer(left, 'getOverlaySettings', 200);
    expect(left.body).toMatchObject({
      image: 'coin',
      image_upload: null,
      tiers: [{ sound_upload: null }, { sound: 'bell', sound_upload: null }],
    });
  });

  test('must be one of the project, and a picture where a picture is shown', async () => {
    const [account, other] = [await openAccount(api), await openAccount(api)];
    const sound = await idOf(upload(account, sampleWav(200), { kind: 'sound' }));
    const othersImage = await idOf(upload(other, sampleGif()));
    for (const [path, body] of [
      ['body.image_upload', { image_upload: sound }],
      ['body.image_upload', { image_upload: othersImage }],
      ['body.sound_upload', { sound_upload: 'upl_1111111111111111' }],
      ['body.image_upload', { image_upload: 'javascript:alert(1)' }],
      ['body.tiers.0.image_upload', { tiers: [{ ...tier, image_upload: othersImage }] }],
    ] as const) {
      const refused = await change(account, body);
      expectProblem(refused, 422, 'validation_error');
      expect(refused.body.errors[0].path).toBe(path);
    }
    const { body: settings } = await api.call('get', '/v1/overlay/settings', { session: account.session });
    expect(settings).toMatchObject({ image_upload: null, sound_upload: null, tiers: [] });
  });

  test('reaches open overlays within their stream, and so does its deletion', async () => {
    const account = await openAccount(api);
    const id = await idOf(upload(account, sampleGif()));
    const client = await openStream(
      `${api.url}/v1/public/overlay/${account.overlayToken}/events?include=settings`,
    );
    const shown = () => client.messages.findLast(({ event }) => event === 'settings')?.data['image_upload'];
    await change(account, { image_upload: id }).expect(200);
    await waitUntil(async () => shown() === id, { what: 'the picture' });
    await api.call('delete', `/v1/uploads/${id}`, { session: account.session }).expect(200);
    await waitUntil(async () => shown() === null, { what: 'the built-in picture' });
    expect(client.isEnded).toBe(false);
  });
});

/** A GIF made longer with comments. */
function withComments(gif: Buffer, length: number): Buffer {
  const room = length - gif.length - 3;
  const blocks = Array.from({ length: Math.floor(room / 256) }, () =>
    Buffer.alloc(256, 0x20).fill(255, 0, 1),
  );
  const rest = room % 256;
  const last = rest === 0 ? [] : [Buffer.alloc(rest, 0x20).fill(rest - 1, 0, 1)];
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe]), ...blocks, ...last, Buffer.from([0])]);
  return Buffer.concat([gif.subarray(0, -1), comment, Buffer.from(';')]);
}

describe('a hostile file', () => {
  const page = '<!doctype html><script>alert(document.domain)</script>';
  test.each([
    ['a page', Buffer.from(page)],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    [
      'a page with the signature of a PNG',
      Buffer.concat([samplePicture('png').subarray(0, 8), Buffer.from(page)]),
    ],
    ['a page with the signature of a GIF', Buffer.from(`GIF89a/*${page}*/=1;alert(1)`)],
    ['a picture with a page behind it', Buffer.concat([samplePicture('jpeg'), Buffer.from(page)])],
    ['a picture with an archive behind it', Buffer.concat([sampleGif(), Buffer.from('PK\u0003\u0004')])],
    ['a picture that is cut off', samplePicture('webp').subarray(0, -3)],
    ['nothing', Buffer.alloc(0)],
  ])('(%s) is refused, whatever its name says', async (_, file) => {
    const account = await openAccount(api);
    for (const kind of ['image', 'sound'])
      expectProblem(await upload(account, file, { kind, name: 'cat.png' }), 422, 'file_not_supported');
    expect((await api.call('get', '/v1/uploads', { session: account.session })).body.data).toEqual([]);
  });

  test('that would need too much memory or time in a browser is refused', async () => {
    const account = await openAccount(api);
    const bomb = Buffer.from(sampleGif());
    bomb.writeUInt32LE(0xffffffff, 6);
    expectProblem(await upload(account, bomb), 422, 'image_too_large');
    const animated = sampleGif({ width: 2, height: 2, frames: 400 });
    animated.writeUInt32LE(0x08000800, 6);
    expectProblem(await upload(account, animated), 422, 'image_too_large');
    expectProblem(await upload(account, sampleWav(10_001), { kind: 'sound' }), 422, 'sound_too_long');
    expectProblem(await upload(account, sampleMp3(400), { kind: 'sound' }), 422, 'sound_too_long');
  });

  test.each(['image/png', 'text/html', 'application/json', 'multipart/form-data; boundary=x'])(
    'cannot choose its type: a body sent as %s is refused',
    async (type) => {
      const account = await openAccount(api);
      const refused = await upload(account, samplePicture('png').toString('latin1'), { type });
      expectProblem(refused, 415, 'unsupported_media_type');
    },
  );

  test('that is compressed is refused unread', async () => {
    const account = await openAccount(api);
    const refused = await upload(account, samplePicture('png')).set('Content-Encoding', 'gzip');
    expectProblem(refused, 415, 'unsupported_media_type');
  });

  test.each([
    ['no kind', '?name=x'],
    ['another kind', '?kind=page'],
    ['a name that is too long', `?kind=image&name=${'x'.repeat(101)}`],
    ['an unknown parameter', '?kind=image&type=text/html'],
  ])('with %s is refused', async (_, query) => {
    const { session } = await openAccount(api);
    const refused = await api
      .call('post', `/v1/uploads${query}`, { session })
      .set('Content-Type', 'application/octet-stream')
      .send(samplePicture('png'));
    expectProblem(refused, 422, 'validation_error');
  });
});

test('another site cannot make a visitor upload: the cookie alone is refused, and no preflight request allows it', async () => {
  const { session } = await openAccount(api);
  const refused = await api
    .call('post', '/v1/uploads?kind=image')
    .set('Cookie', `__Host-paywatch_session=${session}`)
    .set('Content-Type', 'application/octet-stream')
    .set('Origin', 'https://evil.example')
    .send(samplePicture('png'));
  expect([401, 403]).toContain(refused.status);
  const preflight = await api
    .call('options', '/v1/uploads')
    .set('Origin', 'https://evil.example')
    .set('Access-Control-Request-Method', 'POST');
  expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
});

describe('memory is bounded:', () => {
  test('a request without credentials or over its limit is answered before its body is read', async () => {
    const limited = await startApi({ beside: api, env: { UPLOAD_LIMIT_POINTS: '1' } });
    const { session } = await openAccount(api);
    const from = randomAddress();
    try {
      expect(await statusBeforeBody(limited.url, { from })).toBe(401);
      expect(
        await statusBeforeBody(limited.url, { from, authorization: `Bearer ${session}` }, LIMIT + 1),
      ).toBe(413);
      expect(await statusBeforeBody(limited.url, { from, authorization: `Bearer ${session}` })).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test('a project has at most three files on their way, and a broken connection frees its place', async () => {
    const account = await openAccount(api);
    const slow = [1, 2, 3].map(() => openSlowUpload(account));
    await waitUntil(async () => hasNoSlot(account), { what: 'three uploads on their way' });
    expectProblem(await upload(account, samplePicture('png')), 429, 'rate_limited');
    const others = await openAccount(api);
    await idOf(upload(others, samplePicture('png')));
    slow[0]?.destroy();
    await waitUntil(async () => !hasNoSlot(account), { what: 'a free place' });
    await idOf(upload(account, samplePicture('png')));
    for (const socket of slow) socket.destroy();
  });

  test('a replica that is receiving its maximum of uploads answers 503 with Retry-After', async () => {
    const busy = await startApi({ beside: api });
    const { session } = await openAccount(api);
    const { arriving } = busy.dependencies.uploadSlots;
    const taken = Array.from({ length: 32 }, (_, i) => arriving.take(`project of others ${i}`));
    expect(taken.every((release) => typeof release === 'function')).toBe(true);
    const refused = await busy
      .call('post', '/v1/uploads?kind=image', { session })
      .set('Content-Type', 'application/octet-stream')
      .send(samplePicture('png'));
    expectProblem(refused, 503, 'service_unavailable');
    expect(refused.headers['retry-after']).toBe('2');
    await busy.close();
  });

  test('forty uploads at once from forty projects are all answered, and none is mixed up', async () => {
    const accounts = await Promise.all(Array.from({ length: 40 }, () => openAccount(api)));
    const uploaded = await Promise.all(
      accounts.map(async (account, i) => {
        const file = sampleGif({ width: 10 + i, height: 5 });
        const response = await upload(account, file);
        expect([201, 503]).toContain(response.status);
        return response.status === 201 ? { file, id: String(response.body.id) } : null;
      }),
    );
    const stored = uploaded.filter((one) => one !== null);
    expect(stored.length).toBeGreaterThanOrEqual(32);
    for (const { file, id } of stored) expect(file.equals((await load(id)).body)).toBe(true);
  });
});

type Sent = { from: string; authorization?: string };

/** The status of an upload that announces a body and sends nothing of it. */
async function statusBeforeBody(url: string, { from, ...headers }: Sent, length = 1000): Promise<number> {
  const request = httpRequest(`${url}/v1/uploads?kind=image`, {
    method: 'POST',
    headers: {
      ...headers,
      'X-Forwarded-For': from,
      'Content-Type': 'application/octet-stream',
      'Content-Length': length,
    },
  });
  request.on('error', () => undefined);
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [{ statusCode: number }];
  request.destroy();
  return response.statusCode;
}

function hasNoSlot({ projectId }: TestAccount): boolean {
  const release = api.dependencies.uploadSlots.arriving.take(`project ${projectId}`);
  if (typeof release === 'string') return true;
  release();
  return false;
}

/** Sends the beginning of a file and no more. */
function openSlowUpload({ session }: TestAccount): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  const lines = [
    'POST /v1/uploads?kind=image HTTP/1.1',
    'Host: pay.example',
    `X-Forwarded-For: ${randomAddress()}`,
    `Authorization: Bearer ${session}`,
    'Content-Type: application/octet-stream',
    'Content-Length: 1000',
    '',
    'GIF89a',
  ];
  socket.on('error', () => undefined);
  socket.write(lines.join('\r\n'));
  return socket;
}

test('no log line names an upload', async () => {
  const account = await openAccount(api);
  const id = await idOf(upload(account, samplePicture('png'), { name: 'secret-party.png' }));
  await load(id);
  const log = api.logLines.join('');
  expect(log).toContain('/v1/public/uploads/{uploadId}');
  expect(log).not.toContain(id);
  expect(log).not.toContain('secret-party');
});
