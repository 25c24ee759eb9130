import { samplePicture } from '@paywatch/dev/testing';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { bytes } from '../support/download.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { PROJECT_CHANGE_LIMIT_POINTS: '10000', UPLOAD_LIMIT_POINTS: '10000' } });
let account: TestAccount;
beforeEach(async () => {
  account = await openAccount(api);
});

const change = (body: object, { session } = account) => api.call('patch', '/v1/branding', { session, body });
const read = async () => (await api.call('get', '/v1/branding', { session: account.session })).body;

/** Uploads a file as a logo. */
function upload(file: Buffer, { session } = account) {
  return api
    .call('post', '/v1/uploads?kind=logo', { session })
    .set('Content-Type', 'application/octet-stream')
    .send(file);
}

const load = (id: string) => api.call('get', `/v1/public/uploads/${id}`).buffer(true).parse(bytes);

/** A picture with a note of its maker in it. */
function photo(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#6441a5' } })
    .withExif({ IFD0: { Copyright: 'secret-note-of-the-maker' } })
    .jpeg()
    .toBuffer();
}

describe('a logo', () => {
  test.each([['png'], ['jpeg'], ['webp']] as const)('(%s) is drawn anew as WebP', async (format) => {
    const created = await upload(samplePicture(format));
    expectAnswer(created, 'createUpload', 201);
    expect(created.body).toMatchObject({ kind: 'logo', type: 'image/webp', width: 12, height: 8 });
    const served = await load(String(created.body.id));
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(served.body.length).toBe(created.body.bytes);
    expect(await sharp(served.body).metadata()).toMatchObject({ format: 'webp', width: 12, height: 8 });
  });

  test('is made smaller, and loses what is not its pixels', async () => {
    const file = await photo(2000, 500);
    expect(file.includes('secret-note-of-the-maker')).toBe(true);
    const created = await upload(file);
    expect(created.body).toMatchObject({ width: 512, height: 128 });
    const { body } = await load(String(created.body.id));
    expect(body.includes('secret-note-of-the-maker')).toBe(false);
    const { channels } = await sharp(body).stats();
    const expected = [0x64, 0x41, 0xa5];
    for (const [index, { mean }] of channels.slice(0, 3).entries())
      expect(Math.abs(mean - (expected[index] ?? 0))).toBeLessThan(4);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a picture that is cut off', samplePicture('png').subarray(0, -20)],
    ['a picture with something behind its end', Buffer.concat([samplePicture('png'), Buffer.from('PK')])],
    ['a picture with spoiled pixels', spoiled(samplePicture('png'))],
  ])('must be a picture: %s is refused', async (_what, file) => {
    expectProblem(await upload(file), 422, 'file_not_supported');
  });

  test('that would need more bytes than an upload may have is drawn with fewer', async () => {
    const pixels = randomBytes(512 * 512 * 4);
    const noise = await sharp(pixels, { raw: { width: 512, height: 512, channels: 4 } })
      .webp({ quality: 90 })
      .toBuffer();
    const created = await upload(noise);
    expectAnswer(created, 'createUpload', 201);
    expect(created.body.bytes).toBeLessThanOrEqual(524_288);
  });

  test('that is not in use makes room for the next one', async () => {
    const first = (await upload(samplePicture('png'))).body.id;
    const used = (await upload(samplePicture('jpeg'))).body.id;
    expect((await load(first)).status).toBe(404);
    await change({ logo: used }).expect(200);
    const last = (await upload(samplePicture('webp'))).body.id;
    expect((await load(used)).status).toBe(200);
    await change({ logo: last }).expect(200);
    expect((await load(used)).status).toBe(404);
    await change({ logo: null }).expect(200);
    expect((await load(last)).status).toBe(404);
  });

  test('above 2,048 pixels on a side is refused before it is decoded', async () => {
    const file = await sharp({ create: { width: 3000, height: 10, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    expectProblem(await upload(file), 422, 'image_too_large');
  });
});

/** The header stays; the compressed pixels are not what they were. */
function spoiled(png: Buffer): Buffer {
  const at = png.indexOf('IDAT') + 6;
  const copy = Buffer.from(png);
  copy.fill(0xff, at, at + 8);
  return copy;
}

describe('the branding', () => {
  test('is what payers see of the project, on open invoices, too', async () => {
    await openWallet(api, account);
    const order = await api.call('post', '/v1/invoices', {
      session: account.session,
      body: { currency: 'BTC', type: 'order', expected_amount: '10000' },
    });
    const shown = async () =>
      (await api.call('get', `/v1/public/invoices/${order.body.public_id}`)).body.branding;
    expect(await shown()).toBeNull();
    const { id } = (await upload(samplePicture('png'))).body;
    const changed = await change({
      logo: id,
      accent_color: '#6441A5',
      terms_url: 'https://shop.example/terms',
      support_url: 'mailto:help@shop.example',
    });
    expectAnswer(changed, 'updateBranding', 200);
    expect(await read()).toEqual(changed.body);
    expect(await shown()).toEqual({
      logo_url: `/v1/public/uploads/${id}`,
      accent_color: '#6441a5',
      terms_url: 'https://shop.example/terms',
      support_url: 'mailto:help@shop.example',
    });
    await api.call('delete', `/v1/uploads/${id}`, { session: account.session }).expect(200);
    expect(await read()).toMatchObject({ logo: null, accent_color: '#6441a5' });
    expect(await shown()).toMatchObject({ logo_url: null });
  });

  test('keeps what a change leaves out', async () => {
    await change({ terms_url: 'https://shop.example/terms' });
    await change({ accent_color: '#000000' });
    await change({ terms_url: null });
    expect(await read()).toEqual({
      logo: null,
      accent_color: '#000000',
      terms_url: null,
      support_url: null,
    });
  });

  test('names no logo of another project, and no picture that was not drawn anew', async () => {
    const other = await openAccount(api);
    const foreign = (await upload(samplePicture('png'), other)).body.id;
    const picture = await api
      .call('post', '/v1/uploads?kind=image', { session: account.session })
      .set('Content-Type', 'application/octet-stream')
      .send(samplePicture('png'));
    for (const logo of [foreign, picture.body.id, 'upl_111111']) {
      const refused = await change({ logo });
      expectProblem(refused, 422, 'validation_error');
      expect(refused.body.errors).toContainEqual(expect.objectContaining({ path: 'body.logo' }));
    }
    expect((await read()).logo).toBeNull();
  });

  test.each([
    ['accent_color', '#fff;}body{display:none'],
    ['terms_url', 'javascript:alert(1)'],
    ['terms_url', 'http://shop.example/terms'],
    ['terms_url', 'mailto:help@shop.example'],
    ['support_url', 'javascript:alert(1)//@x'],
    ['support_url', 'mailto:help@shop.example?body=send+money'],
    ['support_url', 'mailto:nobody'],
    ['support_url', 'mailto:a@shop.example,b@evil.example'],
    ['support_url', 'mailto:a%0d%0aBcc:b@evil.example'],
    ['support_url', 'https://help.shop.example@evil.example/'],
    ['support_url', 'tel:110'],
  ])('%s: what breaks the rules is refused (%#)', async (field, value) => {
    const refused = await change({ [field]: value });
    expectProblem(refused, 422, 'validation_error');
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ path: `body.${field}` }));
  });
});
