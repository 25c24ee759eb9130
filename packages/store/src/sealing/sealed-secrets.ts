import { SealingError, type Sealer } from '@paywatch/runtime/security';
import { factorSecrets } from '../accounts/second-factors/factor-secrets.ts';
import type { Store } from '../store.ts';
import { endpointSecrets } from '../webhooks/endpoint-secrets.ts';
import type { SealedSecret, SecretSource } from './secret-source.ts';

/** Every table that holds sealed secrets. */
const SOURCES: readonly SecretSource[] = [endpointSecrets, factorSecrets];

/** Number of secrets processed so far. */
export type ResealProgress = { resealed: number; unreadable: number };

/**
 * Seals every stored secret again with the newest key, bound to its row, `batchSize` rows at a time, while all services run. Safe to
 * repeat and to interrupt. `unreadable` counts secrets whose key is missing; these are left unchanged. `onProgress` is called
 * after each batch.
 */
export async function resealSecrets(
  { sql }: Pick<Store, 'sql'>,
  sealer: Sealer,
  batchSize = 100,
  onProgress: (progress: ResealProgress) => void = () => {},
): Promise<ResealProgress> {
  const progress = { resealed: 0, unreadable: 0 };
  for (const source of SOURCES) {
    for await (const secrets of source(sql, batchSize)) {
      for (const secret of secrets) await reseal(sql, sealer, secret, progress);
      onProgress({ ...progress });
    }
  }
  return progress;
}

async function reseal(
  sql: Store['sql'],
  sealer: Sealer,
  { place, sealed, store }: SealedSecret,
  progress: ResealProgress,
): Promise<void> {
  if (sealer.isCurrent(sealed)) return;
  const plain = tryOpen(sealer, { place, sealed });
  if (plain === null) {
    progress.unreadable += 1;
    return;
  }
  await store(sql, sealer.seal(plain, place));
  progress.resealed += 1;
}

/**
 * Counts of secrets: sealed with the newest key for their row; sealed with an older available key or for no row; not decryptable.
 */
export type SecretSurvey = { current: number; outdated: number; unreadable: number };

/** Decrypts every stored secret to count them. Keeps no secret and changes nothing. */
export async function surveySecrets({ sql }: Pick<Store, 'sql'>, sealer: Sealer): Promise<SecretSurvey> {
  const survey = { current: 0, outdated: 0, unreadable: 0 };
  for (const source of SOURCES) {
    for await (const secrets of source(sql, 100)) {
      for (const secret of secrets) survey[judge(sealer, secret)] += 1;
    }
  }
  return survey;
}

function judge(sealer: Sealer, secret: SealedSecret): keyof SecretSurvey {
  if (tryOpen(sealer, secret) === null) return 'unreadable';
  return sealer.isCurrent(secret.sealed) ? 'current' : 'outdated';
}

function tryOpen(sealer: Sealer, { place, sealed }: Pick<SealedSecret, 'place' | 'sealed'>): string | null {
  try {
    return sealer.open(sealed, place);
  } catch (error) {
    if (error instanceof SealingError) return null;
    throw error;
  }
}
