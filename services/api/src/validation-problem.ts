import { AppError } from '@paywatch/domain/requests';

/** A field that has the right form and is wrong all the same; `path` such as `body.url`. Never quote the value. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('validation_error', undefined, { errors: [{ path, message }] });
}
