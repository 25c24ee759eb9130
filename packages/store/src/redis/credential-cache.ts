import { pause } from '@paywatch/runtime';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';

/** What a token stands for, once Postgres has said so. */
export type Credential =
  | {
      kind: 'api_key';
      apiKeyId: bigint;
      keyPublic: string;
      projectId: bigint;
      scope: 'full' | 'invoices';
    }
  | {
      kind: 'session';
      accountId: bigint;
      projectId: bigint;
      /** SHA-256 of its token, hex. */
      tokenHash: string;
    };

/** A credential as Postgres holds it, and for how long it is valid from now on; null: without end. */
export type CheckedCredential = { credential: Credential; validForMs: number | null };

type CacheStore = Pick<Store, 'redis' | 'keys'>;

/** A credential is believed without asking Postgres for this long at most. */
const CACHED_MS = 2000;
/** An answer of Postgres that is older than this does not enter the cache. */
const FILL_WITHIN_MS = 500;
/** Longer than any fill that began before the revocation can last. */
const REVOKED_MS = 5000;
const REVOKED = 'revoked';

/**
 * Finds what the token with this SHA-256 (hex) stands for: in Redis, else by `load`, which asks Postgres. A revoked
 * token is null on every replica from the moment `forgetCredentials` returns. Redis away: `load` answers every time.
 */
export async function resolveCredential(
  store: CacheStore,
  tokenHash: string,
  load: () => Promise<CheckedCredential | null>,
): Promise<Credential | null> {
  const key = store.keys.credential(tokenHash);
  const cached = await readCached(store, key);
  if (cached === REVOKED) return null;
  const known = cached === null ? null : decode(cached);
  if (known !== null) return known;
  const askedAtMs = performance.now();
  const checked = await load();
  if (checked !== null && performance.now() - askedAtMs < FILL_WITHIN_MS) fill(store, key, checked);
  return checked?.credential ?? null;
}

async function readCached(store: CacheStore, key: string): Promise<string | null> {
  try {
    return await store.redis.get(key);
  } catch (error) {
    reconnectIfFrozen(store.redis, error);
    return null; // Postgres is the truth: without Redis it is asked every time.
  }
}

/** Nobody waits for it: the answer does not depend on the cache. NX: a tombstone must not be overwritten. */
function fill(store: CacheStore, key: string, { credential, validForMs }: CheckedCredential): void {
  const ttlMs = Math.floor(Math.min(CACHED_MS, validForMs ?? CACHED_MS));
  if (ttlMs <= 0) return;
  store.redis
    .set(key, encode(credential), 'PX', ttlMs, 'NX')
    .catch((error: unknown) => reconnectIfFrozen(store.redis, error));
}

/**
 * Makes every replica refuse these tokens (SHA-256, hex) before it returns. Call it after the commit that revoked them.
 * Where Redis cannot be told, it waits until nothing that was cached before can be left.
 */
export async function forgetCredentials(store: CacheStore, tokenHashes: readonly string[]): Promise<void> {
  const told = await Promise.allSettled(
    tokenHashes.map((hash) => store.redis.set(store.keys.credential(hash), REVOKED, 'PX', REVOKED_MS)),
  );
  const failure = told.find((result) => result.status === 'rejected');
  if (failure === undefined) return;
  reconnectIfFrozen(store.redis, failure.reason);
  await pause(FILL_WITHIN_MS + CACHED_MS);
}

function encode(credential: Credential): string {
  return JSON.stringify(credential, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

/** Null for anything that an older or newer release may have left there. */
function decode(text: string): Credential | null {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || typeof value['projectId'] !== 'string') return null;
  const projectId = BigInt(value['projectId']);
  const { kind, apiKeyId, accountId, tokenHash, keyPublic, scope } = value;
  if (kind === 'session' && typeof accountId === 'string' && typeof tokenHash === 'string') {
    return { kind, accountId: BigInt(accountId), projectId, tokenHash };
  }
  const isScope = scope === 'full' || scope === 'invoices';
  if (kind !== 'api_key' || typeof apiKeyId !== 'string' || typeof keyPublic !== 'string' || !isScope)
    return null;
  return { kind, apiKeyId: BigInt(apiKeyId), keyPublic, projectId, scope };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
