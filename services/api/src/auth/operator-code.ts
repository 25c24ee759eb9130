import type { AppError } from '@paywatch/domain/requests';
import { equalSecrets, sha256 } from '@paywatch/runtime/security';
import { invalidField } from '../invalid-field.ts';

/**
 * Whether a registration makes its account the operator: only with the operator code of the deployment. Throws a `validation_error` for a
 * wrong code, and for any code if the deployment has none. Takes the same time for every wrong code.
 */
export function claimsOperator(given: string | undefined, expected: string | undefined): boolean {
  if (given === undefined) return false;
  if (expected === undefined || !equalSecrets(sha256(given), sha256(expected))) throw invalidOperatorCode();
  return true;
}

/** The error for a wrong code and for a used one. It is the same, so that nobody learns which codes are right. */
export function invalidOperatorCode(): AppError {
  return invalidField('body.operator_code', 'This code is wrong or was used before.');
}
