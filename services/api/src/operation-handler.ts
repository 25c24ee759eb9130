import type { OPERATIONS, OperationId } from '@paywatch/domain/contract';
import type { Credential } from '@paywatch/store/redis';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import type { SessionCaller } from './caller.ts';
import type { RequestContext } from './middleware/request-context.ts';

type Table = typeof OPERATIONS;
type Part<Op, Name extends string> =
  Op extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** `bearer` operations accept sessions only; see authenticate.ts. */
type CallerOf<Auth> = Auth extends 'none' ? null : Auth extends 'bearer' ? SessionCaller : Credential;

/** A request to one operation after all checks, with every part parsed by the contract. */
export type OperationInput<Id extends OperationId> = {
  readonly caller: CallerOf<Table[Id]['auth']>;
  readonly params: Part<Table[Id], 'params'>;
  readonly query: Part<Table[Id], 'query'>;
  readonly headers: Part<Table[Id], 'headers'>;
  readonly body: Part<Table[Id], 'body'>;
  /** The body of an upload. */
  readonly file: Table[Id] extends { upload: object } ? Buffer : undefined;
  readonly context: RequestContext;
};

type ResponseBody<Response> = Response extends { schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;
type Responses<Id extends OperationId> = Table[Id]['responses'];

/** One of the successful responses of the contract. Every other response is a thrown AppError. */
export type OperationResult<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: {
    readonly status: Status;
    readonly body: ResponseBody<Responses<Id>[Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Responses<Id>];

/** Handles one operation. */
export type OperationHandler<Id extends OperationId> = (
  input: OperationInput<Id>,
) => Promise<OperationResult<Id>> | OperationResult<Id>;

/** Handles an operation whose response is streamed, by writing to the response. */
export type StreamHandler<Id extends StreamId | DownloadId> = (
  input: OperationInput<Id>,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void> | void;

/** What the response of an operation serves as a file, and its headers besides those of ranges. */
export type ServedFile = {
  readonly content: Buffer;
  /** Distinguishes this content from any other at the same URL, as HTTP writes it. */
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Handles an operation whose response is a file in memory, which the router sends whole or in part. */
export type FileHandler<Id extends FileId> = (
  input: OperationInput<Id>,
  response: ServerResponse,
) => Promise<ServedFile>;

/** The operations whose response is an event stream. */
type StreamId = 'streamPublicInvoice' | 'streamOverlay' | 'streamControl';
/** The operations whose response is a file that is made while it is sent. */
type DownloadId = 'exportAuditLog' | 'exportInvoices' | 'exportPayments' | 'exportEvents';
/** The operations whose response is a file in memory. */
type FileId = 'getUpload';

/** A handler for every operation of the contract. */
export type OperationHandlers = {
  readonly [Id in Exclude<OperationId, StreamId | DownloadId | FileId>]: OperationHandler<Id>;
};
export type StreamHandlers = { readonly [Id in StreamId]: StreamHandler<Id> };
export type DownloadHandlers = { readonly [Id in DownloadId]: StreamHandler<Id> };
export type FileHandlers = { readonly [Id in FileId]: FileHandler<Id> };
