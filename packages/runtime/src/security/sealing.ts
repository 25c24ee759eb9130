import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where a sealed secret is stored. It opens nowhere else, so that whoever can write rows cannot move one to a row of theirs. */
export type SealedPlace = { readonly table: string; readonly column: string; readonly row: string };

/**
 * Encrypts small secrets at rest (AES-256-GCM). The key's id travels inside, so keys can rotate; the place is authenticated with it.
 *
 * Secrets were once sealed without their place. Those still open, wherever they are, and are not current: resealing binds them. Once
 * all are bound and the key is replaced, no bytes of the old form open any more, for the new key never sealed any.
 */
export type Sealer = {
  seal(plain: string, place: SealedPlace): Buffer;
  /** Throws SealingError when the key is gone, the bytes were changed, or they were sealed for another place. */
  open(sealed: Uint8Array, place: SealedPlace): string;
  /** Whether the bytes are sealed with the newest key, and bound to a place. */
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
    seal: (plain, place) => seal(newest, plain, place),
    open: (sealed, place) => open(keys, parseSealed(Buffer.from(sealed)), place),
    isCurrent: (sealed) => {
      const { keyId, isBound } = parseSealed(Buffer.from(sealed));
      return isBound && keyId === newest.id;
    },
  };
}

/** In front of bytes that are bound to a place. Those of the old form begin with the length of a key's id, which is never 0. */
const BOUND = 0;

/**
 * Bytes: [BOUND] [length of the key's id] [the id] [IV, 12] [tag, 16] [the secret, encrypted]; the old form lacks the first one.
 * Authenticated besides: the place, in a form that no two places share.
 */
function seal(key: SealingKey, plain: string, place: SealedPlace): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.key, iv).setAAD(bytesOf(place));
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const id = Buffer.from(key.id, 'latin1');
  return Buffer.concat([Buffer.from([BOUND, id.length]), id, iv, cipher.getAuthTag(), body]);
}

function bytesOf({ table, column, row }: SealedPlace): Buffer {
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
    if (isBound) decipher.setAAD(bytesOf(place));
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealingError('a sealed secret was changed, or belongs to another key or row', { cause });
  }
}
