import type { SeededRandom } from '@paywatch/dev/testing';
import { openApiDocument } from '@paywatch/domain/openapi';
import { OPERATIONS, type Operation } from '@paywatch/domain/contract';
import { randomBase58 } from '@paywatch/runtime/security';
import { hostileFile } from './hostile-files.ts';
import { hostileBody, hostileHeaders, hostileJson, LONGEST_BODY_BYTES, nastyText } from './hostile-values.ts';
import type { RawRequest } from './raw-client.ts';
import type { FuzzAccount, FuzzWorld } from './world.ts';

type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
};
type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema };
type Documented = {
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json'?: { schema: Schema; example: Record<string, unknown> } } };
};

/** One operation as the fuzzer attacks it. Made from the table, so a new operation is attacked by being there. */
export type Target = {
  id: string;
  operation: Operation;
  parameters: readonly Parameter[];
  body: { properties: Readonly<Record<string, Schema>>; example: Readonly<Record<string, unknown>> } | null;
};

/** Every operation of the contract. */
export function fuzzTargets(): Target[] {
  const document = JSON.parse(
    JSON.stringify(openApiDocument({ baseUrl: 'https://pay.example', version: '1' })),
  );
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  return Object.entries<Operation>(OPERATIONS).map(([id, operation]) => {
    const documented: Documented = document.paths[operation.path][operation.method];
    const content = documented.requestBody?.content['application/json'];
    return {
      id,
      operation,
      parameters: documented.parameters ?? [],
      body:
        content === undefined
          ? null
          : { properties: resolve(content.schema).properties ?? {}, example: content.example },
    };
  });
}

/** These end what the others need; and a right password costs a hash of 40 ms outside of the event loop. */
const ENDS_CREDENTIALS = new Set([
  'logout',
  'logoutAll',
  'changePassword',
  'revokeApiKey',
  'rotateProjectToken',
  'deletePaymentLink',
  'deleteUpload',
  'rotatePaymentLinkToken',
]);
const HASHES = new Set(['register', 'login', 'changePassword']);

/** A request to an operation: valid, nearly valid, or hostile in one place or another. */
export function makeRequest(random: SeededRandom, target: Target, world: FuzzWorld): RawRequest {
  const { operation, id } = target;
  const account = ENDS_CREDENTIALS.has(id) ? world.expendable : world.lasting;
  const body = bodyOf(random, target);
  const own: [string, string][] = [
    ['Host', 'pay.example'],
    ['X-Forwarded-For', `93.${random.integer(256)}.${random.integer(256)}.${random.integer(256)}`],
    ...credentials(random, operation, account),
    ...(body === null
      ? []
      : ([['Content-Type', operation.upload ? 'application/octet-stream' : 'application/json']] as [
          string,
          string,
        ][])),
  ];
  const hostile = random.happens(0.2) ? hostileHeaders(random) : [];
  const replaced = new Set(hostile.map(([name]) => name.toLowerCase()));
  const headers = [...own.filter(([name]) => !replaced.has(name.toLowerCase())), ...hostile];
  return {
    method: random.happens(0.02)
      ? random.pick(['HEAD', 'PUT', 'OPTIONS', 'TRACE'])
      : operation.method.toUpperCase(),
    path: makePath(random, target, account),
    headers: body === null ? headers : [...headers, ['Content-Length', String(body.length)]],
    body,
  };
}

function bodyOf(random: SeededRandom, target: Target): Buffer | null {
  if (target.operation.upload) return hostileFile(random);
  return target.body === null ? null : makeBody(random, target, target.body);
}

function credentials(random: SeededRandom, { auth }: Operation, account: FuzzAccount): [string, string][] {
  if (auth === 'none' || random.happens(0.05)) return [];
  if (auth === 'key' && random.happens(0.7)) return [['X-Api-Key', account.apiKey]];
  return [['Authorization', `Bearer ${account.session}`]];
}

function makePath(random: SeededRandom, { operation, parameters }: Target, account: FuzzAccount): string {
  const isHostile = random.happens(0.15);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    isHostile ? hostileSegment(random) : (knownParameter(name, operation, account) ?? 'x'),
  );
  return `${path}${makeQuery(random, parameters)}`;
}

function knownParameter(name: string, { path }: Operation, account: FuzzAccount): string | undefined {
  return {
    publicId: 'inv_1111111111111111',
    id: account.eventId,
    endpointId: account.endpointId,
    keyPublic: account.keyPublic,
    currency: 'BTC',
    kind: 'donate',
    linkId: account.linkId,
    uploadId: account.uploadId,
    token: tokenFor(path, account),
  }[name];
}

function tokenFor(path: string, account: FuzzAccount): string {
  if (path.includes('control')) return account.controlToken;
  if (path.includes('overlay')) return account.overlayToken;
  return path.includes('links') ? account.linkToken : account.donateToken;
}

function hostileSegment(random: SeededRandom): string {
  const text = nastyText(random, random.pick([1, 20, 1000, 4000]));
  return random.happens(0.8)
    ? encodeURIComponent(text.toWellFormed())
    : text.replaceAll(/[\s\p{Cc}?#]/gu, '%');
}

/** None, those of the operation with a hostile value, or what no operation knows. */
function makeQuery(random: SeededRandom, parameters: readonly Parameter[]): string {
  if (parameters.some(({ name }) => name === 'kind') && random.happens(0.8))
    return random.pick(['?kind=image', '?kind=sound']);
  if (random.happens(0.6)) return '';
  const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name =
    names.length > 0 && random.happens(0.8)
      ? random.pick(names)
      : random.pick(['limit', '__proto__', 'a[b]', 'lang']);
  const value = encodeURIComponent(nastyText(random, random.pick([1, 10, 500])).toWellFormed());
  return random.pick([
    `?${name}=${value}`,
    `?${name}=1&${name}=2`,
    `?${`${name}=1&`.repeat(1200)}`,
    `?${'&'.repeat(10_000)}`,
    `?${'%'.repeat(8000)}`,
    `?${'%ff'.repeat(3000)}`,
    `?${name}[a][b]=1`,
    `?${Array.from({ length: 1000 }, (_, i) => `k${i}=1`).join('&')}`,
  ]);
}

function makeBody(random: SeededRandom, { id }: Target, body: NonNullable<Target['body']>): Buffer {
  const valid = validBody(random, body.example);
  if (random.happens(0.2)) return hostileBody(random, JSON.stringify(valid));
  if (random.happens(HASHES.has(id) ? 0.01 : 0.2)) return Buffer.from(JSON.stringify(valid));
  const fields = Object.keys(body.properties);
  if (fields.length === 0 || random.happens(0.1))
    return withField(valid, 'unknown', hostileJson(random, 1000));
  const field = random.pick(fields);
  const schema = body.properties[field] ?? {};
  const room = random.pick([40, 2000, LONGEST_BODY_BYTES - 2048]);
  return withField(valid, field, random.happens(0.4) ? atLimit(random, schema) : hostileJson(random, room));
}

/** Of no wallet here: the whole neighbourhood is searched for it. */
const FOREIGN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

/** The example body of the API reference, with an email and an order id that no other request used. */
function validBody(
  random: SeededRandom,
  example: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const unique = {
    ...('email' in example ? { email: `${randomBase58(8)}@example.com` } : {}),
    ...('order_id' in example ? { order_id: `order-${random.integer(1e9)}` } : {}),
    ...('address' in example && random.happens(0.5) ? { address: FOREIGN_ADDRESS } : {}),
    ...('url' in example ? { url: 'https://shop.example/hook' } : {}),
  };
  return { ...example, ...unique };
}

/** JSON is put together as text: a value may be none that JSON.stringify would write. */
function withField(body: Readonly<Record<string, unknown>>, field: string, json: string): Buffer {
  const others = Object.entries(body).filter(([name]) => name !== field);
  const members = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return Buffer.from(`{${[...members, `${JSON.stringify(field)}:${json}`].join()}}`);
}

/** A value of the right type just inside or just outside of its limits, made of characters that are not ASCII as well. */
function atLimit(
  random: SeededRandom,
  { type, minLength = 0, maxLength = 100, minimum = 0, maximum = 1000 }: Schema,
): string {
  if (type === 'integer' || type === 'number')
    return String(
      random.pick([minimum - 1, minimum, maximum, maximum + 1, maximum * 10, -maximum, minimum + 0.5]),
    );
  const length = random.pick([
    minLength - 1,
    minLength,
    maxLength,
    maxLength + 1,
    4 * maxLength,
    4 * maxLength + 1,
  ]);
  return JSON.stringify(nastyText(random, Math.max(0, length)));
}
