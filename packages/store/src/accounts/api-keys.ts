import { SCOPES_OF, type Scope, type ScopeSet } from '@paywatch/domain/contract';
import { writeAudit } from './audit.ts';
import type { Authorize } from './authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { lockProject } from '../projects/lock-project.ts';
import { forgetCredentials } from '../redis/credential-cache.ts';
import type { Store } from '../store.ts';

/** The named set of a key's scopes, `custom` for scopes of its own, and the scopes themselves. */
export type KeyScope = { scope: ScopeSet | 'custom'; scopes: readonly Scope[] };

/** What is fixed when a key is created. */
export type KeyTerms = KeyScope & {
  /** Empty where none was given. */
  name: string;
  expiresAt: Date | null;
  /** CIDR ranges; null: from anywhere. */
  allowedAddresses: readonly string[] | null;
};

/** An API key without its secret. */
export type ApiKey = KeyTerms & {
  keyPublic: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  revokedAt: Date | null;
};

/** What a token is checked against. `secretHash` is the SHA-256 of its secret part. */
export type ApiKeyCheck = KeyScope &
  Pick<KeyTerms, 'allowedAddresses'> & {
    apiKeyId: bigint;
    projectId: bigint;
    secretHash: Buffer;
    /** Milliseconds until it expires; null: it does not. */
    validForMs: number | null;
    isRevoked: boolean;
  };

/** The maximum number of active keys of a project, and of revoked or expired keys that are kept. */
export const MAX_API_KEYS = 100;

/** The terms of a key with a named set of scopes, without a name, an expiry and a restriction of addresses. */
export function simpleKey(scope: ScopeSet): KeyTerms {
  return { scope, scopes: SCOPES_OF[scope], name: '', expiresAt: null, allowedAddresses: null };
}

type NewApiKey = KeyTerms & { projectId: bigint; keyPublic: string; secretHash: Uint8Array };

/** Adds a key to a project and writes the audit log. Null if the project has the maximum number of keys. */
export async function createApiKey(
  store: Store,
  authorize: Authorize,
  key: NewApiKey,
): Promise<ApiKey | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, key.projectId);
    if (!(await makeRoom(tx, key.projectId))) return null;
    const row = await insertKey(tx, key);
    const detail = { key_public: key.keyPublic, scope: key.scope };
    const after = auditedTerms(row);
    await writeAudit(tx, { projectId: key.projectId, action: 'api_key.created', actor, detail, after });
    await queueKeyNotice(tx, key, 'created');
    return row;
  });
}

async function queueKeyNotice(
  tx: TransactionSql,
  { projectId, keyPublic }: { projectId: bigint; keyPublic: string },
  change: 'created' | 'revoked',
): Promise<void> {
  await queueNotice(tx, { projectId }, { kind: 'api_key_changed', data: { change, key: keyPublic } });
}

async function insertKey(tx: TransactionSql, key: NewApiKey): Promise<ApiKey> {
  const { scope, scopes, allowedAddresses } = key;
  const [row] = await tx<Stored<ApiKey>[]>`
    insert into api_keys (project_id, key_public, secret_hash, name, scope, scopes, expires_at, allowed_addresses)
    values (${key.projectId}, ${key.keyPublic}, ${key.secretHash}, ${key.name}, ${scope},
      ${scope === 'custom' ? tx.array([...scopes]) : null}::text[], ${key.expiresAt},
      ${allowedAddresses && tx.array([...allowedAddresses])}::text[])
    returning ${columns(tx)}`;
  if (!row) throw new Error(`API key of project ${key.projectId} was not inserted`);
  return { ...row, scopes: scopesOf(row) };
}

function auditedTerms({ name, scopes, expiresAt, allowedAddresses }: KeyTerms) {
  return {
    name: name === '' ? null : name,
    scopes,
    expires_at: expiresAt?.toISOString() ?? null,
    allowed_addresses: allowedAddresses,
  };
}

/** As Postgres has it: without the scopes of the named sets. */
type Stored<Key extends KeyScope> = Omit<Key, 'scopes'> & { scopes: readonly Scope[] | null };

/** Fills in the scopes of a named set. */
function scopesOf({ scope, scopes }: Stored<KeyScope>): readonly Scope[] {
  return scope === 'custom' ? (scopes ?? []) : SCOPES_OF[scope];
}

/** Deletes the oldest keys that do not work any more. Returns whether another active key fits. */
async function makeRoom(tx: TransactionSql, projectId: bigint): Promise<boolean> {
  await tx`
    delete from api_keys where id in (
      select id from api_keys where project_id = ${projectId} and not ${isActive(tx)}
      order by id desc offset ${MAX_API_KEYS - 1})`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from api_keys where project_id = ${projectId} and ${isActive(tx)}`;
  return (row?.count ?? 0) < MAX_API_KEYS;
}

function isActive(sql: AnySql) {
  return sql`(revoked_at is null and (expires_at is null or expires_at > now()))`;
}

/**
 * Lists the keys of a project, newest first, revoked ones included; `after` is the public part of the last key of the previous
 * page. Null if the project has no such key.
 */
export async function listApiKeys(
  store: Pick<Store, 'sql'>,
  projectId: bigint,
  page: { limit: number; after: string | null },
): Promise<ApiKey[] | null> {
  const { sql } = store;
  const position = page.after === null ? null : await findPosition(store, projectId, page.after);
  if (page.after !== null && position === null) return null;
  const rows = await sql<Stored<ApiKey>[]>`
    select ${columns(sql)} from api_keys
    where project_id = ${projectId} and (${position}::bigint is null or id < ${position})
    order by id desc
    limit ${page.limit}`;
  return rows.map((row) => ({ ...row, scopes: scopesOf(row) }));
}

async function findPosition(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  keyPublic: string,
): Promise<bigint | null> {
  const [row] = await sql<{ id: bigint }[]>`
    select id from api_keys where project_id = ${projectId} and key_public = ${keyPublic}`;
  return row?.id ?? null;
}

/**
 * Revokes a key for good. Once this resolves, no replica accepts it any more. Null if the project has no such key. A repeat
 * keeps the time of the first revocation.
 */
export async function revokeApiKey(
  store: Store,
  authorize: Authorize,
  projectId: bigint,
  keyPublic: string,
): Promise<ApiKey | null> {
  const revoked = await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const [row] = await tx<(Stored<ApiKey> & { secretHash: Buffer; isFirst: boolean })[]>`
      update api_keys k set revoked_at = coalesce(k.revoked_at, now())
      from (
        select id, revoked_at is null as is_first from api_keys
        where project_id = ${projectId} and key_public = ${keyPublic}
        for update
      ) before
      where k.id = before.id
      returning ${columns(tx)}, secret_hash as "secretHash", before.is_first as "isFirst"`;
    if (!row) return null;
    const key = { ...row, scopes: scopesOf(row) };
    if (!row.isFirst) return key;
    const detail = { key_public: keyPublic };
    const before = auditedTerms(key);
    await writeAudit(tx, { projectId, action: 'api_key.revoked', actor, detail, before });
    await queueKeyNotice(tx, { projectId, keyPublic }, 'revoked');
    return key;
  });
  if (revoked === null) return null;
  // Also for a key that was revoked before: that call may have died between its commit and this line.
  await forgetCredentials(store, { apiKeys: [{ projectId, tokenHash: revoked.secretHash.toString('hex') }] });
  const { secretHash: _, isFirst: __, ...key } = revoked;
  return key;
}

/** What a token with this public part is checked against; null if unknown. */
export async function findApiKey(
  { sql }: Pick<Store, 'sql'>,
  keyPublic: string,
): Promise<ApiKeyCheck | null> {
  const [row] = await sql<Stored<ApiKeyCheck>[]>`
    select id as "apiKeyId", project_id as "projectId", scope, scopes, secret_hash as "secretHash",
      allowed_addresses as "allowedAddresses", revoked_at is not null as "isRevoked",
      (extract(epoch from expires_at - now()) * 1000)::float8 as "validForMs"
    from api_keys where key_public = ${keyPublic}`;
  return row ? { ...row, scopes: scopesOf(row) } : null;
}

/** Updates the time and the address of the last use, at most once a minute. */
export async function touchApiKey(
  { sql }: Pick<Store, 'sql'>,
  apiKeyId: bigint,
  ip: string | null,
): Promise<void> {
  await sql`
    update api_keys set last_used_at = now(), last_used_ip = ${ip}::text::inet
    where id = ${apiKeyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
}

function columns(sql: AnySql) {
  return sql`key_public as "keyPublic", name, scope, scopes, expires_at as "expiresAt",
    allowed_addresses as "allowedAddresses", created_at as "createdAt", last_used_at as "lastUsedAt",
    host(last_used_ip) as "lastUsedIp", revoked_at as "revokedAt"`;
}
