import type { SealedPlace } from '@paywatch/runtime/security';
import type { AnySql } from '../postgres/database.ts';

/** A stored secret. `store` replaces it, unless it was changed since it was read. */
export type SealedSecret = {
  place: SealedPlace;
  sealed: Buffer;
  store: (sql: AnySql, sealed: Uint8Array) => Promise<unknown>;
};

/** Yields all secrets of one table, `batchSize` rows at a time. */
export type SecretSource = (sql: AnySql, batchSize: number) => AsyncGenerator<SealedSecret[]>;
