import { createHmac } from 'node:crypto';

/** The prefix of every webhook secret. */
const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** One delivery attempt to sign. */
export type UnsignedWebhook = {
  eventId: string;
  /** The stored body, exactly as it is sent. */
  rawBody: Uint8Array | string;
  /** The time of this attempt; receivers refuse signatures older than 5 minutes. */
  timestampSeconds: number;
  /** The endpoint's secret, then the one that it replaced less than 24 hours ago, if any. */
  secrets: readonly [current: string, ...previous: string[]];
};

/**
 * The headers that sign one delivery attempt: `X-Signature` with the current secret, and the headers of the Standard Webhooks
 * specification with every given secret, so that a receiver can switch secrets without losing an event. Pure. Throws TypeError
 * for a secret without `whsec_`.
 */
export function webhookHeaders(webhook: UnsignedWebhook): Record<string, string> {
  const { eventId, rawBody, timestampSeconds, secrets } = webhook;
  return {
    'x-signature': signature(rawBody, timestampSeconds, secrets[0]),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => standardSignature(webhook, secret)).join(' '),
  };
}

/** `t=<unix time>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with the whole text of the secret. */
function signature(rawBody: Uint8Array | string, timestampSeconds: number, secret: string): string {
  const hmac = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(rawBody);
  return `t=${timestampSeconds},v1=${hmac.digest('hex')}`;
}

/** `v1,<base64>`: HMAC-SHA256 of `<id>.<unix time>.<raw body>`, keyed with the bytes that the secret encodes. */
function standardSignature({ eventId, rawBody, timestampSeconds }: UnsignedWebhook, secret: string): string {
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX))
    throw new TypeError('the webhook secret does not begin with whsec_');
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.`).update(rawBody);
  return `v1,${hmac.digest('base64')}`;
}
