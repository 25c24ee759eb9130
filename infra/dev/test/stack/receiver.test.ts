import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCertificateAuthority, type CertificateAuthority } from '../../src/servers/certificates.ts';
import { startReceiver, type Receiver } from '../../src/stack/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
let authority: CertificateAuthority;
let receiver: Receiver;
let trusting: Agent;
beforeAll(async () => {
  authority = await createCertificateAuthority(folder);
  receiver = await startReceiver({ certificate: await authority.issue(), secrets: ['whsec_known'] });
  trusting = new Agent({ connect: { ca: readFileSync(authority.caFile, 'utf8') } });
});
afterAll(async () => {
  await trusting.close();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

test('is trusted as localhost and 127.0.0.1 by clients that trust the authority, and by no others', async () => {
  expect(await post(eventBody('evt_a'), 'whsec_known')).toMatchObject({ status: 200 });
  expect(await post(eventBody('evt_b'), 'whsec_known', `https://127.0.0.1:${receiver.port}/`)).toMatchObject({
    status: 200,
  });
  await expect(request(receiver.url, { method: 'POST', body: '{}' })).rejects.toThrow(/certificate/);
});

test('rejects a signature of another secret with 400 and records the request', async () => {
  expect(await post(eventBody('evt_c'), 'whsec_other')).toMatchObject({ status: 400 });
  expect(receiver.received.at(-1)).toMatchObject({ event: undefined, rawBody: eventBody('evt_c') });
});

test('passes verified events to `waitFor` and to subscribers', async () => {
  const received: string[] = [];
  const unsubscribe = receiver.subscribe(({ event }) => void received.push(event?.id ?? 'refused'));
  const awaited = receiver.waitFor((event) => event.id === 'evt_d');
  await post(eventBody('evt_d'), 'whsec_known');
  expect(await awaited).toMatchObject({ id: 'evt_d' });
  unsubscribe();
  await post(eventBody('evt_e'), 'whsec_known');
  expect(received).toEqual(['evt_d']);
});

test('sends each scripted response once, then the default', async () => {
  receiver.script({ status: 503, headers: { 'retry-after': '7' } }, { hangUp: true });
  expect(await post(eventBody('evt_f'), 'whsec_known')).toMatchObject({ status: 503, retryAfter: '7' });
  await expect(post(eventBody('evt_f'), 'whsec_known')).rejects.toThrow(/closed|hang up|reset/);
  expect(await post(eventBody('evt_f'), 'whsec_known')).toMatchObject({ status: 200 });
});

async function post(body: string, secret: string, url = receiver.url) {
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': `t=${seconds},v1=${signature}` };
  const response = await request(url, { method: 'POST', dispatcher: trusting, headers, body });
  await response.body.dump();
  return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
}

function eventBody(id: string): string {
  return JSON.stringify({
    id,
    type: 'invoice.confirmed',
    api_version: '1.0',
    created_at: '2026-11-20T00:00:00.000Z',
    data: {},
  });
}
