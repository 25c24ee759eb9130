import type { WebhookEvent } from './schemas.ts';

/** Why a webhook was rejected. */
export type WebhookRefusal =
  /** The `X-Signature` header is missing: not sent by Paywatch, or removed by a proxy. */
  | 'missing_signature'
  /** The header is not `t=<unix time>,v1=<hex>`. */
  | 'malformed_signature'
  /** The secret is wrong, or the body was changed, for example by parsing and serializing the JSON. */
  | 'signature_mismatch'
  /** Signed longer ago than the tolerance: a replay, or a wrong clock. */
  | 'timestamp_too_old'
  /** Signed further in the future than the tolerance: a wrong clock. */
  | 'timestamp_in_future'
  /** The signature is valid but the body is not JSON: please report this. */
  | 'malformed_body';

/** Thrown by `verifyWebhook`. Respond with 400 and never process the body. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: WebhookRefusal;

  constructor(code: WebhookRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Options for checking the time of signing. */
export type VerifyOptions = {
  /** The maximum difference between the time of signing and now, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** The current time in epoch milliseconds; the system clock by default. */
  nowMs?: number;
};

/**
 * Verifies a webhook and returns its event. Pass the raw body exactly as received, before any JSON parsing, and the
 * value of the `X-Signature` header.
 *
 *     app.post('/webhooks/paywatch', express.raw({ type: 'application/json' }), async (req, res) => {
 *       const event = await verifyWebhook(req.body, req.get('X-Signature'), process.env.PAYWATCH_SECRET);
 *       …
 *     });
 *
 * Compares signatures in constant time. Runs where Web Crypto is available: Node 20 and later, Bun, Deno, workers.
 * Rejects with WebhookVerificationError, whose `code` is the reason, and with TypeError for invalid arguments.
 * Deliveries repeat, so store the `id` of every processed event and process each event once.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  signatureHeader: string | null | undefined,
  secret: string | undefined,
  { toleranceSeconds = 300, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !((rawBody as unknown) instanceof Uint8Array)) {
    throw new TypeError('rawBody must be a string or bytes: verify before parsing JSON');
  }
  const key = await importKey(secret);
  const [timestamp, signatures] = parseHeader(signatureHeader);
  const signed = new Blob([`${timestamp}.`, rawBody as Uint8Array<ArrayBuffer>]);
  if (!(await matchesAny(key, signatures, await signed.arrayBuffer()))) {
    throw new WebhookVerificationError('signature_mismatch', 'The secret or the body does not match.');
  }
  checkAge(Math.floor(nowMs / 1000) - Number(timestamp), toleranceSeconds);
  return parseEvent(await signed.slice(timestamp.length + 1).text());
}

function importKey(secret: string | undefined): Promise<CryptoKey> {
  // Without this check, an unset variable would verify against a guessable key.
  if (!secret?.startsWith('whsec_')) {
    throw new TypeError('The secret must begin with whsec_');
  }
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Parses `t=…,v1=…[,v1=…]`; unknown schemes are ignored. */
function parseHeader(
  header: string | null | undefined,
): [timestamp: string, signatures: Uint8Array<ArrayBuffer>[]] {
  if (!header) {
    throw new WebhookVerificationError('missing_signature', 'No X-Signature header.');
  }
  const pairs = header.split(',').map((part) => part.trim());
  const valuesOf = (part: RegExp) => pairs.flatMap((pair) => part.exec(pair)?.[1] ?? []);
  const [timestamp, duplicate] = valuesOf(/^t=(\d{1,12})$/);
  const signatures = valuesOf(/^v1=([\da-f]{64})$/).map(fromHex);
  if (!timestamp || duplicate || signatures.length === 0) {
    throw new WebhookVerificationError('malformed_signature', 'X-Signature is not t=<unix time>,v1=<hex>.');
  }
  return [timestamp, signatures];
}

async function matchesAny(
  key: CryptoKey,
  signatures: Uint8Array<ArrayBuffer>[],
  signed: ArrayBuffer,
): Promise<boolean> {
  const matches = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  );
  return matches.includes(true);
}

function checkAge(ageSeconds: number, toleranceSeconds: number): void {
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_old', 'Signed too long ago.');
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_in_future', 'Signed in the future.');
  }
}

function parseEvent(body: string): WebhookEvent {
  try {
    // Signed by Paywatch, so not validated against a schema.
    return JSON.parse(body);
  } catch (cause) {
    throw new WebhookVerificationError('malformed_body', 'The body is not JSON.', { cause });
  }
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
