import type { Scope } from '@paywatch/domain/contract';
import { writeAudit } from './audit.ts';
import type { Authorize } from './authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { lockProject } from '../projects/lock-project.ts';
import { forgetCredentials } from '../redis/credential-cache.ts';
import type { Store } from '../store.ts';

/** An API key without its secret. */
export type ApiKey = {
  keyPublic: string;
  scope: Scope;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

/** What a token is checked against. `secretHash` is the SHA-256 of its secret part. */
export type ApiKeyCheck = {
  apiKeyId: bigint;
  projectId: bigint;
  scope: Scope;
  secretHash: Buffer;
  isRevoked: boolean;
};

/** The maximum number of active keys of a project, and of revoked keys that are kept. */
export const MAX_API_KEYS = 100;

/** Adds a key to a project and writes the audit log. Null if the project has the maximum number of keys. */
export async function createApiKey(
  store: Store,
  authorize: Authorize,
  key: { projectId: bigint; keyPublic: string; secretHash: Uint8Array; scope: Scope },
): Promise<ApiKey | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, key.projectId);
    if (!(await makeRoom(tx, key.projectId))) return null;
    const [row] = await tx<ApiKey[]>`
      insert into api_keys (project_id, key_public, secret_hash, scope)
      values (${key.projectId}, ${key.keyPublic}, ${key.secretHash}, ${key.scope})
      returning ${columns(tx)}`;
    if (!row) throw new Error('an insert without a condition returns its row');
    const detail = { key_public: key.keyPublic, scope: key.scope };
    await writeAudit(tx, { projectId: key.projectId, action: 'api_key.created', actor, detail });
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

/** Deletes the oldest revoked keys. Returns whether another active key fits. */
async function makeRoom(tx: TransactionSql, projectId: bigint): Promise<boolean> {
  await tx`
    delete from api_keys where id in (
      select id from api_keys where project_id = ${projectId} and revoked_at is not null
      order by id desc offset ${MAX_API_KEYS - 1})`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from api_keys where project_id = ${projectId} and revoked_at is null`;
  return (row?.count ?? 0) < MAX_API_KEYS;
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
  return sql<ApiKey[]>`
    select ${columns(sql)} from api_keys
    where project_id = ${projectId} and (${position}::bigint is null or id < ${position})
    order by id desc
    limit ${page.limit}`;
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
    const [row] = await tx<(ApiKey & { secretHash: Buffer; isFirst: boolean })[]>`
      update api_keys k set revoked_at = coalesce(k.revoked_at, now())
      from (
        select id, revoked_at is null as is_first from api_keys
        where project_id = ${projectId} and key_public = ${keyPublic}
        for update
      ) before
      where k.id = before.id
      returning ${columns(tx)}, secret_hash as "secretHash", before.is_first as "isFirst"`;
    if (!row) return null;
    const detail = { key_public: keyPublic };
    if (row.isFirst) {
      await writeAudit(tx, { projectId, action: 'api_key.revoked', actor, detail });
      await queueKeyNotice(tx, { projectId, keyPublic }, 'revoked');
    }
    return row;
  });
  if (revoked === null) return null;
  // Also for a key that was revoked before: that call may have died between its commit and this line.
  await forgetCredentials(store, [revoked.secretHash.toString('hex')]);
  const { secretHash: _, isFirst: __, ...key } = revoked;
  return key;
}

/** What a token with this public part is checked against; null if unknown. */
export async function findApiKey(
  { sql }: Pick<Store, 'sql'>,
  keyPublic: string,
): Promise<ApiKeyCheck | null> {
  const [row] = await sql<ApiKeyCheck[]>`
    select id as "apiKeyId", project_id as "projectId", scope, secret_hash as "secretHash",
      revoked_at is not null as "isRevoked"
    from api_keys where key_public = ${keyPublic}`;
  return row ?? null;
}

/** Updates the time of the last use, at most once a minute. */
export async function touchApiKey({ sql }: Pick<Store, 'sql'>, apiKeyId: bigint): Promise<void> {
  await sql`
    update api_keys set last_used_at = now()
    where id = ${apiKeyId} and (last_used_at is null or last_used_at < now() - interval '1 minute')`;
}

function columns(sql: AnySql) {
  return sql`key_public as "keyPublic", scope, created_at as "createdAt", last_used_at as "lastUsedAt",
    revoked_at as "revokedAt"`;
}
