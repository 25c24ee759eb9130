import { AppError } from '@paywatch/domain/requests';

/** Returns a `validation_error` for one field, such as `body.url`. The message must not quote the value. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('validation_error', undefined, { errors: [{ path, message }] });
}
