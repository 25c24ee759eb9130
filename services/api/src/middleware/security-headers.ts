import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Headers that make browsers treat answers as the data they are. Donation, invoice and overlay answers may be read
 * by pages of any origin, see public-cors.ts. Answers hold what belongs to one caller at one moment: no cache may keep them unless
 * a route says otherwise.
 */
export function securityHeaders(): RequestHandler {
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The deployment's other names under the same domain are not ours to decide about.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
  headers.set('Cache-Control', 'no-store');
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** What helmet sets with these options is the same for every request: it is asked once. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>();
  const recorder = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(recorder.req, recorder, () => undefined);
  for (const name of recorder.getHeaderNames()) headers.set(name, String(recorder.getHeader(name)));
  return headers;
}
