import type { AnySql } from '../../postgres/database.ts';
import type { SealedSecret, SecretSource } from '../../sealing/secret-source.ts';
import { factorSecretPlace, type FactorSecret } from './factors.ts';

/** The shared keys of all authenticator apps. */
export const factorSecrets: SecretSource = async function* (sql: AnySql, batchSize: number) {
  for (let after = -1n; ;) {
    const rows = await sql<FactorSecret[]>`
      select id as "factorId", public_id as "publicId", secret_sealed as "secretSealed" from second_factors
      where id > ${after} and kind = 'totp' order by id limit ${batchSize}`;
    yield rows.map(toSecret);
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.factorId;
  }
};

function toSecret({ factorId, publicId, secretSealed }: FactorSecret): SealedSecret {
  return {
    place: factorSecretPlace(publicId),
    sealed: secretSealed,
    store: (sql, resealed) => sql`
      update second_factors set secret_sealed = ${resealed}
      where id = ${factorId} and secret_sealed = ${secretSealed}`,
  };
}
