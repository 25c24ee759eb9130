import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Makes browsers treat responses as data, and forbids caches to store them unless a route allows it: a response belongs to one caller and
 * one moment. Pages of any origin may read the public ones, see public-cors.ts.
 */
export function securityHeaders(): RequestHandler {
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Other services under the same domain decide for themselves.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  headers.set('Cache-Control', 'no-store');
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** Runs helmet once: with these options it sets the same headers for every request. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>();
  const recorder = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(recorder.req, recorder, () => undefined);
  for (const name of recorder.getHeaderNames()) headers.set(name, String(recorder.getHeader(name)));
  return headers;
}
