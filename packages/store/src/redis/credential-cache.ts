import { scopeSchema, type Scope, type ScopeSet } from '@paywatch/domain/contract';
import { pause, type Clock } from '@paywatch/runtime/process';
import { equalSecrets } from '@paywatch/runtime/security';
import { createHmac } from 'node:crypto';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';
import type { RateLimiter, RateLimitState } from './limits/rate-limits.ts';
import { loadScript } from './scripts.ts';

/** What a token authorizes, as read from Postgres. */
export type Credential =
  | {
      kind: 'api_key';
      apiKeyId: bigint;
      keyPublic: string;
      projectId: bigint;
      scope: ScopeSet | 'custom';
      scopes: readonly Scope[];
      /** CIDR ranges that it may be used from; null: from anywhere. */
      allowedAddresses: readonly string[] | null;
    }
  | {
      kind: 'session';
      accountId: bigint;
      projectId: bigint;
      /** SHA-256 of its token, hex. */
      tokenHash: string;
    };

/** A credential from Postgres and how long it stays valid; null: without end. */
export type CheckedCredential = { credential: Credential; validForMs: number | null };

type CacheStore = Pick<Store, 'redis' | 'keys'>;

/** Where credentials are cached. `macKey` is a secret of the deployment: entries without a valid MAC are ignored. */
export type CredentialCache = CacheStore & { macKey: Buffer; clock: Clock };

/** The longest time that a credential is used without asking Postgres. */
const CACHED_MS = 2000;
/** An answer of Postgres that took longer than this is not cached. */
const FILL_WITHIN_MS = 500;
/** Longer than any cache fill that started before the revocation can take. */
const REVOKED_MS = 5000;
const REVOKED = 'revoked';

/** Reads from Postgres what a token authorizes; null if nothing (any more). */
type LoadCredential = () => Promise<CheckedCredential | null>;

/**
 * Finds what the token with this SHA-256 (hex) authorizes: in Redis, otherwise by `load`, which asks Postgres. A revoked token
 * is null on every replica once `forgetCredentials` has returned. Without Redis, `load` is called every time.
 */
export async function resolveCredential(
  store: CredentialCache,
  tokenHash: string,
  load: LoadCredential,
): Promise<Credential | null> {
  const cached = await attempt(store, () => store.redis.get(store.keys.credential(tokenHash)));
  if (cached === REVOKED) return null;
  return readEntry(store, tokenHash, cached ?? null) ?? loadAndFill(store, tokenHash, load);
}

/** A credential and the state of its rate limit after this request was counted. */
export type CountedCredential = {
  credential: Credential;
  limit: RateLimitState;
  /** Takes the point back, for a request that must not use up the limit of the key. */
  giveBack: () => Promise<void>;
};

/**
 * As `resolveCredential`, and counts one point of the token's own limit; one round trip if the credential is cached. Unknown
 * tokens are not counted. Without Redis, the limiter's local counter counts.
 */
export async function resolveAndCount(
  store: CredentialCache,
  limiter: RateLimiter,
  tokenHash: string,
  load: LoadCredential,
): Promise<CountedCredential | null> {
  const [cached, points, resetMs] = await askAndCount(store, limiter, tokenHash);
  if (cached === REVOKED) return null;
  const known = readEntry(store, tokenHash, cached);
  if (known !== null)
    return counted(limiter, tokenHash, known, limiter.stateAfter(countedAs(tokenHash), points, resetMs));
  const credential = await loadAndFill(store, tokenHash, load);
  return credential && counted(limiter, tokenHash, credential, await limiter.count(countedAs(tokenHash)));
}

function counted(
  limiter: RateLimiter,
  tokenHash: string,
  credential: Credential,
  limit: RateLimitState,
): CountedCredential {
  return { credential, limit, giveBack: () => limiter.giveBack(countedAs(tokenHash), limit) };
}

const checkCredential = loadScript('check-credential');

async function askAndCount(
  store: CredentialCache,
  { rule }: RateLimiter,
  tokenHash: string,
): Promise<[cached: string | null, points: number, resetMs: number]> {
  const { redis, keys } = store;
  const counter = `${keys.rateLimit(rule.name)}:${countedAs(tokenHash)}`;
  const scriptKeys = [keys.credential(tokenHash), counter];
  const reply = await attempt(store, () => checkCredential(redis, scriptKeys, [String(rule.windowSeconds)]));
  const [cached, points, resetMs]: unknown[] = Array.isArray(reply) ? reply : [];
  return [typeof cached === 'string' ? cached : null, Number(points), Number(resetMs)];
}

/** The hash tag keeps the counter in the slot of the credential. */
function countedAs(tokenHash: string): string {
  return `{${tokenHash}}`;
}

async function loadAndFill(
  store: CredentialCache,
  tokenHash: string,
  load: LoadCredential,
): Promise<Credential | null> {
  const askedAtMs = performance.now();
  const checked = await load();
  const isRecent = performance.now() - askedAtMs < FILL_WITHIN_MS;
  if (checked !== null && isRecent) fill(store, tokenHash, checked);
  return checked?.credential ?? null;
}

/** Undefined if Redis did not respond. Postgres has the truth: without Redis it is asked every time. */
async function attempt<T>(store: CacheStore, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    reconnectIfFrozen(store.redis, error);
    return undefined;
  }
}

/** Not awaited, because the answer does not depend on the cache. NX, so that a tombstone is not overwritten. */
function fill(
  store: CredentialCache,
  tokenHash: string,
  { credential, validForMs }: CheckedCredential,
): void {
  const ttlMs = Math.floor(Math.min(CACHED_MS, validForMs ?? CACHED_MS));
  if (ttlMs <= 0) return;
  store.redis
    .set(
      store.keys.credential(tokenHash),
      writeEntry(store, tokenHash, credential, store.clock.nowMs() + ttlMs),
      'PX',
      ttlMs,
      'NX',
    )
    .catch((error: unknown) => reconnectIfFrozen(store.redis, error));
}

/**
 * Makes every replica refuse these tokens (SHA-256, hex) before it returns. Call it after the commit that revoked them. If
 * Redis is unavailable, it waits until every older cache entry has expired.
 */
export async function forgetCredentials(store: CacheStore, tokenHashes: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(
    tokenHashes.map((hash) => store.redis.set(store.keys.credential(hash), REVOKED, 'PX', REVOKED_MS)),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return;
  reconnectIfFrozen(store.redis, failure.reason);
  await pause(FILL_WITHIN_MS + CACHED_MS);
}

/**
 * An entry is `<json>.<mac>`. The MAC covers the token's hash, the credential with its scopes and addresses, and the expiry, so that nobody
 * with write access to Redis can forge, extend or move an entry.
 */
function writeEntry(
  { macKey }: CredentialCache,
  tokenHash: string,
  credential: Credential,
  expiresAtMs: number,
): string {
  const json = JSON.stringify({ ...credential, expiresAtMs }, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return `${json}.${macOf(macKey, tokenHash, json)}`;
}

/** Null for a missing or expired entry, an invalid MAC, and an entry of another release. */
function readEntry(
  { macKey, clock }: CredentialCache,
  tokenHash: string,
  text: string | null,
): Credential | null {
  const dot = text?.lastIndexOf('.') ?? -1;
  if (text === null || dot < 0) return null;
  const json = text.slice(0, dot);
  if (!equalSecrets(Buffer.from(text.slice(dot + 1)), Buffer.from(macOf(macKey, tokenHash, json))))
    return null;
  const value: unknown = JSON.parse(json);
  if (!isRecord(value) || !(Number(value['expiresAtMs']) > clock.nowMs())) return null;
  return toCredential(value);
}

function macOf(macKey: Buffer, tokenHash: string, json: string): string {
  return createHmac('sha256', macKey).update(`${tokenHash}\n${json}`).digest('base64url');
}

function toCredential(value: Record<string, unknown>): Credential | null {
  if (typeof value['projectId'] !== 'string') return null;
  const projectId = BigInt(value['projectId']);
  const { kind, apiKeyId, accountId, tokenHash, keyPublic } = value;
  if (kind === 'session' && typeof accountId === 'string' && typeof tokenHash === 'string') {
    return { kind, accountId: BigInt(accountId), projectId, tokenHash };
  }
  const limits = toKeyLimits(value);
  if (kind !== 'api_key' || typeof apiKeyId !== 'string' || typeof keyPublic !== 'string' || limits === null)
    return null;
  return { kind, apiKeyId: BigInt(apiKeyId), keyPublic, projectId, ...limits };
}

type KeyLimits = Pick<Extract<Credential, { kind: 'api_key' }>, 'scope' | 'scopes' | 'allowedAddresses'>;

/** What limits a key; null for an entry of a release that did not know all of it. */
function toKeyLimits({ scope, scopes, allowedAddresses }: Record<string, unknown>): KeyLimits | null {
  const isScope = scope === 'full' || scope === 'invoices' || scope === 'custom';
  const known = isTexts(scopes) ? scopeSchema.options.filter((each) => scopes.includes(each)) : null;
  if (!isScope || known === null) return null;
  if (allowedAddresses !== null && !isTexts(allowedAddresses)) return null;
  return { scope, scopes: known, allowedAddresses };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
