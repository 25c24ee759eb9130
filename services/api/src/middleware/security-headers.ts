import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Headers that make browsers treat answers as the data they are. Donation, invoice and overlay answers may be read
 * by pages of any origin, see public-cors.ts.
 */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The deployment's other names under the same domain are not ours to decide about.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
}

/** Answers hold what belongs to one caller at one moment: no cache may keep them unless a route says otherwise. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
