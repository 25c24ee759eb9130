import { AppError } from '@paywatch/domain/requests';
import type { Request, Response } from 'express';
import type { ServedFile } from '../operation-handler.ts';

/**
 * Sends a file, or the range of it that the request names: Safari plays no sound from a server without ranges. Answers 304 to a client that has the
 * file. Throws AppError `range_not_satisfiable`.
 */
export function sendFile(request: Request, response: Response, { content, etag, headers }: ServedFile): void {
  response.setHeader('ETag', etag);
  const part = takeRange(request, response, content);
  response.setHeaders(new Map(Object.entries(headers)));
  response.setHeader('Accept-Ranges', 'bytes');
  response.send(part);
}

/** The named part, with status and headers of a part. The whole file where HTTP allows no part, and for several ranges at once. */
function takeRange(request: Request, response: Response, content: Buffer): Buffer {
  const ranges = isRangeRequest(request, response)
    ? request.range(content.length, { combine: true })
    : undefined;
  if (ranges === UNSATISFIABLE && !LAST_BYTES.test(request.headers.range ?? '')) {
    response.setHeader('Content-Range', `bytes */${content.length}`);
    throw new AppError('range_not_satisfiable');
  }
  const [range, ...others] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : [];
  if (range === undefined || others.length > 0) return content;
  const { start, end } = range;
  response.status(206).setHeader('Content-Range', `bytes ${start}-${end}/${content.length}`);
  return content.subarray(start, end + 1);
}

/** Express's result for a range that begins behind the end. */
const UNSATISFIABLE = -1;
/** More last bytes than a file has are the whole file, which range-parser takes for unsatisfiable. */
const LAST_BYTES = /^bytes=-0*[1-9]/;

/** A client that has the file gets 304 instead, and one that has another file gets the whole. */
function isRangeRequest(request: Request, response: Response): boolean {
  const condition = request.headers['if-range'];
  return (
    request.method === 'GET' &&
    !request.fresh &&
    (condition === undefined || condition === response.getHeader('ETag'))
  );
}
