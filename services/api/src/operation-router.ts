import { AppError, parseBody, parseHeaders, parseParams, parseQuery } from '@paywatch/domain';
import { OPERATIONS, type Operation, type OperationId, type RateLimitName } from '@paywatch/domain/contract';
import type { Credential } from '@paywatch/store';
import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import type { LimitName } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { assertAllowed, rateLimitFields } from './limiters.ts';
import { authenticate } from './middleware/authenticate.ts';
import { readJsonBody } from './middleware/json-body.ts';
import type { RequestContext } from './middleware/request-context.ts';

type Table = typeof OPERATIONS;
type Part<Op, Name extends string> =
  Op extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** A request to one operation after every check: who asks, from where, and each part parsed by the contract. */
export type OperationInput<Id extends OperationId> = {
  readonly caller: Table[Id]['auth'] extends 'none' ? null : Credential;
  readonly params: Part<Table[Id], 'params'>;
  readonly query: Part<Table[Id], 'query'>;
  readonly headers: Part<Table[Id], 'headers'>;
  readonly body: Part<Table[Id], 'body'>;
  /** The body as it was sent, parsed as JSON and nothing more; undefined where there was none. */
  readonly rawBody: unknown;
  readonly context: RequestContext;
};

type ResponseBody<Response> = Response extends { schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;
type Responses<Id extends OperationId> = Table[Id]['responses'];

/** One of the successful answers that the contract names; every other answer is a thrown AppError. */
export type OperationResult<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: {
    readonly status: Status;
    readonly body: ResponseBody<Responses<Id>[Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Responses<Id>];

/** Answers one operation. */
export type OperationHandler<Id extends OperationId> = (
  input: OperationInput<Id>,
) => Promise<OperationResult<Id>> | OperationResult<Id>;

/** Answers one operation by writing to the response itself, over time: an event stream. */
export type StreamHandler<Id extends OperationId> = (
  input: OperationInput<Id>,
  request: Request,
  response: Response,
) => Promise<void> | void;

/** Binds operations of the contract to code. Each is bound once. */
export type OperationRouter = {
  handle<Id extends OperationId>(id: Id, handler: OperationHandler<Id>): void;
  stream<Id extends OperationId>(id: Id, handler: StreamHandler<Id>): void;
  /** Routes of what was bound, and 405 for the other methods of their paths. Call it after the last binding. */
  routes(): Router;
};

/**
 * Method, path, credentials, limits and schemas come from the contract's table, so a route cannot differ from the
 * OpenAPI document. Checks run in this order: credentials, limits on requests, path, query, headers, body, limits on attempts.
 */
export function createOperationRouter(dependencies: Dependencies): OperationRouter {
  const router = Router({ caseSensitive: true, strict: true });
  const methodsOf = new Map<string, string[]>();
  const bind = <Id extends OperationId>(id: Id, answer: StreamHandler<Id>): void => {
    const operation: Operation = OPERATIONS[id];
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), operation.method.toUpperCase()]);
    router[operation.method](path, async (request, response) => {
      request.context.operation = id;
      await answer(await readInput(dependencies, id, request, response), request, response);
    });
  };
  return {
    handle: (id, handler) =>
      bind(id, async (input, _request, response) => {
        const { status, body, headers = {} } = await handler(input);
        response.set(headers).status(Number(status));
        if (body === undefined) response.end();
        else response.json(body);
      }),
    stream: bind,
    routes: () => {
      for (const [path, methods] of methodsOf) refuseOtherMethods(router, path, methods);
      return router;
    },
  };
}

async function readInput<Id extends OperationId>(
  dependencies: Dependencies,
  id: Id,
  request: Request,
  response: Response,
): Promise<OperationInput<Id>> {
  const operation: Operation = OPERATIONS[id];
  const { context } = request;
  context.caller = operation.auth === 'none' ? null : await authenticate(dependencies, operation, request);
  await countLimits(dependencies, operation, REQUEST_LIMITS, context, response);
  const input = {
    caller: context.caller,
    params: operation.params && parseParams(operation.params, request.params, operation.unknownParam),
    query: operation.query && parseQuery(operation.query, request.query),
    headers: operation.headers && parseHeaders(operation.headers, request.headers),
    ...(await readBody(operation, request, response)),
    context,
  };
  await countLimits(dependencies, operation, ATTEMPT_LIMITS, context, response);
  // The table was indexed by `id` here and in the type: that the parts fit it is beyond what the compiler follows.
  return input as unknown as OperationInput<Id>;
}

async function readBody(operation: Operation, request: Request, response: Response) {
  if (operation.body === undefined) return { body: undefined, rawBody: undefined };
  const rawBody = await readJsonBody(request, response);
  return { body: parseBody(operation.body, rawBody), rawBody };
}

/** Counted before the request is read, whatever becomes of it. */
const REQUEST_LIMITS: readonly RateLimitName[] = ['api_key', 'public_read'];
/** Counted only for what could succeed: a form filled in wrongly is no attempt at anything. */
const ATTEMPT_LIMITS: readonly RateLimitName[] = ['login', 'register', 'donation_creation'];

async function countLimits(
  { limiters }: Dependencies,
  operation: Operation,
  among: readonly RateLimitName[],
  context: RequestContext,
  response: Response,
): Promise<void> {
  for (const name of operation.rateLimits) {
    if (name === 'stream' || !among.includes(name)) continue;
    const state = await limiters[name].count(limitKey(name, context));
    response.set(rateLimitFields(state));
    assertAllowed(state);
  }
}

/** A session acts for its account like a key, and has the same limit. */
function limitKey(name: LimitName, { caller, network }: RequestContext): string {
  if (name !== 'api_key' || caller === null) return network;
  return caller.kind === 'api_key' ? `key:${caller.apiKeyId}` : `account:${caller.accountId}`;
}

function refuseOtherMethods(router: Router, path: string, methods: readonly string[]): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  router.all(path, (_request, response) => {
    response.set('Allow', allowed.join(', '));
    throw new AppError('method_not_allowed');
  });
}
