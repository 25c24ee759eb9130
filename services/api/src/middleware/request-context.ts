import type { OperationId } from '@paywatch/domain/contract';
import { randomToken } from '@paywatch/runtime/security';
import type { Credential } from '@paywatch/store/redis';
import type { RequestHandler } from 'express';
import type { ErrorCode } from '@paywatch/domain/contract';
import { clientNetwork, type TrustedProxies } from './client-network.ts';

/** What is known of a request beyond its bytes; filled on its way through the middleware. */
export type RequestContext = {
  /** Answered in X-Request-Id and in every problem, and found in the log. */
  readonly id: string;
  /** The IPv4 address or IPv6 /64 it comes from. */
  readonly network: string;
  operation: OperationId | null;
  /** The path pattern of the page that was asked for; null for everything that is no page. */
  page: string | null;
  caller: Credential | null;
  /** The code that it was answered with, if it failed. */
  errorCode: ErrorCode | null;
};

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** Long enough to be unique, short enough for a log, and nothing that a log or a header could stumble over. */
const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Gives every request its context. A sane X-Request-Id of the caller is kept, so that traces can be joined. */
export function requestContext(trustedProxies: TrustedProxies): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && ACCEPTABLE_ID.test(given) ? given : `req_${randomToken(12)}`;
    const network = clientNetwork(request, trustedProxies);
    request.context = { id, network, operation: null, page: null, caller: null, errorCode: null };
    response.setHeader('X-Request-Id', id);
    next();
  };
}
