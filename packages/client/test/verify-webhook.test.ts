import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { webhookHeaders } from '../../domain/src/webhooks/webhook-signature.ts';
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts';
import type { VerifyOptions, WebhookRefusal } from '../src/index.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const body = JSON.stringify({
  id: 'evt_1',
  type: 'invoice.confirmed',
  data: { invoice: { donor_name: 'Zoë ☕' } },
});
const NOW = 1_800_000_000;
const now = { nowMs: NOW * 1000 };

function v1(raw: string, timestamp: number, key = secret): string {
  return createHmac('sha256', key).update(`${timestamp}.${raw}`).digest('hex');
}
const header = `t=${NOW},v1=${v1(body, NOW)}`;

async function refusal(
  raw: string,
  signature: string | null | undefined,
  options: VerifyOptions = now,
): Promise<WebhookRefusal | 'accepted'> {
  try {
    await verifyWebhook(raw, signature, secret, options);
    return 'accepted';
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

describe('a valid signature is accepted', () => {
  test('for text and for bytes, and the event is parsed', async () => {
    const event: unknown = JSON.parse(body);
    expect(await verifyWebhook(body, header, secret, now)).toEqual(event);
    expect(await verifyWebhook(new TextEncoder().encode(body), header, secret, now)).toEqual(event);
    expect(await verifyWebhook(Buffer.from(body), header, secret, now)).toEqual(event);
  });

  test('by the system clock without options', async () => {
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const headers = webhookHeaders({ eventId: 'evt_1', rawBody: body, timestampSeconds, secrets: [secret] });
    expect(await verifyWebhook(body, headers['x-signature'], secret)).toEqual(JSON.parse(body));
  });

  test.each([
    ['with a space after the comma', header.replace(',', ', ')],
    ['with the parts in reverse order', `v1=${v1(body, NOW)},t=${NOW}`],
    ['with an unknown scheme', `${header},v2=abc`],
    [
      'with a second signature that does not match',
      `t=${NOW},v1=${v1(body, NOW, otherSecret)},v1=${v1(body, NOW)}`,
    ],
    ['with an additional malformed signature', `t=${NOW},v1=short,v1=${v1(body, NOW)}`],
  ])('%s', async (_title, signature) => {
    expect(await refusal(body, signature)).toBe('accepted');
  });
});

describe('everything else is rejected', () => {
  test.each<[string, string, string | null | undefined, WebhookRefusal]>([
    ['a body with an extra byte', `${body} `, header, 'signature_mismatch'],
    [
      'a body that was parsed and serialized again',
      JSON.stringify(JSON.parse(body), null, 1),
      header,
      'signature_mismatch',
    ],
    [
      'another timestamp with the same signature',
      body,
      header.replace(`${NOW}`, `${NOW - 1}`),
      'signature_mismatch',
    ],
    ['another secret', body, `t=${NOW},v1=${v1(body, NOW, otherSecret)}`, 'signature_mismatch'],
    ['a truncated signature', body, header.slice(0, -2), 'malformed_signature'],
    ['no header', body, undefined, 'missing_signature'],
    ['a null header', body, null, 'missing_signature'],
    ['an empty header', body, '', 'missing_signature'],
    ['no timestamp', body, `v1=${v1(body, NOW)}`, 'malformed_signature'],
    ['two timestamps', body, `t=1,${header}`, 'malformed_signature'],
    ['a timestamp that is not a number', body, header.replace(`${NOW}`, '1e9'), 'malformed_signature'],
    ['no signature', body, `t=${NOW}`, 'malformed_signature'],
    ['noise', body, 'hello', 'malformed_signature'],
    ['a signed body that is not JSON', '{', `t=${NOW},v1=${v1('{', NOW)}`, 'malformed_body'],
  ])('%s', async (_title, raw, signature, code) => {
    expect(await refusal(raw, signature)).toBe(code);
  });
});

describe('the timestamp', () => {
  test.each<[string, number, VerifyOptions, WebhookRefusal | 'accepted']>([
    ['five minutes ago is accepted', NOW - 300, now, 'accepted'],
    ['more than five minutes ago is rejected', NOW - 301, now, 'timestamp_too_old'],
    ['five minutes ahead is accepted', NOW + 300, now, 'accepted'],
    ['more than five minutes ahead is rejected', NOW + 301, now, 'timestamp_in_future'],
    ['the tolerance can be narrowed', NOW - 11, { ...now, toleranceSeconds: 10 }, 'timestamp_too_old'],
    ['the tolerance can be widened', NOW - 3600, { ...now, toleranceSeconds: 3600 }, 'accepted'],
  ])('%s', async (_title, timestamp, options, expected) => {
    expect(await refusal(body, `t=${timestamp},v1=${v1(body, timestamp)}`, options)).toBe(expected);
  });
});

describe('an invalid argument throws TypeError', () => {
  test.each([undefined, '', 'undefined', Buffer.alloc(32).toString('base64')])(
    'with the secret "%s"',
    async (wrong) => {
      await expect(verifyWebhook(body, header, wrong, now)).rejects.toThrow('must begin with whsec_');
    },
  );

  test('for a body that is already parsed', async () => {
    await expect(verifyWebhook(JSON.parse(body), header, secret, now)).rejects.toThrow(
      'verify before parsing JSON',
    );
  });
});
