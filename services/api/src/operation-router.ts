import { AppError, parseBody, parseHeaders, parseParams, parseQuery } from '@paywatch/domain/requests';
import { OPERATIONS, type Operation, type OperationId } from '@paywatch/domain/contract';
import { nameRequestSpan } from '@paywatch/runtime/observability';
import type { Credential, RateLimitState } from '@paywatch/store/redis';
import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import type { SessionCaller } from './caller.ts';
import type { LimitName } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import {
  assertAllowed,
  countNetwork,
  NETWORK_LIMITS,
  rateLimitFields,
  type Limiters,
  type NetworkLimitName,
} from './limiters.ts';
import { authenticate } from './middleware/authenticate.ts';
import { readJsonBody } from './middleware/json-body.ts';
import type { RequestContext } from './middleware/request-context.ts';
import { assertSameOrigin } from './middleware/same-origin.ts';

type Table = typeof OPERATIONS;
type Part<Op, Name extends string> =
  Op extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** A `bearer` operation lets in nobody but sessions, see authenticate.ts. */
type CallerOf<Auth> = Auth extends 'none' ? null : Auth extends 'bearer' ? SessionCaller : Credential;

/** A request to one operation after every check: who asks, from where, and each part parsed by the contract. */
type OperationInput<Id extends OperationId> = {
  readonly caller: CallerOf<Table[Id]['auth']>;
  readonly params: Part<Table[Id], 'params'>;
  readonly query: Part<Table[Id], 'query'>;
  readonly headers: Part<Table[Id], 'headers'>;
  readonly body: Part<Table[Id], 'body'>;
  /** The body as it was sent, parsed as JSON and nothing more; undefined where there was none. */
  readonly rawBody: unknown;
  readonly context: RequestContext;
};

type ResponseBody<Answer> = Answer extends { schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : undefined;
type Responses<Id extends OperationId> = Table[Id]['responses'];

/** One of the successful answers that the contract names; every other answer is a thrown AppError. */
type OperationResult<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: {
    readonly status: Status;
    readonly body: ResponseBody<Responses<Id>[Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof Responses<Id>];

/** Answers one operation. */
type OperationHandler<Id extends OperationId> = (
  input: OperationInput<Id>,
) => Promise<OperationResult<Id>> | OperationResult<Id>;

/** Answers one operation by writing to the response itself, over time: an event stream. */
type StreamHandler<Id extends OperationId> = (
  input: OperationInput<Id>,
  request: Request,
  response: Response,
) => Promise<void> | void;

/** Handlers by operationId. */
type OperationHandlers = { readonly [Id in OperationId]?: OperationHandler<Id> };
type StreamHandlers = { readonly [Id in OperationId]?: StreamHandler<Id> };

/** Binds operations of the contract to code. */
export type OperationRouter = {
  handle(handlers: OperationHandlers): void;
  stream(handlers: StreamHandlers): void;
  /**
   * Runs an operation for a page, whose route has the operation's path parameters: the same limits, parsing and
   * errors as over HTTP. `body` stands for the JSON that was not sent. Throws AppError.
   */
  run<Id extends OperationId>(
    id: Id,
    request: Request,
    response: Response,
    body?: unknown,
  ): Promise<OperationResult<Id>>;
  /** Routes of what was bound, and 405 for the other methods of their paths. Call it after the last binding. */
  routes(): Router;
};

/**
 * Method, path, credentials, limits and schemas come from the contract's table, so a route cannot differ from the
 * OpenAPI document. Checks run in this order: origin, credentials, limits, path, query, headers, body. A request counts before anything of
 * it is read, so that a refused one counts too.
 */
export function createOperationRouter(dependencies: Dependencies): OperationRouter {
  const router = Router({ caseSensitive: true, strict: true });
  const methodsOf = new Map<string, string[]>();
  const handlerOf = new Map<OperationId, AnyHandler>();
  const bind = (id: OperationId, answer: AnyStreamHandler): void => {
    const operation: Operation = OPERATIONS[id];
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), operation.method.toUpperCase()]);
    router[operation.method](path, async (request, response) => {
      request.context.operation = id;
      nameRequestSpan(id, request.context.id);
      await answer(await readInput(dependencies, id, request, response), request, response);
    });
  };
  return {
    handle: (handlers) => {
      for (const [id, handler] of entriesOf(handlers)) {
        handlerOf.set(id, handler);
        bind(id, answerWith(handler));
      }
    },
    stream: (handlers) => {
      for (const [id, handler] of entriesOf(handlers)) bind(id, handler);
    },
    run: async <Id extends OperationId>(id: Id, request: Request, response: Response, body?: unknown) => {
      const handler = handlerOf.get(id);
      if (handler === undefined)
        throw new AppError('service_unavailable', undefined, { internal: `${id} is not bound` });
      request.context.operation = id;
      const result = await handler(await readInput(dependencies, id, request, response, body));
      // The handler of this id was bound as one: the map forgets it, as the table below does.
      return result as OperationResult<Id>;
    },
    routes: () => {
      for (const [path, methods] of methodsOf) refuseOtherMethods(router, path, methods);
      return router;
    },
  };
}

/** A handler of any operation. The types above tie each to its own; here, where all are alike, that is forgotten. */
type AnyHandler = (input: OperationInput<OperationId>) => Promise<AnyResult> | AnyResult;
type AnyResult = { status: number; body: unknown; headers?: Readonly<Record<string, string>> };
type AnyStreamHandler = (
  input: OperationInput<OperationId>,
  request: Request,
  response: Response,
) => Promise<void> | void;

function entriesOf(handlers: OperationHandlers): [OperationId, AnyHandler][];
function entriesOf(handlers: StreamHandlers): [OperationId, AnyStreamHandler][];
function entriesOf(handlers: object): [string, unknown][] {
  return Object.entries(handlers);
}

function answerWith(handler: AnyHandler): AnyStreamHandler {
  return async (input, _request, response) => {
    const { status, body, headers = {} } = await handler(input);
    response.set(headers).status(status);
    if (body === undefined) response.end();
    else sendJson(response, JSON.stringify(body));
  };
}

/** What Express's own `json` does beyond this is done for every answer already, or for none. */
function sendJson(response: Response, text: string): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

async function readInput(
  dependencies: Dependencies,
  id: OperationId,
  request: Request,
  response: Response,
  givenBody?: unknown,
): Promise<OperationInput<OperationId>> {
  const operation: Operation = OPERATIONS[id];
  const { context } = request;
  // Before it counts: a page must not use up the limits of its visitors.
  if (operation.isSameOriginOnly) assertSameOrigin(request.headers, dependencies.config.publicUrl);
  const authenticated =
    operation.auth === 'none' ? null : await authenticate(dependencies, operation, request);
  context.caller = authenticated?.caller ?? null;
  if (authenticated?.keyLimit) tellLimit(response, authenticated.keyLimit);
  await countLimits(dependencies, operation, context, response);
  const input = {
    caller: context.caller,
    params: operation.params && parseParams(operation.params, request.params, operation.unknownParam),
    query: operation.query && parseQuery(operation.query, request.query),
    headers: operation.headers && parseHeaders(operation.headers, request.headers),
    ...(await readBody(operation, request, response, givenBody)),
    context,
  };
  // Parsed by the schemas that the type names, which is more than the compiler can follow through the table.
  return input as OperationInput<OperationId>;
}

async function readBody(operation: Operation, request: Request, response: Response, given: unknown) {
  if (operation.body === undefined) return { body: undefined, rawBody: undefined };
  const rawBody = given ?? (await readJsonBody(request, response));
  return { body: parseBody(operation.body, rawBody), rawBody };
}

async function countLimits(
  { limiters }: Dependencies,
  operation: Operation,
  context: RequestContext,
  response: Response,
): Promise<void> {
  for (const name of operation.rateLimits) {
    if (name === 'stream' || isCountedAlready(name, context)) continue;
    tellLimit(response, await countLimit(limiters, name, context));
  }
}

function tellLimit(response: Response, state: RateLimitState): void {
  response.set(rateLimitFields(state));
  assertAllowed(state);
}

/** A key is counted where it is checked; a session acts for its account like a key, and has the same limit. */
function isCountedAlready(name: LimitName, { caller }: RequestContext): boolean {
  return name === 'api_key' && caller?.kind === 'api_key';
}

function countLimit(
  limiters: Limiters,
  name: LimitName,
  { caller, network }: RequestContext,
): Promise<RateLimitState> {
  if (isNetworkLimit(name)) return countNetwork(limiters, name, network);
  if (caller === null) throw new Error(`${name} counts callers`);
  const isOfProject = name === 'project_change' || name === 'redelivery' || caller.kind === 'api_key';
  return limiters[name].count(isOfProject ? `project:${caller.projectId}` : `account:${caller.accountId}`);
}

function isNetworkLimit(name: LimitName): name is NetworkLimitName {
  return NETWORK_LIMITS.some((known) => known === name);
}

function refuseOtherMethods(router: Router, path: string, methods: readonly string[]): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  router.all(path, (_request, response) => {
    response.set('Allow', allowed.join(', '));
    throw new AppError('method_not_allowed');
  });
}
