import type { SealedPlace } from '@paywatch/runtime/security';
import type { AnySql } from '../postgres/database.ts';
import type { SealedSecret, SecretSource } from '../sealing/secret-source.ts';
import { endpointSecretPlace } from './webhook-endpoints.ts';

type SecretsRow = {
  id: bigint;
  secret_row: string;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
};

/** The secrets that sign webhooks: the current one of each endpoint, and the previous one while it still signs. */
export const endpointSecrets: SecretSource = async function* (sql: AnySql, batchSize: number) {
  for (let after = -1n; ;) {
    const rows = await sql<SecretsRow[]>`
      select id, coalesce(project_id::text, public_id) as secret_row, secret_sealed, previous_secret_sealed
      from webhook_endpoints where id > ${after} order by id limit ${batchSize}`;
    yield rows.flatMap(toSecrets);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
};

function toSecrets({ id, secret_row: secretRow, ...row }: SecretsRow): SealedSecret[] {
  const endpoint = { id, place: endpointSecretPlace(secretRow) };
  const current = secretOf(endpoint, 'secret_sealed', row.secret_sealed);
  const { previous_secret_sealed: previous } = row;
  return previous === null ? [current] : [current, secretOf(endpoint, 'previous_secret_sealed', previous)];
}

function secretOf(
  { id, place }: { id: bigint; place: SealedPlace },
  column: 'secret_sealed' | 'previous_secret_sealed',
  sealed: Buffer,
): SealedSecret {
  return {
    place,
    sealed,
    store: (sql, resealed) => sql`
      update webhook_endpoints set ${sql(column)} = ${resealed} where id = ${id} and ${sql(column)} = ${sealed}`,
  };
}
