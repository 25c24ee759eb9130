import { scopeSchema, type ProjectRole, type Scope, type ScopeSet } from '@paywatch/domain/contract';
import { pause, type Clock } from '@paywatch/runtime/process';
import { equalSecrets } from '@paywatch/runtime/security';
import { createHmac } from 'node:crypto';
import type { Store } from '../store.ts';
import { reconnectIfFrozen } from './client.ts';
import {
  counterKeys,
  countKey,
  statesAfter,
  type CountedPoints,
  type KeyLimiters,
  type KeyName,
} from './limits/key-limits.ts';
import type { RateLimitState } from './limits/rate-limits.ts';
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
      /** The first project of the account, unless the request names another one. */
      projectId: bigint;
      /** In that project. */
      role: ProjectRole;
      /** SHA-256 of its token, hex. */
      tokenHash: string;
      /** Set for a request that the cookie of the account area authenticated; never cached. */
      isPage?: true;
    };

/** A credential from Postgres and how long it stays valid; null: without end. */
export type CheckedCredential = { credential: Credential; validForMs: number | null };

type CacheStore = Pick<Store, 'redis' | 'keys'>;

/** Where credentials are cached. */
export type CredentialCache = CacheStore & {
  /** A secret of the deployment: entries without a valid MAC are ignored. */
  macKey: Buffer;
  clock: Clock;
  /** The project of each API key that this process has used, by the SHA-256 of its secret (hex). A key never changes its project. */
  projects: Map<string, bigint>;
};

/** Above this number the oldest key is dropped. */
const MAX_KNOWN_KEYS = 100_000;

/** The longest time that a credential is used without asking Postgres. */
const CACHED_MS = 2000;
/** A result of Postgres that took longer than this is not cached. */
const FILL_WITHIN_MS = 500;
/** Longer than any cache fill that started before the revocation can take. */
const REVOKED_MS = 5000;
const REVOKED = 'revoked';

/** Reads from Postgres what a token authorizes; null if nothing (any more). */
type LoadCredential = () => Promise<CheckedCredential | null>;

/**
 * Finds what the session token with this SHA-256 (hex) authorizes: in Redis, otherwise by `load`, which asks Postgres. A revoked
 * token is null on every replica once `forgetCredentials` has returned. Without Redis, `load` is called every time.
 */
export async function resolveSession(
  store: CredentialCache,
  tokenHash: string,
  load: LoadCredential,
): Promise<Credential | null> {
  const cacheKey = store.keys.session(tokenHash);
  const cached = await attempt(store, () => store.redis.get(cacheKey));
  if (cached === REVOKED) return null;
  return readEntry(store, tokenHash, cached ?? null) ?? loadAndFill(store, tokenHash, load);
}

/** An API key and the state of its limits after this request was counted. */
export type CountedCredential = {
  credential: Credential;
  /** Of the project if its limit refuses the request, otherwise of the key. */
  limit: RateLimitState;
  /** Takes the points back, for a request that must not use up the limits of the key. */
  giveBack: () => Promise<void>;
};

/**
 * As `resolveSession`, for the secret of an API key, and counts the request against the limits of the key and its project. One
 * round trip if Redis has the key, and this process has used it before. Unknown secrets are not counted. Without Redis, the
 * limiters' local counters count.
 */
export async function resolveAndCount(
  store: CredentialCache,
  limiters: KeyLimiters,
  tokenHash: string,
  load: LoadCredential,
): Promise<CountedCredential | null> {
  const projectId = store.projects.get(tokenHash);
  const asked = projectId === undefined ? null : await askAndCount(store, limiters, { projectId, tokenHash });
  if (asked?.cached === REVOKED) return null;
  const known = readEntry(store, tokenHash, asked?.cached ?? null);
  const credential = known ?? (await loadAndFill(store, tokenHash, load));
  if (known === null) rememberProject(store, tokenHash, credential);
  if (credential === null) return null;
  const key = { projectId: credential.projectId, tokenHash };
  // The script counts whenever Redis has an entry, also one that this process does not accept, for example an expired one.
  const isCounted = asked !== null && asked.cached !== null;
  const count = isCounted ? statesAfter(limiters, key, asked.points) : await countKey(limiters, key);
  return { credential, ...count };
}

function rememberProject(
  { projects }: CredentialCache,
  tokenHash: string,
  credential: Credential | null,
): void {
  projects.delete(tokenHash);
  if (credential === null) return;
  projects.set(tokenHash, credential.projectId);
  const [oldest] = projects.keys();
  if (projects.size > MAX_KNOWN_KEYS && oldest !== undefined) projects.delete(oldest);
}

const checkCredential = loadScript('check-credential');

async function askAndCount(
  store: CredentialCache,
  limiters: KeyLimiters,
  key: KeyName,
): Promise<{ cached: string | null; points: CountedPoints }> {
  const { redis, keys } = store;
  const scriptKeys = [keys.apiKey(key.projectId, key.tokenHash), ...counterKeys(keys, limiters, key)];
  const rules = [limiters.key.rule, limiters.project.rule];
  const args = rules.flatMap(({ points, windowSeconds }) => [String(windowSeconds), String(points)]);
  const reply = await attempt(store, () => checkCredential(redis, scriptKeys, args));
  const [cached, ...points]: unknown[] = Array.isArray(reply) ? reply : [];
  return { cached: typeof cached === 'string' ? cached : null, points: points.map(Number) };
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

/** Not awaited, because the response does not depend on the cache. NX, so that a tombstone is not overwritten. */
function fill(
  store: CredentialCache,
  tokenHash: string,
  { credential, validForMs }: CheckedCredential,
): void {
  const ttlMs = Math.floor(Math.min(CACHED_MS, validForMs ?? CACHED_MS));
  if (ttlMs <= 0) return;
  const entry = writeEntry(store, tokenHash, credential, store.clock.nowMs() + ttlMs);
  store.redis
    .set(cacheKeyOf(store, tokenHash, credential), entry, 'PX', ttlMs, 'NX')
    .catch((error: unknown) => reconnectIfFrozen(store.redis, error));
}

function cacheKeyOf({ keys }: CacheStore, tokenHash: string, { kind, projectId }: Credential): string {
  return kind === 'session' ? keys.session(tokenHash) : keys.apiKey(projectId, tokenHash);
}

/** What was revoked: sessions by the SHA-256 of their tokens, API keys by that of their secrets (hex). */
export type RevokedCredentials = { sessions?: readonly string[]; apiKeys?: readonly KeyName[] };

/**
 * Makes every replica refuse these credentials before it returns. Call it after the commit that revoked them. If Redis is
 * unavailable, it waits until every older cache entry has expired.
 */
export async function forgetCredentials(
  store: CacheStore,
  { sessions = [], apiKeys = [] }: RevokedCredentials,
): Promise<void> {
  const { redis, keys } = store;
  const cacheKeys = [
    ...sessions.map((tokenHash) => keys.session(tokenHash)),
    ...apiKeys.map(({ projectId, tokenHash }) => keys.apiKey(projectId, tokenHash)),
  ];
  const results = await Promise.allSettled(
    cacheKeys.map((cacheKey) => redis.set(cacheKey, REVOKED, 'PX', REVOKED_MS)),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure === undefined) return;
  reconnectIfFrozen(redis, failure.reason);
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
    return { kind, accountId: BigInt(accountId), projectId, role: 'owner', tokenHash };
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
