import type { FactorProofBody } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import type { Clock } from '@paywatch/runtime/process';
import { SealingError, type Sealer } from '@paywatch/runtime/security';
import {
  factorSecretPlace,
  readFactorSecrets,
  readLoginOrigin,
  type FactorProof,
  type FactorSecret,
} from '@paywatch/store/accounts';
import { limitFailedAttempts, loginKey } from '../auth/login-limit.ts';
import type { Dependencies } from '../dependencies.ts';
import { passkeyProof } from '../passkeys/check-passkey.ts';
import { isAppCode, recoveryCodeHash, stepOfCode } from './authenticator.ts';

/**
 * What a code or a passkey proves, to be used up in the store. Null if the passkey is wrong. `challenge`: what the passkey answers,
 * already known to be the account's.
 */
export async function proofOf(
  dependencies: Dependencies,
  { code = '', passkey }: FactorProofBody,
  { accountId, challenge }: { accountId: bigint; challenge: string },
): Promise<FactorProof | null> {
  if (passkey !== undefined) return passkeyProof(dependencies, passkey, { accountId, challenge });
  return codeProof(dependencies, accountId, code);
}

/** The error for a wrong code or a wrong passkey. */
export function wrongProof({ passkey }: FactorProofBody): AppError {
  return new AppError(passkey === undefined ? 'invalid_code' : 'invalid_passkey');
}

/** The time step of an app, otherwise a recovery code, which may be unknown. */
async function codeProof(
  { store, sealer, clock }: Dependencies,
  accountId: bigint,
  code: string,
): Promise<FactorProof> {
  // A recovery code works even if no secret can be decrypted.
  const factors = isAppCode(code) ? await readFactorSecrets(store, accountId) : [];
  const totp = totpProof({ sealer, clock }, factors, code);
  return totp ?? { kind: 'recovery_code', codeHash: recoveryCodeHash(code) };
}

/**
 * The factor whose code this is; null if it is wrong. A factor that cannot be decrypted is passed over, and the code counts as wrong:
 * guesses for the others must stay limited. Throws SealingError if none can be decrypted.
 */
function totpProof(
  dependencies: { sealer: Sealer; clock: Clock },
  factors: readonly FactorSecret[],
  code: string,
): FactorProof | null {
  const unreadable: SealingError[] = [];
  for (const factor of factors) {
    try {
      const step = stepOfFactor(dependencies, factor, code);
      if (step !== null) return { kind: 'totp', factorId: factor.factorId, step };
    } catch (error) {
      if (!(error instanceof SealingError)) throw error;
      unreadable.push(error);
    }
  }
  if (unreadable[0] !== undefined && unreadable.length === factors.length) throw unreadable[0];
  return null;
}

/** The time step of a factor's code; null if it is wrong. */
export function stepOfFactor(
  { sealer, clock }: { sealer: Sealer; clock: Clock },
  { publicId, secretSealed }: FactorSecret,
  code: string,
): number | null {
  return stepOfCode(sealer.open(secretSealed, factorSecretPlace(publicId)), code, clock.nowMs());
}

/**
 * Runs a check of a code, and counts it if the code is wrong. A network that the owner has logged in from has its own count, so that a
 * stranger with the password or a session does not lock the owner out. Throws AppError `rate_limited`.
 */
export async function limitWrongCodes<Result>(
  { store, limiters }: Dependencies,
  { accountId, network }: { accountId: bigint; network: string },
  attempt: () => Promise<Result | null>,
): Promise<Result | null> {
  const { isKnownOrigin, unlocks } = await readLoginOrigin(store, accountId, network);
  const knownOrigin = isKnownOrigin ? network : null;
  const key = loginKey(`second-factor:${accountId}`, { knownOrigin, unlocks });
  return limitFailedAttempts(limiters, key, attempt);
}
