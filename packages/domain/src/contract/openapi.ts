import { OpenApiGeneratorV3, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { OPERATION_EXAMPLES } from './openapi/examples.ts';
import { HEADER_COMPONENTS, headerReferences, type HeaderName } from './openapi/headers.ts';
import { INTRODUCTION, TAGS } from './openapi/introduction.ts';
import { problemResponses } from './openapi/problems.ts';
import { WEBHOOK_CALLBACK } from './openapi/webhook-callback.ts';
import {
  errorCodesOf,
  isOfProject,
  OPERATIONS,
  type Operation,
  type OperationId,
  type OperationResponse,
} from './operations.ts';
import { projectHeaderShape } from './resources/account/projects.ts';
import { controlViewSchema } from './resources/donations/control.ts';
import { overlaySummarySchema } from './resources/donations/overlay-sources.ts';
import { problemSchema } from './problem.ts';
import { eventBodySchema } from './resources/webhooks/webhooks.ts';

/** Where the API is reached and which version of it this describes. */
export interface OpenApiOptions {
  /** Without a trailing slash: `https://pay.example`. */
  readonly baseUrl: string;
  readonly version: string;
}

/** An OpenAPI 3.0 document, ready for JSON.stringify. */
export type OpenApiDocument = ReturnType<OpenApiGeneratorV3['generateDocument']>;

/**
 * Describes the whole API as OpenAPI 3.0.3, from the table of operations and the schemas that validate requests.
 * Pure: the same options give the same document. It takes tens of milliseconds: build it once.
 */
export function openApiDocument({ baseUrl, version }: OpenApiOptions): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  registerComponents(registry);
  for (const [operationId, operation] of operationEntries())
    registerOperation(registry, operationId, operation);
  return new OpenApiGeneratorV3([...NAMED_SCHEMAS, ...registry.definitions], {
    sortComponents: 'alphabetically',
  }).generateDocument({
    openapi: '3.0.3',
    info: { title: 'Paywatch API', version, description: INTRODUCTION },
    servers: [{ url: baseUrl }],
    tags: TAGS.map((tag) => ({ ...tag })),
  });
}

// Error responses, the webhook callback and streams name these by reference only, so nothing else would pull them in.
const NAMED_SCHEMAS = [problemSchema, eventBodySchema, controlViewSchema, overlaySummarySchema].map(
  (schema) => ({
    type: 'schema' as const,
    schema,
  }),
);

function operationEntries(): readonly (readonly [OperationId, Operation])[] {
  return Object.keys(OPERATIONS).flatMap((id) => (isOperationId(id) ? [[id, OPERATIONS[id]] as const] : []));
}

function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(OPERATIONS, text);
}

function registerComponents(registry: OpenAPIRegistry): void {
  registry.registerComponent('securitySchemes', 'ApiKey', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The token of an API key: `pw_<key_public>_<secret>`.',
  });
  registry.registerComponent('securitySchemes', 'Session', {
    type: 'http',
    scheme: 'bearer',
    description: 'The session_token of POST /v1/auth/login.',
  });
  for (const [name, header] of Object.entries(HEADER_COMPONENTS)) {
    registry.registerComponent('headers', name, { ...header });
  }
  for (const { name, response } of problemResponses(['not_found', 'method_not_allowed'])) {
    registry.registerComponent('responses', name, response);
  }
}

function registerOperation(registry: OpenAPIRegistry, operationId: OperationId, operation: Operation): void {
  const problems = problemResponses(errorCodesOf(operation));
  for (const { name, response } of problems) registry.registerComponent('responses', name, response);
  registry.registerPath({
    method: operation.method,
    path: operation.path,
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(operation),
    security: securityOf(operation),
    ...extensionsOf(operation),
    ...(operationId === 'setWebhook' ? { callbacks: WEBHOOK_CALLBACK } : {}),
    request: requestOf(operationId, operation),
    responses: {
      ...successResponses(operationId, operation),
      ...Object.fromEntries(
        problems.map(({ name, status }) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  });
}

function descriptionOf({ description, scope, auth, role, summary }: Operation): string {
  const sentences = [description ?? `${summary}.`];
  if (scope !== undefined) sentences.push(`An API key needs the scope \`${scope}\`.`);
  if (auth === 'bearer') sentences.push('Takes a session, never an API key.');
  if (role === 'operator') sentences.push('Only operators of the deployment may call it.');
  else if (role !== undefined && role !== 'account') sentences.push(`A person needs the role \`${role}\`.`);
  return sentences.join(' ');
}

function securityOf({ auth }: Operation): Record<string, string[]>[] {
  if (auth === 'none') return [];
  return auth === 'bearer' ? [{ Session: [] }] : [{ ApiKey: [] }, { Session: [] }];
}

/** What OpenAPI 3.0 has no words for: the scope of a key, the role of a person, and the messages of a stream. */
function extensionsOf({ scope, role, stream }: Operation): Record<`x-${string}`, unknown> {
  return {
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    ...(role === undefined ? {} : { 'x-required-role': role }),
    ...(stream === undefined
      ? {}
      : {
          'x-stream-message': {
            event: stream.event,
            data: { $ref: `#/components/schemas/${stream.data.meta()?.['id']}` },
          },
        }),
  };
}

function requestOf(operationId: OperationId, operation: Operation): NonNullable<RouteConfig['request']> {
  const { params, query, body, upload, bodyIsOptional = false } = operation;
  const headers = headersOf(operation);
  return {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { headers }),
    ...(upload === undefined ? {} : { body: UPLOADED_FILE }),
    ...(body === undefined
      ? {}
      : {
          body: {
            required: !bodyIsOptional,
            content: { 'application/json': { schema: body, example: exampleOf(operationId).request } },
          },
        }),
  };
}

/** The headers that an operation reads itself, and the one that authentication reads. */
function headersOf(operation: Operation): z.ZodObject | undefined {
  if (!isOfProject(operation)) return operation.headers;
  return (operation.headers ?? z.object({})).extend(projectHeaderShape);
}

const UPLOADED_FILE = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } as const } },
};

function exampleOf(operationId: OperationId): { readonly request?: unknown; readonly response: unknown } {
  return OPERATION_EXAMPLES[operationId];
}

function successResponses(operationId: OperationId, operation: Operation): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      successResponse(operationId, operation, status, response),
    ]),
  );
}

function successResponse(
  operationId: OperationId,
  operation: Operation,
  status: string,
  { description, schema, files, isBinary, headers = [] }: OperationResponse,
): RouteConfig['responses'][string] {
  const names: HeaderName[] = [...headers, 'RateLimit', 'RateLimit-Policy'];
  const example = exampleOf(operationId).response;
  return {
    description,
    ...(names.length === 0 ? {} : { headers: headerReferences(names) }),
    ...(schema === undefined ? {} : { content: { 'application/json': { schema, example } } }),
    ...(files === undefined
      ? {}
      : { content: isBinary ? binaryContent(files) : fileContent(files, example) }),
    ...(operation.stream !== undefined && status === '200'
      ? { content: { 'text/event-stream': { schema: { type: 'string' }, example } } }
      : {}),
  };
}

/** A download in each of its media types; the example is of the first. */
function fileContent(files: readonly string[], example: unknown) {
  const schema = { type: 'string' } as const;
  return Object.fromEntries(
    files.map((type, index) => [type, index === 0 ? { schema, example } : { schema }]),
  );
}

function binaryContent(files: readonly string[]) {
  const schema = { type: 'string', format: 'binary' } as const;
  return Object.fromEntries(files.map((type) => [type, { schema }]));
}
