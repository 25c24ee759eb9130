import type { RequestHandler } from 'express';

/** While the process ends, asks callers to open their next connection elsewhere. */
export function closeConnections(closing: AbortSignal): RequestHandler {
  return (_request, response, next) => {
    if (closing.aborted) response.setHeader('Connection', 'close');
    next();
  };
}
