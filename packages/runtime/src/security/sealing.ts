import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where a sealed secret is stored. It opens in no other row: someone with write access cannot move it to their own. */
export type SealedPlace = { readonly table: string; readonly column: string; readonly row: string };

/**
 * Encrypts small secrets at rest (AES-256-GCM). The ciphertext contains the id of its key, so keys can be rotated. The place is
 * authenticated as additional data.
 *
 * Secrets of the first release were sealed without a place. They still open anywhere, but are not current; key rotation binds them to
 * their place. No ciphertext of the old format opens with a key that was added later.
 */
export type Sealer = {
  seal(plain: string, place: SealedPlace): Buffer;
  /** Throws SealingError when the key is missing, the bytes were changed, or they were sealed for another place. */
  open(sealed: Uint8Array, place: SealedPlace): string;
  /** Whether the bytes are sealed with the newest key and bound to a place. */
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
 * Throws SealingError; its message contains no key.
 */
export function parseSealingKeys(text: string): SealingKey[] {
  const keys = text.split(',').map((entry, position) => parseKey(entry.trim(), position + 1));
  if (new Set(keys.map((key) => key.id)).size !== keys.length)
    throw new SealingError('two keys have the same id');
  return keys;
}

function parseKey(entry: string, position: number): SealingKey {
  const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? [];
  if (!id || !base64) throw new SealingError(`entry ${position} is not id:base64 of 32 bytes`);
  return { id, key: Buffer.from(base64, 'base64') };
}

/** Derives a key of 32 bytes for one purpose from the newest key (HKDF-SHA256, RFC 5869). Deterministic. */
export function deriveKey([newest]: readonly SealingKey[], purpose: string): Buffer {
  if (!newest) throw new SealingError('at least one key is required');
  return Buffer.from(hkdfSync('sha256', newest.key, '', `paywatch ${purpose}`, 32));
}

/** Creates a sealer that seals with the first key and opens with any. */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [newest] = keys;
  if (!newest) throw new SealingError('at least one key is required');
  return {
    seal: (plain, place) => seal(newest, plain, place),
    open: (sealed, place) => open(keys, parseSealed(Buffer.from(sealed)), place),
    isCurrent: (sealed) => {
      const { keyId, isBound } = parseSealed(Buffer.from(sealed));
      return isBound && keyId === newest.id;
    },
  };
}

/** First byte of a ciphertext that is bound to a place. The old format starts with the length of the key's id, never 0. */
const BOUND = 0;

/**
 * Format: [BOUND] [length of the key's id] [id] [IV, 12 bytes] [tag, 16 bytes] [encrypted secret]. The old format has no BOUND byte.
 * Additional authenticated data: the place as JSON, which is different for every place.
 */
function seal(key: SealingKey, plain: string, place: SealedPlace): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.key, iv).setAAD(additionalData(place));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const id = Buffer.from(key.id, 'latin1');
  return Buffer.concat([Buffer.from([BOUND, id.length]), id, iv, cipher.getAuthTag(), body]);
}

function additionalData({ table, column, row }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]));
}

type Sealed = { keyId: string; isBound: boolean; iv: Buffer; tag: Buffer; body: Buffer };

function parseSealed(bytes: Buffer): Sealed {
  const isBound = bytes[0] === BOUND;
  const rest = bytes.subarray(isBound ? 1 : 0);
  const idEnd = 1 + (rest[0] ?? 0);
  const ivEnd = idEnd + IV_BYTES;
  const tagEnd = ivEnd + TAG_BYTES;
  return {
    keyId: rest.subarray(1, idEnd).toString('latin1'),
    isBound,
    iv: rest.subarray(idEnd, ivEnd),
    tag: rest.subarray(ivEnd, tagEnd),
    body: rest.subarray(tagEnd),
  };
}

function open(
  keys: readonly SealingKey[],
  { keyId, isBound, iv, tag, body }: Sealed,
  place: SealedPlace,
): string {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw new SealingError(`no encryption key with the id ${JSON.stringify(keyId)}`);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.key, iv, { authTagLength: TAG_BYTES }).setAuthTag(
      tag,
    );
    if (isBound) decipher.setAAD(additionalData(place));
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealingError('the sealed secret was changed, or belongs to another key or row', { cause });
  }
}
