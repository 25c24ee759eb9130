import type { RequestHandler } from 'express';

const READABLE = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/**
 * Lets pages of any origin read public resources, because merchants embed overlays and payment views in their own sites. Credentials are
 * not allowed, so an open origin reveals nothing. Such pages cannot start donations: see same-origin.ts.
 */
export const publicCors: RequestHandler = (request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', READABLE);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
    next();
    return;
  }
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Last-Event-ID, X-Request-Id');
  response.setHeader('Access-Control-Max-Age', '86400');
  response.status(204).end();
};
