import type { WebhookEvent } from './schemas.ts';

/** Why a webhook was refused. */
export type WebhookRefusal =
  /** No `X-Signature` header: not sent by Paywatch, or dropped by a proxy on the way. */
  | 'missing_signature'
  /** The header is not `t=<unix time>,v1=<hex>`. */
  | 'malformed_signature'
  /** Another secret, or not the bytes that were sent (JSON parsed and written again does not match). */
  | 'signature_mismatch'
  /** Signed longer ago than tolerated: a replay, or a clock that is off. */
  | 'timestamp_too_old'
  /** Signed further ahead than tolerated: a clock that is off. */
  | 'timestamp_in_future'
  /** Signed by Paywatch, but no JSON: report it. */
  | 'malformed_body';

/** Thrown by `verifyWebhook`. Answer 400 to it, and never act on the body. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: WebhookRefusal;

  constructor(code: WebhookRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** How strictly to look at the time of signing. */
export type VerifyOptions = {
  /** How far the time of signing may be from now, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** Epoch milliseconds; the clock by default. */
  nowMs?: number;
};

/**
 * Verifies a webhook and returns its event. Call it with the body exactly as received, before any JSON parser touched
 * it, and with the value of the `X-Signature` header.
 *
 *     app.post('/webhooks/paywatch', express.raw({ type: 'application/json' }), async (req, res) => {
 *       const event = await verifyWebhook(req.body, req.get('X-Signature'), process.env.PAYWATCH_SECRET);
 *       …
 *     });
 *
 * Signatures are compared in constant time. Runs wherever Web Crypto does: Node 20 and up, Bun, Deno, workers.
 * Rejects with WebhookVerificationError, whose `code` says why; with TypeError where it is called wrongly.
 * Verifying twice is safe, but acting twice is not: deliveries repeat, so remember the `id` of what was handled.
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
    throw new WebhookVerificationError('signature_mismatch', 'Another secret, or not the exact body.');
  }
  checkAge(Math.floor(nowMs / 1000) - Number(timestamp), toleranceSeconds);
  return parseEvent(await signed.slice(timestamp.length + 1).text());
}

function importKey(secret: string | undefined): Promise<CryptoKey> {
  // An unset variable would otherwise verify against a key that anybody can guess.
  if (!secret?.startsWith('whsec_')) {
    throw new TypeError('The secret begins with whsec_');
  }
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Reads `t=…,v1=…[,v1=…]`; schemes of later versions are skipped. */
function parseHeader(
  header: string | null | undefined,
): [timestamp: string, signatures: Uint8Array<ArrayBuffer>[]] {
  if (!header) {
    throw new WebhookVerificationError('missing_signature', 'There is no X-Signature header.');
  }
  const pairs = header.split(',').map((part) => part.trim());
  const valuesOf = (part: RegExp) => pairs.flatMap((pair) => part.exec(pair)?.[1] ?? []);
  const [timestamp, another] = valuesOf(/^t=(\d{1,12})$/);
  const signatures = valuesOf(/^v1=([\da-f]{64})$/).map(fromHex);
  if (!timestamp || another || signatures.length === 0) {
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
    throw new WebhookVerificationError('timestamp_too_old', 'Signed too long ago: maybe a replay.');
  }
  if (-ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_in_future', 'Signed in the future: check the clock.');
  }
}

function parseEvent(body: string): WebhookEvent {
  try {
    // Signed by Paywatch, so taken at its word; the merchant need not carry a schema.
    return JSON.parse(body);
  } catch (cause) {
    throw new WebhookVerificationError('malformed_body', 'The body is not JSON.', { cause });
  }
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
