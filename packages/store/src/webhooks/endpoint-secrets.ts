import { SealingError, type SealedPlace, type Sealer } from '@paywatch/runtime/security';
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
  endpointId: bigint;
  place: SealedPlace;
  column: 'secret_sealed' | 'previous_secret_sealed';
  sealed: Buffer;
};

/** Yields every sealed secret, `batchSize` endpoints at a time. */
async function* readSecrets(sql: AnySql, batchSize: number): AsyncGenerator<SealedSecret[]> {
  for (let after = -1n; ;) {
    const rows = await sql<SecretsRow[]>`
      select id, coalesce(project_id::text, public_id) as secret_row, secret_sealed, previous_secret_sealed
      from webhook_endpoints where id > ${after} order by id limit ${batchSize}`;
    yield rows.flatMap(toSecrets);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

type SecretsRow = {
  id: bigint;
  secret_row: string;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
};

function toSecrets({ id: endpointId, secret_row: secretRow, ...row }: SecretsRow): SealedSecret[] {
  const endpoint = { endpointId, place: endpointSecretPlace(secretRow) };
  const current = { ...endpoint, column: 'secret_sealed', sealed: row.secret_sealed } as const;
  const { previous_secret_sealed: sealed } = row;
  return sealed === null ? [current] : [current, { ...endpoint, column: 'previous_secret_sealed', sealed }];
}

async function resealSecret(
  sql: AnySql,
  sealer: Sealer,
  secret: SealedSecret,
  progress: ResealProgress,
): Promise<void> {
  const { endpointId, place, column, sealed } = secret;
  if (sealer.isCurrent(sealed)) return;
  const plain = tryOpen(sealer, secret);
  if (plain === null) {
    progress.unreadable += 1;
    return;
  }
  // Compared with what was read, so that a secret that was replaced meanwhile is not overwritten.
  await sql`update webhook_endpoints set ${sql(column)} = ${sealer.seal(plain, place)}
            where id = ${endpointId} and ${sql(column)} = ${sealed}`;
  progress.resealed += 1;
}

function tryOpen(sealer: Sealer, { place, sealed }: SealedSecret): string | null {
  try {
    return sealer.open(sealed, place);
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}
