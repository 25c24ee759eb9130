import { AppError } from '@paywatch/domain/requests';
import express, { type Request, type Response } from 'express';

const FILE_TYPE = 'application/octet-stream';
const WRONG_TYPE = `The file must be sent as ${FILE_TYPE}, uncompressed.`;

/**
 * Reads a body that is a file. Call it after the credentials and limits are checked. Throws AppError `unsupported_media_type`,
 * `file_too_large`, or `file_not_supported` if there is none or it ends too early.
 */
export async function readFileBody(request: Request, response: Response, maxBytes: number): Promise<Buffer> {
  if (!request.is(FILE_TYPE)) throw noFile(request);
  // body-parser would read all of it before it reports that.
  if (Number(request.headers['content-length']) > maxBytes) throw new AppError('file_too_large');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parse = express.raw({ limit: maxBytes, type: FILE_TYPE, inflate: false });
  parse(request, response, (error?: unknown) => (error ? reject(fileError(error)) : resolve()));
  await promise;
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) throw new AppError('file_not_supported');
  return body;
}

/** A request without a body has no type either. */
function noFile({ headers }: Request): AppError {
  const isEmpty = headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
  return isEmpty ? new AppError('file_not_supported') : new AppError('unsupported_media_type', WRONG_TYPE);
}

/** Converts an error of body-parser by its HTTP status. */
function fileError(error: unknown): AppError {
  const status = error instanceof Error && 'status' in error ? error.status : 500;
  switch (status) {
    case 413:
      return new AppError('file_too_large');
    case 415:
      return new AppError('unsupported_media_type', WRONG_TYPE);
    case 400:
      return new AppError('file_not_supported');
    default:
      return new AppError('internal_error', undefined, { internal: error });
  }
}
