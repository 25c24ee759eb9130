import { SealingError, type Sealer } from '@paywatch/runtime/security';
import type { AnySql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { endpointSecretPlace } from './webhook-endpoints.ts';

/** Number of secrets processed so far. */
export type ResealProgress = { resealed: number; unreadable: number };

/**
 * Seals every secret again with the newest key, bound to its endpoint, `batchSize` endpoints at a time, while all services run.
 * Safe to repeat and to interrupt. `unreadable` counts secrets whose key is missing; these are left unchanged. `onProgress` is
 * called after each batch.
 */
export async function resealEndpoints(
  { sql }: Pick<Store, 'sql'>,
  sealer: Sealer,
  batchSize = 100,
  onProgress: (progress: ResealProgress) => void = () => {},
): Promise<ResealProgress> {
  const progress = { resealed: 0, unreadable: 0 };
  for await (const secrets of readSecrets(sql, batchSize)) {
    for (const secret of secrets) await resealSecret(sql, sealer, secret, progress);
    onProgress({ ...progress });
  }
  return progress;
}

/**
 * Counts of secrets: sealed with the newest key for their endpoint; sealed with an older available key or for no endpoint; not
 * decryptable.
 */
export type SecretSurvey = { current: number; outdated: number; unreadable: number };

/** Decrypts every secret to count them. Keeps no secret and changes nothing. */
export async function surveyEndpointSecrets(
  { sql }: Pick<Store, 'sql'>,
  sealer: Sealer,
): Promise<SecretSurvey> {
  const survey = { current: 0, outdated: 0, unreadable: 0 };
  for await (const secrets of readSecrets(sql, 100)) {
    for (const secret of secrets) survey[judge(sealer, secret)] += 1;
  }
  return survey;
}

function judge(sealer: Sealer, secret: SealedSecret): keyof SecretSurvey {
  if (tryOpen(sealer, secret) === null) return 'unreadable';
  return sealer.isCurrent(secret.sealed) ? 'current' : 'outdated';
}

type SealedSecret = {
  projectId: bigint;
  column: 'secret_sealed' | 'previous_secret_sealed';
  sealed: Buffer;
};

/** Yields every sealed secret, `batchSize` endpoints at a time. */
async function* readSecrets(sql: AnySql, batchSize: number): AsyncGenerator<SealedSecret[]> {
  for (let after = -1n; ;) {
    const rows = await sql<SecretsRow[]>`
      select project_id, secret_sealed, previous_secret_sealed from webhook_endpoints
      where project_id > ${after} order by project_id limit ${batchSize}`;
    yield rows.flatMap(toSecrets);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.project_id;
  }
}

type SecretsRow = { project_id: bigint; secret_sealed: Buffer; previous_secret_sealed: Buffer | null };

function toSecrets({ project_id: projectId, ...row }: SecretsRow): SealedSecret[] {
  const current = { projectId, column: 'secret_sealed', sealed: row.secret_sealed } as const;
  const { previous_secret_sealed: sealed } = row;
  return sealed === null ? [current] : [current, { projectId, column: 'previous_secret_sealed', sealed }];
}

async function resealSecret(
  sql: AnySql,
  sealer: Sealer,
  secret: SealedSecret,
  progress: ResealProgress,
): Promise<void> {
  const { projectId, column, sealed } = secret;
  if (sealer.isCurrent(sealed)) return;
  const plain = tryOpen(sealer, secret);
  if (plain === null) {
    progress.unreadable += 1;
    return;
  }
  // Compared with what was read, so that a secret that was replaced meanwhile is not overwritten.
  await sql`update webhook_endpoints set ${sql(column)} = ${sealer.seal(plain, endpointSecretPlace(projectId))}
            where project_id = ${projectId} and ${sql(column)} = ${sealed}`;
  progress.resealed += 1;
}

function tryOpen(sealer: Sealer, { projectId, sealed }: SealedSecret): string | null {
  try {
    return sealer.open(sealed, endpointSecretPlace(projectId));
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}
