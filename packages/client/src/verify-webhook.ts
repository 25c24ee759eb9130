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
  readonly code: WebhookRefusal;

  constructor(code: WebhookRefusal, message: string) {
    super(message);
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
  const body = toBytes(rawBody);
  const key = await importKey(secret);
  const { timestamp, signatures } = parseHeader(signatureHeader);
  const signed = concat(encoder.encode(`${timestamp}.`), body);
  if (!(await matchesAny(key, signatures, signed))) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature matches. Check the secret, and that the body is passed on exactly as it was received.',
    );
  }
  checkAge(Number(timestamp), Math.floor(nowMs / 1000), toleranceSeconds);
  return parseEvent(body);
}

const encoder = new TextEncoder();

function toBytes(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return encoder.encode(rawBody);
  if (rawBody instanceof Uint8Array) return new Uint8Array(rawBody);
  throw new TypeError('rawBody must be the body as received, a string or bytes: verify before parsing JSON');
}

function importKey(secret: unknown): Promise<CryptoKey> {
  // An unset variable would otherwise verify against a key that anybody can guess.
  if (typeof secret !== 'string' || !secret.startsWith('whsec_')) {
    throw new TypeError('secret must be the signing secret of the endpoint, which begins with whsec_');
  }
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/** Reads `t=…,v1=…[,v1=…]`; schemes of later versions are skipped. */
function parseHeader(header: string | null | undefined): {
  timestamp: string;
  signatures: Uint8Array<ArrayBuffer>[];
} {
  if (header === null || header === undefined || header === '') {
    throw new WebhookVerificationError('missing_signature', 'The X-Signature header is missing.');
  }
  const pairs = header.split(',').map((part) => part.trim());
  const timestamps = pairs.filter((pair) => /^t=[0-9]{1,12}$/.test(pair)).map((pair) => pair.slice(2));
  const signatures = pairs
    .filter((pair) => /^v1=[0-9a-f]{64}$/.test(pair))
    .map((pair) => fromHex(pair.slice(3)));
  const [timestamp, another] = timestamps;
  if (timestamp === undefined || another !== undefined || signatures.length === 0) {
    throw new WebhookVerificationError(
      'malformed_signature',
      'The X-Signature header is not t=<unix time>,v1=<hex>.',
    );
  }
  return { timestamp, signatures };
}

async function matchesAny(
  key: CryptoKey,
  signatures: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const matches = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  );
  return matches.includes(true);
}

function checkAge(timestamp: number, nowSeconds: number, toleranceSeconds: number): void {
  if (timestamp < nowSeconds - toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_too_old',
      'The webhook was signed too long ago: maybe a replay.',
    );
  }
  if (timestamp > nowSeconds + toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_in_future',
      'The webhook was signed in the future: check the clock.',
    );
  }
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    // Signed by Paywatch, so taken at its word; the merchant need not carry a schema.
    return JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    const error = new WebhookVerificationError('malformed_body', 'The body is signed but is no JSON.');
    error.cause = cause;
    throw error;
  }
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
