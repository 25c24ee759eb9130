import { passwordWeakness } from '@paywatch/runtime/weak-password';
import { invalidField } from '../../invalid-field.ts';

/** Throws AppError `validation_error` for a new password that is easy to guess. */
export function assertStrongPassword(
  field: 'password' | 'new_password',
  password: string,
  email: string,
): void {
  const weakness = passwordWeakness(password, email);
  if (weakness !== null) throw invalidField(`body.${field}`, weakness);
}
