import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts small secrets at rest (AES-256-GCM). The key's id travels inside, so keys can rotate. */
export type Sealer = {
  seal(plain: string): Buffer;
  /** Throws SealingError when the key is gone or the bytes were changed. */
  open(sealed: Uint8Array): string;
  /** Whether the bytes are sealed with the newest key. */
  isCurrent(sealed: Uint8Array): boolean;
};

export class SealingError extends Error {
  override name = 'SealingError';
}

export type SealingKey = { id: string; key: Buffer };

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Parses `id:base64,id:base64`, newest first; each key is 32 bytes, ids are at most 32 characters.
 * Throws SealingError with a text that never holds a key.
 */
export function parseSealingKeys(text: string): SealingKey[] {
  const keys = text.split(',').map((entry, position) => parseKey(entry.trim(), position + 1));
  if (new Set(keys.map((key) => key.id)).size !== keys.length) throw new SealingError('two keys have one id');
  return keys;
}

function parseKey(entry: string, position: number): SealingKey {
  const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? [];
  if (!id || !base64) throw new SealingError(`entry ${position} is not id:base64 of 32 bytes`);
  return { id, key: Buffer.from(base64, 'base64') };
}

/** A key of 32 bytes for one purpose, derived from the newest key (HKDF-SHA256, RFC 5869). All replicas derive the same. */
export function deriveKey([newest]: readonly SealingKey[], purpose: string): Buffer {
  if (!newest) throw new SealingError('at least one key is needed');
  return Buffer.from(hkdfSync('sha256', newest.key, '', `paywatch ${purpose}`, 32));
}

/** Seals with the first key, opens with any. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [newest] = keys;
  if (!newest) throw new SealingError('at least one key is needed');
  return {
    seal: (plain) => seal(newest, plain),
    open: (sealed) => open(keys, Buffer.from(sealed)),
    isCurrent: (sealed) => readKeyId(Buffer.from(sealed)) === newest.id,
  };
}

function seal(key: SealingKey, plain: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.key, iv);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const id = Buffer.from(key.id, 'latin1');
  return Buffer.concat([Buffer.from([id.length]), id, iv, cipher.getAuthTag(), body]);
}

function open(keys: readonly SealingKey[], sealed: Buffer): string {
  const id = readKeyId(sealed);
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new SealingError(`no encryption key with the id ${JSON.stringify(id)}`);
  const start = 1 + id.length;
  const decipher = createDecipheriv('aes-256-gcm', key.key, sealed.subarray(start, start + IV_BYTES));
  decipher.setAuthTag(sealed.subarray(start + IV_BYTES, start + IV_BYTES + TAG_BYTES));
  try {
    const body = decipher.update(sealed.subarray(start + IV_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealingError('a sealed secret was changed or belongs to another key', { cause });
  }
}

function readKeyId(sealed: Buffer): string {
  return sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString('latin1');
}
