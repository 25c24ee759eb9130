import type { ErrorCode, OperationId } from '@paywatch/domain/contract';
import { randomToken } from '@paywatch/runtime/security';
import type { Credential } from '@paywatch/store/redis';
import type { RequestHandler } from 'express';
import type { ApiConfig } from '../config.ts';
import { clientOf } from '../limits/client-network.ts';
import { isFromAccountPage } from './same-origin.ts';

/** What the middleware finds out about a request. */
export type RequestContext = {
  /** Returned in X-Request-Id and in every problem, and logged. */
  readonly id: string;
  /** The address of the client, for the audit log and the addresses of API keys; null if unknown. */
  readonly address: string | null;
  /** The IPv4 address or IPv6 /64 of the client. */
  readonly network: string;
  /** At most 256 characters; null if the client sent none. */
  readonly userAgent: string | null;
  /** Whether a page of the account area of this deployment sent it. */
  readonly isPage: boolean;
  /** The cookies that such a page sent, for its session only; null for other requests. Never logged. */
  readonly pageCookies: string | null;
  operation: OperationId | null;
  /** The path pattern of a requested page; null for other requests. */
  page: string | null;
  caller: Credential | null;
  /** The error code of the response, if the request failed. */
  errorCode: ErrorCode | null;
};

declare module 'express-serve-static-core' {
  interface Request {
    context: RequestContext;
  }
}

/** Long enough to be unique, short enough for a log, and safe in a header. */
const VALID_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Names the browser and its system. The rest of a longer one is cut off, so that a session stays small. */
const MAX_USER_AGENT = 256;

/** Adds the context to every request. A valid X-Request-Id of the caller is kept, so that its logs can be joined with ours. */
export function requestContext({
  trustedProxies,
  publicUrl,
}: Pick<ApiConfig, 'trustedProxies' | 'publicUrl'>): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && VALID_ID.test(given) ? given : `req_${randomToken(12)}`;
    const client = clientOf(request, trustedProxies);
    const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null;
    const isPage = isFromAccountPage(request.headers, publicUrl);
    request.context = {
      id,
      ...client,
      userAgent,
      isPage,
      pageCookies: isPage ? (request.headers.cookie ?? null) : null,
      operation: null,
      page: null,
      caller: null,
      errorCode: null,
    };
    response.setHeader('X-Request-Id', id);
    next();
  };
}
