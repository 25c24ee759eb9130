import { samplePicture } from '@paywatch/dev/testing';
import { PROJECT_HEADER } from '@paywatch/domain/contract';
import { randomBase58 } from '@paywatch/runtime/security';
import { byOperator } from '@paywatch/store/accounts';
import { createEndpoint, insertEvent } from '@paywatch/store/webhooks';
import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { expectProblem, openAccount, openApiKey, sharedApi, type TestAccount } from '../support/api.ts';
import { openOperator } from '../support/operators.ts';
import { openWallet } from '../support/wallet.ts';

/*
 * Every request here is made from the OpenAPI document that the API serves: a new operation, field or parameter is attacked
 * by being documented.
 */

/** In every value that an attacker sends, and in every secret of the victim: it must come out nowhere. */
const CANARY = 'cAnArY7';

type Schema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema };
type JsonBody = { content: { 'application/json'?: { schema: Schema; example: Record<string, unknown> } } };
type Documented = {
  operationId: string;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: JsonBody;
  responses: Record<string, { content?: Record<string, unknown> }>;
};
type Method = 'get' | 'post' | 'patch' | 'delete';

const api = await sharedApi({
  env: {
    PUBLIC_READ_LIMIT_POINTS: '100000',
    API_KEY_LIMIT_RATE: '100000',
    API_KEY_LIMIT_BURST: '100000',
    REGISTER_LIMIT_POINTS: '100000',
    ACCOUNT_LIMIT_POINTS: '100000',
    PROJECT_CHANGE_LIMIT_POINTS: '100000',
    PASSWORD_CHANGE_LIMIT_POINTS: '100000',
    LOGIN_EMAIL_LIMIT_POINTS: '100000',
    REDELIVERY_LIMIT_POINTS: '100000',
    EXPORT_LIMIT_POINTS: '100000',
    UPLOAD_LIMIT_POINTS: '100000',
  },
});
const [victim, attacker] = [await openAccount(api), await openAccount(api)];
/** Operators may see all accounts, so only what they send is hostile: operator.test.ts has who may call them. */
const operator = await openOperator(api);
const attackersKey = await openApiKey(api, attacker);
const victims = await openVictim();
const [victimsControl, attackersControl] = [await openControl(victim), await openControl(attacker)];
const { body: document } = await api.call('get', '/v1/openapi.json');
const operations = Object.entries<Record<string, Documented>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: operation.operationId,
    method: method as Method,
    path,
    ...operation,
  })),
);
type Operation = (typeof operations)[number];

function seal() {
  return Buffer.alloc(60);
}

/** A control page of an account's overlay; returns its token. */
async function openControl({ session }: TestAccount): Promise<string> {
  const { body } = await api.call('post', '/v1/project/tokens/control/rotate', { session });
  return String(body.token);
}

/** Objects of another project, by the names of path parameters. */
async function openVictim() {
  await openWallet(api, victim);
  const apiKey = await openApiKey(api, victim);
  const body = { currency: 'BTC', type: 'order', expected_amount: '100000' };
  const created = await api.call('post', '/v1/invoices', { apiKey, body });
  expect(created.status, created.text).toBe(201);
  const publicId = String(created.body.public_id);
  const [invoice] = await api.store.sql<
    { id: bigint }[]
  >`select id from invoices where public_id = ${publicId}`;
  const event = { publicId: `evt_${randomBase58(16)}`, type: 'invoice.confirmed', txid: null, body: '{}' };
  await insertEvent(api.store.sql, { ...event, projectId: victim.projectId, invoiceId: invoice?.id ?? null });
  const [factor] = await api.store.sql<{ id: string }[]>`
    insert into second_factors (account_id, name, secret_sealed) values (${victim.accountId}, 'Phone', 'x')
    returning public_id as id`;
  const [session] = await api.store.sql<{ id: string }[]>`
    select public_id as id from sessions where account_id = ${victim.accountId}`;
  const link = await api.call('post', '/v1/payment-links', { apiKey, body: { title: 'Ticket' } });
  expect(link.status, link.text).toBe(201);
  const upload = await api
    .call('post', '/v1/uploads?kind=image', { session: victim.session })
    .set('Content-Type', 'application/octet-stream')
    .send(samplePicture('png'));
  expect(upload.status, upload.text).toBe(201);
  const [member] = await api.store.sql<{ id: string }[]>`
    insert into project_members (project_id, account_id, role)
    values (${victim.projectId}, ${(await openAccount(api)).accountId}, 'support') returning public_id as id`;
  const [invitation] = await api.store.sql<{ id: string }[]>`
    insert into project_invitations (project_id, email, role, invited_by, expires_at)
    values (${victim.projectId}, 'friend@example.com', 'support', ${victim.accountId}, now() + interval '1 day')
    returning public_id as id`;
  const endpointId = `we_${randomBase58(16)}`;
  const endpoint = { url: 'https://shop.example/', description: '', eventTypes: null };
  await createEndpoint(api.store, byOperator, {
    ...endpoint,
    projectId: victim.projectId,
    publicId: endpointId,
    seal,
  });
  return {
    publicId,
    id: event.publicId,
    keyPublic: apiKey.split('_')[1] ?? '',
    endpointId,
    factorId: factor?.id ?? '',
    sessionId: session?.id ?? '',
    linkId: String(link.body.id),
    uploadId: String(upload.body.id),
    memberId: member?.id ?? '',
    invitationId: invitation?.id ?? '',
  };
}

const isProtected = ({ security = [] }: Operation): boolean =>
  security.some((way) => Object.keys(way).length > 0);
const isOfOperators = ({ path }: Pick<Operation, 'path'>): boolean => path.startsWith('/v1/operator/');
const isOfProjects = (operation: Operation): boolean => isProtected(operation) && !isOfOperators(operation);
const isStream = ({ responses }: Operation): boolean =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);
const parametersIn = (operation: Operation, place: Parameter['in']): Parameter[] =>
  (operation.parameters ?? []).filter((parameter) => parameter.in === place);

/** The path with its parameters, `named` ones as given and the others of the right form. */
function pathOf({ path }: Operation, named: Record<string, string> = {}): string {
  const usual: Record<string, string> = {
    publicId: 'inv_1111111111111111',
    id: 'evt_1111111111111111',
    keyPublic: 'unknown',
    endpointId: 'we_1111111111111111',
    factorId: '00000000-0000-0000-0000-000000000000',
    sessionId: '00000000-0000-0000-0000-000000000000',
    linkId: 'plink_1111111111111111',
    uploadId: 'upl_1111111111111111',
    memberId: '00000000-0000-0000-0000-000000000000',
    invitationId: '00000000-0000-0000-0000-000000000000',
    accountId: `acc_${'0'.repeat(32)}`,
    currency: 'BTC',
    kind: 'donate',
    token: path.includes('control') ? attackersControl : attacker.donateToken,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(named[name] ?? usual[name] ?? 'x'),
  );
}

/** As the attacker, with all that a stranger can rightfully have. */
function attack(operation: Operation, options: { path?: string; body?: unknown; query?: string } = {}) {
  const takesKey = operation.security?.some((way) => Object.keys(way).some((name) => /key/i.test(name)));
  const { session } = isOfOperators(operation) ? operator : attacker;
  const credentials = takesKey ? { apiKey: attackersKey } : { session };
  const path = `${options.path ?? pathOf(operation)}${options.query ?? ''}`;
  const body = options.body === undefined ? {} : { body: options.body };
  return api.call(operation.method, path, { ...(isProtected(operation) ? credentials : {}), ...body });
}

/** What both responses may differ in. */
function withoutIds({ status, body }: Response) {
  const { request_id: _, ...rest } = body as Record<string, unknown>;
  return { status, ...rest };
}

function resolve(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema;
}

/** Values that no field of this schema may hold, each with why. */
function wrongValues(schema: Schema): [why: string, value: unknown][] {
  const { type, nullable = false, enum: names, items } = resolve(schema);
  const takesText = items !== undefined && resolve(items).type === 'string' && !resolve(items).enum;
  const always: [string, unknown][] = [
    // The name of an unknown field is named to the caller, so it is no canary where objects are valid.
    ['an object', { [type === 'object' ? 'unknown' : CANARY]: 1 }],
    ['a list', takesText ? [[CANARY]] : [CANARY]],
    ...(nullable ? [] : ([['null', null]] as [string, unknown][])),
  ];
  if (type === 'integer' || type === 'number')
    return [
      ...always,
      ['text', CANARY],
      ['a fraction', 61.5],
      ['less than any', -1],
      ['more than any', 1e15],
    ];
  if (type === 'boolean') return [...always, ['text', CANARY], ['a number', 1]];
  const oversized: [string, unknown] = ['oversized', `${CANARY}${'x'.repeat(40_000)}`];
  const nonsense: [string, unknown][] = names === undefined ? [] : [['no member', CANARY]];
  return [...always, ['a number', 7], ['true', true], oversized, ...nonsense];
}

const OTHERS_OWN = operations.flatMap((operation) =>
  parametersIn(operation, 'path').flatMap(({ name }) =>
    isOfProjects(operation) && name in victims
      ? [{ ...operation, parameter: name as keyof typeof victims }]
      : [],
  ),
);

/** Parameters that identify an object: the cursor of a list, and the invoice or endpoint whose events it shows. */
const REFERENCES = operations.flatMap((operation) =>
  parametersIn(operation, 'query').flatMap(({ name }) =>
    isOfProjects(operation) && ['cursor', 'public_id', 'endpoint_id'].includes(name)
      ? [{ ...operation, parameter: name }]
      : [],
  ),
);

describe('with another project’s credentials', () => {
  it('every object that a protected path names is attacked', () => {
    const named = operations
      .filter(isOfProjects)
      .flatMap((operation) => parametersIn(operation, 'path').map(({ name }) => name));
    // These name no object of a project.
    const attacked = named.filter((name) => !['currency', 'kind'].includes(name));
    expect(new Set(attacked)).toEqual(new Set(Object.keys(victims)));
  });

  it.each(OTHERS_OWN)('$name answers as to an unknown $parameter', async (operation) => {
    const { parameter } = operation;
    const body = operation.requestBody?.content['application/json']?.example;
    const path = pathOf(operation, { [parameter]: victims[parameter] });
    const theirs = await attack(operation, { path, body });
    const nobodys = await attack(operation, { body });
    expect(theirs.status).toBe(404);
    expect(withoutIds(theirs)).toEqual(withoutIds(nobodys));
  });

  it.each(REFERENCES)('$name answers to their $parameter as to an unknown one', async (operation) => {
    const { parameter } = operation;
    for (const [theirs, nobodys] of [
      [victims.publicId, 'inv_1111111111111111'],
      [victims.id, 'evt_1111111111111111'],
      [victims.endpointId, 'we_1111111111111111'],
    ]) {
      const ofTheirs = await attack(operation, { query: `?${parameter}=${theirs}` });
      const ofNobody = await attack(operation, { query: `?${parameter}=${nobodys}` });
      expect([200, 404, 422]).toContain(ofTheirs.status);
      expect(withoutIds(ofTheirs)).toEqual(withoutIds(ofNobody));
      expect(ofTheirs.text).not.toContain(theirs);
    }
  });

  it('no list contains anything of it', async () => {
    const lists = operations.filter(
      (operation) => operation.method === 'get' && !operation.path.includes('{') && isOfProjects(operation),
    );
    expect(lists.length).toBeGreaterThan(3);
    for (const list of lists) {
      const { status, text } = await attack(list);
      expect(status, list.name).toBe(200);
      const tokens = [victim.donateToken, victim.overlayToken, victimsControl];
      for (const secret of [...Object.values(victims), ...tokens, victim.email])
        expect(text).not.toContain(secret);
    }
  });
});

const WITH_BODY = operations.flatMap((operation) => {
  const content = operation.requestBody?.content['application/json'];
  return content === undefined
    ? []
    : [{ ...operation, schema: resolve(content.schema), example: content.example }];
});
const FIELDS = WITH_BODY.flatMap((operation) =>
  Object.entries(operation.schema.properties ?? {}).map(([field, schema]) => ({
    ...operation,
    field,
    fieldSchema: schema,
  })),
);

/** The problem names the field and repeats nothing of the input. */
function expectRefusal(response: Response, path: string): void {
  expectProblem(response, 422, 'validation_error');
  const { errors } = response.body as { errors: { path: string }[] };
  expect(
    errors.some((error) => error.path === path || error.path.startsWith(`${path}.`)),
    response.text,
  ).toBe(true);
  expect(response.text).not.toContain(CANARY);
}

describe('a body with', () => {
  it.each(FIELDS)('a wrong $field is refused and named by $name', async (operation) => {
    const { field, fieldSchema, example } = operation;
    for (const [why, value] of wrongValues(fieldSchema)) {
      const response = await attack(operation, { body: { ...example, [field]: value } });
      expect(response.status, `${field}: ${why}: ${response.text}`).toBe(422);
      expectRefusal(response, `body.${field}`);
    }
  });

  it.each(FIELDS.filter(({ schema, field }) => schema.required?.includes(field)))(
    'no $field is refused by $name',
    async (operation) => {
      const { [operation.field]: _, ...body } = operation.example;
      expectRefusal(await attack(operation, { body }), `body.${operation.field}`);
    },
  );

  it.each(WITH_BODY)('unknown fields and prototype pollution are refused by $name', async (operation) => {
    const extra = await attack(operation, { body: { ...operation.example, [`${CANARY}_extra`]: 1 } });
    expectProblem(extra, 422, 'validation_error');
    const polluting = `{"__proto__":{"polluted":"${CANARY}"},"constructor":{"prototype":{"polluted":1}}}`;
    expectProblem(await attack(operation, { body: JSON.parse(polluting) }), 422, 'validation_error');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each(WITH_BODY)('more than 64 KiB is refused by $name unread', async (operation) => {
    const response = await attack(operation, { body: { ...operation.example, padding: 'x'.repeat(70_000) } });
    expectProblem(response, 413, 'payload_too_large');
  });
});

const QUERIED = operations.filter(
  (operation) => !isStream(operation) && parametersIn(operation, 'query').length > 0,
);

describe('a query with', () => {
  it.each(QUERIED)('a wrong or an unknown parameter is refused by $name', async (operation) => {
    for (const { name, schema } of parametersIn(operation, 'query')) {
      const { type, enum: names } = resolve(schema);
      const isText = type === 'string' && names === undefined && !name.startsWith('created');
      const wrong = isText
        ? [`${CANARY}${'x'.repeat(3000)}`]
        : [CANARY, '-1', '1e99', `${CANARY}${'x'.repeat(3000)}`];
      for (const value of wrong) {
        const response = await attack(operation, { query: `?${name}=${encodeURIComponent(value)}` });
        expect(response.status, `${name}=${value.slice(0, 20)}: ${response.text}`).toBe(422);
        expect(response.text).not.toContain(CANARY);
      }
      expect((await attack(operation, { query: `?${name}[a]=1&${name}=2&${name}=3` })).status).toBe(422);
    }
    expect((await attack(operation, { query: '?nonsense=1' })).status).toBe(422);
  });
});

/** The headers of an operation itself; the one that names a project is a part of the credentials: ../members/roles.test.ts. */
const headersOf = (operation: Operation): Parameter[] =>
  parametersIn(operation, 'header').filter(({ name }) => name !== PROJECT_HEADER);
const HEADED = operations.filter((operation) => !isStream(operation) && headersOf(operation).length > 0);

describe('a header with', () => {
  it.each(HEADED)('an empty, oversized or binary value is refused by $name', async (operation) => {
    for (const { name } of headersOf(operation)) {
      for (const value of ['', `${CANARY}${'x'.repeat(3000)}`, `${CANARY}\u00e9`]) {
        const body = operation.requestBody?.content['application/json']?.example;
        const call = attack(operation, body === undefined ? {} : { body }).set(name, value);
        expectRefusal(await call, `header.${name}`);
      }
    }
  });
});

describe('a path with', () => {
  it.each(operations.filter((operation) => parametersIn(operation, 'path').length > 0))(
    'a malformed value is not found by $name, and never an internal error',
    async (operation) => {
      for (const { name } of parametersIn(operation, 'path')) {
        for (const nonsense of [
          CANARY,
          '../../etc/passwd',
          "' or 1=1 --",
          '\u0000',
          '%',
          'é\u202e',
          'x'.repeat(2000),
          '$ne',
        ]) {
          const example = operation.requestBody?.content['application/json']?.example;
          const options = example ? { body: example } : {};
          const response = await attack(operation, {
            ...options,
            path: pathOf(operation, { [name]: nonsense }),
          });
          expect([404, 422], `${name}: ${nonsense.slice(0, 20)}: ${response.text}`).toContain(
            response.status,
          );
          expect(response.text).not.toContain(CANARY);
        }
      }
    },
  );
});

it('no log line contains input or credentials', () => {
  const log = api.logLines.join('');
  expect(api.logLines.length).toBeGreaterThan(200);
  for (const secret of [
    CANARY,
    attackersKey.split('_')[2] ?? '',
    attacker.session,
    attacker.donateToken,
    victim.overlayToken,
    victimsControl,
    attackersControl,
    attacker.email,
    'correct horse',
    'zpub',
  ])
    expect(log).not.toContain(secret);
});
