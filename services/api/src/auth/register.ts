import type { RegisterBody } from '@paywatch/domain/contract';
import { pause } from '@paywatch/runtime/process';
import { randomToken } from '@paywatch/runtime/security';
import { registerAccount } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { assertStrong } from './assert-strong.ts';

/** Answers leave on multiples of this after the request came, so that their time tells nothing of what was done. */
const ANSWER_GRID_MS = 250;

/**
 * Creates the account, its project and a trial. An email that has an account changes nothing, and nobody can tell: the
 * password is hashed all the same, something is written all the same, and the answer leaves at the same moment.
 * Throws AppError `validation_error` for a password that is weak for this email.
 */
export async function register(
  dependencies: Dependencies,
  { email, password }: RegisterBody,
  network: string,
): Promise<void> {
  const { store, passwords, config } = dependencies;
  assertStrong('password', password, email);
  const startedAtMs = performance.now();
  const passwordHash = await passwords.hash(password, network);
  await registerAccount(store, {
    email,
    passwordHash,
    donateToken: randomToken(16),
    overlayToken: randomToken(16),
    trialDays: config.env.TRIAL_DAYS,
  });
  const elapsedMs = performance.now() - startedAtMs;
  await pause(Math.ceil(elapsedMs / ANSWER_GRID_MS) * ANSWER_GRID_MS - elapsedMs);
}
