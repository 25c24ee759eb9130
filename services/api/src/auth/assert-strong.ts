import { passwordWeakness } from '@paywatch/runtime/weak-password';
import { invalidField } from '../validation-problem.ts';

/** Throws AppError `validation_error` for a new password that an attacker would try among the first. */
export function assertStrong(field: 'password' | 'new_password', password: string, email: string): void {
  const weakness = passwordWeakness(password, email);
  if (weakness !== null) throw invalidField(`body.${field}`, weakness);
}
