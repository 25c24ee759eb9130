import type { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import type { Scope } from '../fields/primitives.ts';
import type { ProjectRole } from '../fields/project-roles.ts';

/** The limits that requests are counted against; their numbers are set by environment. */
export type RateLimitName =
  | 'register'
  | 'login'
  | 'password_change'
  | 'mail_link'
  | 'account'
  | 'project_change'
  | 'redelivery'
  | 'upload'
  | 'export'
  | 'donation_creation'
  | 'api_key'
  | 'public_read'
  | 'stream';

/** Headers that a response may have in addition to those of its kind (Retry-After, RateLimit, Allow). */
export type ResponseHeaderName = 'Idempotent-Replayed' | 'Idempotency-Mismatch';

/** The sections of the reference. */
export type OperationTag =
  | 'Account'
  | 'Project'
  | 'API keys'
  | 'Wallets'
  | 'Webhooks'
  | 'Events'
  | 'Invoices'
  | 'Payment links'
  | 'Operator'
  | 'Statistics'
  | 'Public'
  | 'Streams';

/** One successful response. With neither a schema nor files it has no body. */
export interface OperationResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** The media types of a download, which is streamed. */
  readonly files?: readonly string[];
  /** Whether these are not text. */
  readonly isBinary?: true;
  readonly headers?: readonly ResponseHeaderName[];
}

/** One message of an event stream: the name on its `event:` line and the JSON on its `data:` line. */
export interface StreamMessage {
  readonly event: string;
  readonly data: z.ZodType;
}

/** Who may call an operation: anybody, or a person with a role. A protected one does not compile without a role. */
type Access =
  | { readonly auth: 'none'; readonly role?: never }
  | {
      /** `key` operations take an API key or a session; `bearer` ones a session only. */
      readonly auth: 'bearer' | 'key';
      /**
       * The least role in the project that a session needs; `account`: it concerns the caller's own account, no project; `operator`: only
       * operators of the deployment may call it.
       */
      readonly role: ProjectRole | 'account' | 'operator';
    };

/** One operation of the API: how it is called, what it takes, what it returns. */
export type Operation = Access & OperationParts;

interface OperationParts {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With parameters in braces: `/v1/invoices/{publicId}`. */
  readonly path: `/v1/${string}`;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description?: string;
  /** The scope that an API key needs; present exactly on `key` operations. */
  readonly scope?: Scope;
  /** A browser may send it for a page of this deployment alone: no other site can make its visitors do so. */
  readonly isSameOriginOnly?: true;
  /** At least one: nothing that can be asked for can be asked for without end. */
  readonly rateLimits: readonly [RateLimitName, ...RateLimitName[]];
  readonly params?: z.ZodObject;
  /** The error for a malformed path parameter, where it is the same as for an unknown one. */
  readonly unknownParam?: ErrorCode;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is a file, sent as application/octet-stream, with at most so many bytes. */
  readonly upload?: { readonly maxBytes: number };
  /** True where every field of the body may be left out, and the body with them. */
  readonly bodyIsOptional?: true;
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Present where the 200 response is a text/event-stream. */
  readonly stream?: StreamMessage;
  /** The codes of its own; see errorCodesOf for those that follow from the rest. */
  readonly errors: readonly ErrorCode[];
}
