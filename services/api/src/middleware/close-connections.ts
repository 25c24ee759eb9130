import type { RequestHandler } from 'express';

/** During a shutdown, closes each connection after its response, so that clients connect to another replica. */
export function closeConnections(closing: AbortSignal): RequestHandler {
  return (_request, response, next) => {
    if (closing.aborted) response.setHeader('Connection', 'close');
    next();
  };
}
