import { pause } from '@paywatch/runtime/process';
import { randomToken } from '@paywatch/runtime/security';
import { OperatorExistsError, registerAccount } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { claimsOperator, invalidOperatorCode } from './operator-code.ts';
import { assertStrongPassword } from './password/strong-password.ts';

/** Responses are delayed to a multiple of this time, so that their timing does not show whether the email has an account. */
const RESPONSE_GRID_MS = 250;

/**
 * Creates an account with a project and a trial. If the email has an account already, nothing changes and no difference shows: the password
 * is hashed, a mail is queued and the response is sent at the same moment as for a new account. The first account that registers with the
 * operator code becomes the operator.
 */
export function register({ store, passwords, config }: Dependencies): OperationHandler<'register'> {
  return async ({ body, context: { network, address } }) => {
    const { email, password, language, operator_code: code } = body;
    const isOperator = claimsOperator(code, config.env.OPERATOR_CODE);
    assertStrongPassword('password', password, email);
    const startedAtMs = performance.now();
    const passwordHash = await passwords.hash(password, network);
    await registerAccount(store, {
      email,
      passwordHash,
      language,
      donateToken: randomToken(16),
      overlayToken: randomToken(16),
      trialDays: config.env.TRIAL_DAYS,
      ip: address,
      isOperator,
    }).catch((error: unknown) => {
      throw error instanceof OperatorExistsError ? invalidOperatorCode() : error;
    });
    const elapsedMs = performance.now() - startedAtMs;
    await pause(Math.ceil(elapsedMs / RESPONSE_GRID_MS) * RESPONSE_GRID_MS - elapsedMs);
    return { status: 201, body: { ok: true } };
  };
}
