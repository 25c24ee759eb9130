import type { Clock } from '@paywatch/runtime/process';
import type { Sealer } from '@paywatch/runtime/security';
import {
  factorSecretPlace,
  readFactorSecrets,
  type FactorProof,
  type FactorSecret,
} from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { isAppCode, recoveryCodeHash, stepOfCode } from './authenticator.ts';

/** What the code proves, to be used up in the store: the time step of a factor, otherwise a recovery code, which may be unknown. */
export async function proofOf(
  { store, sealer, clock }: Dependencies,
  accountId: bigint,
  code: string,
): Promise<FactorProof> {
  // A recovery code works even if no secret can be decrypted.
  const factors = isAppCode(code) ? await readFactorSecrets(store, accountId) : [];
  for (const factor of factors) {
    const step = stepOfFactor({ sealer, clock }, factor, code);
    if (step !== null) return { kind: 'totp', factorId: factor.factorId, step };
  }
  return { kind: 'recovery_code', codeHash: recoveryCodeHash(code) };
}

/** The time step of a factor's code; null if it is wrong. */
export function stepOfFactor(
  { sealer, clock }: { sealer: Sealer; clock: Clock },
  { publicId, secretSealed }: FactorSecret,
  code: string,
): number | null {
  return stepOfCode(sealer.open(secretSealed, factorSecretPlace(publicId)), code, clock.nowMs());
}

/** The key under which wrong codes of an account count. */
export function codeKey(accountId: bigint): string {
  return `second-factor:${accountId}`;
}
