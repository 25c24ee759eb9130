import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { OPERATION_EXAMPLES } from '../../src/contract/openapi/examples.ts';
import { EVENT_BODY_EXAMPLE } from '../../src/contract/openapi/examples/merchant/setup.ts';
import {
  ERROR_CODES,
  errorCodesOf,
  eventBodySchema,
  OPERATIONS,
  type Operation,
} from '../../src/contract/index.ts';

const text = JSON.stringify(openApiDocument({ baseUrl: 'https://pay.example', version: '1.0' }));

// What these tests read of the document; the linter judges the rest.
const responseSchema = z.object({
  $ref: z.string().optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
  content: z
    .record(
      z.string(),
      z.object({ schema: z.unknown(), examples: z.record(z.string(), z.unknown()).optional() }),
    )
    .optional(),
});
const operationSchema = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  responses: z.record(z.string(), responseSchema),
  requestBody: z.object({ required: z.boolean() }).optional(),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
    .optional(),
});
const document = z
  .object({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), operationSchema)),
    components: z.object({
      responses: z.record(z.string(), responseSchema),
      schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    }),
  })
  .parse(JSON.parse(text));

describe('the document', () => {
  test('is OpenAPI 3.0.3', () => expect(document.openapi).toBe('3.0.3'));

  test('is the same every time', () => {
    expect(JSON.stringify(openApiDocument({ baseUrl: 'https://pay.example', version: '1.0' }))).toBe(text);
  });

  test('describes exactly the operations of the table', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const listed = Object.entries<Operation>(OPERATIONS).map(
      ([id, { method, path }]) => `${method} ${path} ${id}`,
    );
    expect(described.sort()).toEqual(listed.sort());
  });
});

const operations = Object.entries<Operation>(OPERATIONS).map(([id, operation]) => {
  const described = document.paths[operation.path]?.[operation.method];
  if (described === undefined) throw new Error(`${id} is not described`);
  return { id, operation, described };
});

function problemsOf(described: z.infer<typeof operationSchema>) {
  return Object.entries(described.responses).flatMap(([status, { $ref }]) => {
    const response =
      $ref === undefined ? undefined : document.components.responses[$ref.split('/').at(-1) ?? ''];
    return response === undefined ? [] : [{ status, response }];
  });
}

describe.each(operations)('$id', ({ operation, described }) => {
  test('documents every error code under its status, as a problem', () => {
    const named = problemsOf(described).flatMap(({ status, response }) =>
      Object.keys(response.content?.['application/problem+json']?.examples ?? {}).map(
        (code) => `${status} ${code}`,
      ),
    );
    const expected = errorCodesOf(operation).map((code) => `${ERROR_CODES[code].status} ${code}`);
    expect(named.sort()).toEqual(expected.sort());
  });

  test('documents Retry-After, WWW-Authenticate and the rate limit headers', () => {
    for (const { status, response } of problemsOf(described)) {
      const headers = Object.keys(response.headers ?? {});
      expect(headers.includes('Retry-After')).toBe(status === '429' || status === '503');
      expect(headers.includes('WWW-Authenticate')).toBe(status === '401');
    }
    const success = Object.keys(operation.responses)[0] ?? '';
    expect('RateLimit' in (described.responses[success]?.headers ?? {})).toBe(true);
  });

  test('asks for its credentials', () => {
    const schemes = described.security.map((requirement) => Object.keys(requirement).join());
    expect(schemes).toEqual({ none: [], bearer: ['Session'], key: ['ApiKey', 'Session'] }[operation.auth]);
  });
});

test('a body that may be left out is not required', () => {
  const optional = operations
    .filter(({ described }) => described.requestBody?.required === false)
    .map(({ id }) => id);
  expect(optional.sort()).toEqual(['createApiKey', 'redeliverEvent', 'testWebhook']);
});

test('a repeated creation is documented by its headers', () => {
  const repeat = document.paths['/v1/invoices']?.['post']?.responses['200'];
  expect(Object.keys(repeat?.headers ?? {})).toEqual(
    expect.arrayContaining(['Idempotent-Replayed', 'Idempotency-Mismatch']),
  );
});

test('streams are text/event-stream', () => {
  const streams = operations.filter(
    ({ described }) => 'text/event-stream' in (described.responses['200']?.content ?? {}),
  );
  expect(streams.map(({ id }) => id).sort()).toEqual([
    'streamControl',
    'streamOverlay',
    'streamPublicInvoice',
  ]);
});

test('every request body refuses unknown fields, and says so', () => {
  const bodies = operations.flatMap(({ operation }) => operation.body ?? []);
  for (const id of bodies.map((body) => String(body.meta()?.['id'])))
    expect(document.components.schemas[id]?.['additionalProperties']).toBe(false);
});

describe('the examples', () => {
  const examples = Object.entries<{ request?: unknown; response: unknown }>(OPERATION_EXAMPLES);
  const requests = operations.flatMap(({ id, operation: { body } }) =>
    body === undefined ? [] : [{ id, body }],
  );
  const responses = operations.flatMap(({ id, operation }) =>
    Object.values(operation.responses).flatMap(({ schema }) =>
      schema === undefined ? [] : [{ id, schema }],
    ),
  );

  test.each(requests)('of a $id request matches its schema', ({ id, body }) => {
    const [, example] = examples.find(([other]) => other === id) ?? [];
    expect(body.safeParse(example?.request).error).toBeUndefined();
  });

  test.each(responses)('of a $id answer has exactly the fields of its schema', ({ id, schema }) => {
    const [, example] = examples.find(([other]) => other === id) ?? [];
    // A parse drops what the schema does not name.
    expect(schema.parse(example?.response)).toEqual(example?.response);
  });

  test('of a webhook body has exactly the fields of its schema', () => {
    expect(eventBodySchema.parse(EVENT_BODY_EXAMPLE)).toEqual(EVENT_BODY_EXAMPLE);
  });
});
