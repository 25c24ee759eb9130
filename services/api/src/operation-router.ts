import { OPERATIONS, type Operation, type OperationId } from '@paywatch/domain/contract';
import { AppError, parseBody, parseHeaders, parseParams, parseQuery } from '@paywatch/domain/requests';
import { nameRequestSpan } from '@paywatch/runtime/observability';
import { Router, type Request, type Response } from 'express';
import type { Dependencies } from './dependencies.ts';
import { applyRateLimit, countOperation } from './limits/operation-limits.ts';
import { authenticate } from './middleware/authenticate.ts';
import { readFileBody } from './middleware/file-body.ts';
import { readJsonBody } from './middleware/json-body.ts';
import { assertSameOrigin } from './middleware/same-origin.ts';
import { sendFile } from './middleware/send-file.ts';
import { holdSlot } from './uploads/upload-slots.ts';
import type {
  DownloadHandlers,
  FileHandlers,
  OperationHandlers,
  OperationInput,
  OperationResult,
  ServedFile,
  StreamHandlers,
} from './operation-handler.ts';

/** The operations of the contract, bound to their handlers. */
export type OperationRouter = {
  readonly router: Router;
  /**
   * Runs an operation for a page whose route has the operation's path parameters, with the same limits, parsing and errors as over
   * HTTP. `body` replaces the JSON body. Throws AppError.
   */
  run<Id extends keyof OperationHandlers>(
    id: Id,
    request: Request,
    response: Response,
    body?: unknown,
  ): Promise<OperationResult<Id>>;
};

/**
 * Creates the routes of all operations, and 405 for the other methods of their paths. Method, path, credentials, limits and schemas come
 * from the contract's table, so a route cannot differ from the OpenAPI document. The checks run in this order: origin, credentials,
 * limits, path, query, headers, body. A request counts against its limits before the rest is read, so that an invalid one counts, too.
 */
export function createOperationRouter(
  dependencies: Dependencies,
  handlers: OperationHandlers,
  { streams, files }: { streams: StreamHandlers & DownloadHandlers; files: FileHandlers },
): OperationRouter {
  const router = Router({ caseSensitive: true, strict: true });
  const methodsByPath = new Map<string, string[]>();
  const bind = (id: OperationId, handle: AnyStreamHandler): void => {
    const { method, path: pattern }: Operation = OPERATIONS[id];
    const path = pattern.replaceAll(/\{(\w+)\}/g, ':$1');
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method.toUpperCase()]);
    router[method](path, async (request, response) => {
      request.context.operation = id;
      nameRequestSpan(id, request.context.id);
      await handle(await readInput(dependencies, id, request, response), request, response);
    });
  };
  for (const [id, handler] of entriesOf(streams)) bind(id, handler);
  for (const [id, handler] of entriesOf(files)) bind(id, sendServed(handler));
  for (const [id, handler] of entriesOf(handlers)) bind(id, sendResult(handler));
  for (const [path, methods] of methodsByPath) refuseOtherMethods(router, path, methods);
  return {
    router,
    run: async <Id extends keyof OperationHandlers>(
      id: Id,
      request: Request,
      response: Response,
      body?: unknown,
    ) => {
      request.context.operation = id;
      const handler = handlers[id] as AnyHandler;
      const result = await handler(await readInput(dependencies, id, request, response, body));
      // The table ties the handler to this id; AnyHandler does not.
      return result as OperationResult<Id>;
    },
  };
}

/** A handler of any operation, without the types that tie it to its own. */
type AnyHandler = (input: OperationInput<OperationId>) => Promise<AnyResult> | AnyResult;
type AnyResult = { status: number; body: unknown; headers?: Readonly<Record<string, string>> };
type AnyStreamHandler = (
  input: OperationInput<OperationId>,
  request: Request,
  response: Response,
) => Promise<void> | void;
type AnyFileHandler = (input: OperationInput<OperationId>, response: Response) => Promise<ServedFile>;

function entriesOf(handlers: OperationHandlers): [OperationId, AnyHandler][];
function entriesOf(handlers: StreamHandlers & DownloadHandlers): [OperationId, AnyStreamHandler][];
function entriesOf(handlers: FileHandlers): [OperationId, AnyFileHandler][];
function entriesOf(handlers: object): [string, unknown][] {
  return Object.entries(handlers);
}

function sendResult(handler: AnyHandler): AnyStreamHandler {
  return async (input, _request, response) => {
    const { status, body, headers = {} } = await handler(input);
    response.set(headers).status(status);
    if (body === undefined) response.end();
    else sendJson(response, JSON.stringify(body));
  };
}

function sendServed(handler: AnyFileHandler): AnyStreamHandler {
  return async (input, request, response) => sendFile(request, response, await handler(input, response));
}

/** Express's `json` would also compute an ETag and parse the content type again, for every response. */
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
  // Before the limits: a page of another site must not use up the limits of its visitors.
  if (operation.isSameOriginOnly) assertSameOrigin(request.headers, dependencies.config.publicUrl);
  const authenticated =
    operation.auth === 'none' ? null : await authenticate(dependencies, operation, request);
  context.caller = authenticated?.caller ?? null;
  if (authenticated?.keyLimit) applyRateLimit(response, authenticated.keyLimit);
  await countOperation(dependencies.limiters, operation, context, response);
  const input = {
    caller: context.caller,
    params: operation.params && parseParams(operation.params, request.params, operation.unknownParam),
    query: operation.query && parseQuery(operation.query, request.query),
    headers: operation.headers && parseHeaders(operation.headers, request.headers),
    body: operation.body && parseBody(operation.body, givenBody ?? (await readJsonBody(request, response))),
    file: operation.upload && (await readUpload(dependencies, operation.upload, request, response)),
    context,
  };
  // Parsed by the schemas of the table; the compiler cannot follow that for an id that it does not know.
  return input as OperationInput<OperationId>;
}

/** Holds a slot from before the first byte of the file until the response is closed. */
function readUpload(
  { uploadSlots }: Dependencies,
  { maxBytes }: NonNullable<Operation['upload']>,
  request: Request,
  response: Response,
): Promise<Buffer> {
  const { caller, network } = request.context;
  holdSlot(uploadSlots.arriving, response, network, `project ${caller?.projectId}`);
  return readFileBody(request, response, maxBytes);
}

function refuseOtherMethods(router: Router, path: string, methods: readonly string[]): void {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  router.all(path, (_request, response) => {
    response.set('Allow', allowed.join(', '));
    throw new AppError('method_not_allowed');
  });
}
