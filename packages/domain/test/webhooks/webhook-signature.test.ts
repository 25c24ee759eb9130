import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { webhookHeaders } from '../../src/webhooks/webhook-signature.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const previous = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const rawBody = '{"id":"evt_1","donor_name":"Zoë ☕"}';
const nowSeconds = Math.floor(Date.now() / 1000);
const attempt = { eventId: 'evt_1', rawBody, timestampSeconds: nowSeconds, secrets: [secret] as [string] };

describe('X-Signature', () => {
  test('is HMAC-SHA256 of `<t>.<raw body>` keyed with the whole text of the secret', () => {
    // openssl: printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac whsec_c2VjcmV0
    const headers = webhookHeaders({
      eventId: 'evt_1',
      rawBody: '{"a":1}',
      timestampSeconds: 1_700_000_000,
      secrets: ['whsec_c2VjcmV0'],
    });
    expect(headers['x-signature']).toBe(
      't=1700000000,v1=6dd72433a4cd7716d09e26318f8f689412da31a76d080c30fd719cf6ac3f8479',
    );
  });

  test('is made with the current secret alone while two are valid', () => {
    const both = webhookHeaders({ ...attempt, secrets: [secret, previous] });
    expect(both['x-signature']).toBe(webhookHeaders(attempt)['x-signature']);
  });
});

describe('the headers of Standard Webhooks', () => {
  test('verify with its published library', () => {
    expect(new Webhook(secret).verify(rawBody, webhookHeaders(attempt))).toEqual(JSON.parse(rawBody));
  });

  test('verify with the old and with the new secret while both are valid', () => {
    const headers = webhookHeaders({ ...attempt, secrets: [secret, previous] });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const known of [secret, previous]) {
      expect(new Webhook(known).verify(rawBody, headers)).toEqual(JSON.parse(rawBody));
    }
  });

  test('do not verify another body, another secret or another event', () => {
    const headers = webhookHeaders(attempt);
    expect(() => new Webhook(secret).verify(`${rawBody} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(previous).verify(rawBody, headers)).toThrow('No matching signature');
    const other = { ...headers, 'webhook-id': 'evt_2' };
    expect(() => new Webhook(secret).verify(rawBody, other)).toThrow('No matching signature');
  });
});

test('bytes and text of the same body sign alike', () => {
  expect(webhookHeaders({ ...attempt, rawBody: new TextEncoder().encode(rawBody) })).toEqual(
    webhookHeaders(attempt),
  );
});

test('a secret of another kind is refused rather than signed with', () => {
  expect(() => webhookHeaders({ ...attempt, secrets: ['c2VjcmV0'] })).toThrow(TypeError);
});
