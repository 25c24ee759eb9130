import { AppError } from '@paywatch/domain/requests';
import express, { type Request, type Response } from 'express';

const MAX_BODY_BYTES = 64 * 1024;

const parseJson = express.json({
  limit: MAX_BODY_BYTES,
  type: 'application/json',
  // 64 KiB may unpack to a thousand times as much, at the cost of this process.
  inflate: false,
  // JSON that is not an object is parsed, so that the schema reports what is wrong with it.
  strict: false,
});

/**
 * Reads and parses the body; undefined if there is none. Call it after the credentials are checked, so that unauthenticated clients
 * cannot make the process read bodies. Throws AppError `unsupported_media_type`, `payload_too_large` or `malformed_json`.
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  if (!request.is('application/json')) throw new AppError('unsupported_media_type');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  parseJson(request, response, (error?: unknown) => (error ? reject(bodyError(error)) : resolve()));
  await promise;
  return request.body;
}

function hasBody(request: Request): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/** Converts an error of body-parser by its HTTP status. Its message quotes the body and is dropped. */
export function bodyError(error: unknown): AppError {
  const status = error instanceof Error && 'status' in error ? error.status : 500;
  switch (status) {
    case 413:
      return new AppError('payload_too_large');
    case 415:
      return new AppError('unsupported_media_type');
    case 400:
      return new AppError('malformed_json');
    default:
      return new AppError('internal_error', undefined, { internal: error });
  }
}
