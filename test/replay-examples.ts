import { openEventStream, waitUntil } from '@paywatch/dev';
import type { Stack } from '@paywatch/dev/stack';
import { OPERATIONS, type Operation, type OperationId } from '@paywatch/domain/contract';
import { maskVolatile } from './mask-volatile.ts';

/** An example of the reference beside what a real run answers; what differs from run to run is masked in both. */
export type ReplayedExample = { operation: OperationId; documented: unknown; answered: unknown };

type Example = { request: object | undefined; status: number; response: unknown };
type Call = { params?: Record<string, string>; body?: object; query?: string; as?: Record<string, string> };

/**
 * Lives through the story that the examples of the OpenAPI document tell, with the requests that it shows, on a stack that
 * nobody used before. Streams and what only an operator's machine can answer (fees of a live network) are left out.
 */
export async function replayExamples(stack: Stack): Promise<ReplayedExample[]> {
  const examples = await readExamples(stack.url);
  const replayed: ReplayedExample[] = [];
  const send = async (operation: OperationId, call: Call = {}): Promise<Record<string, unknown>> => {
    const example = examples(operation);
    const body = call.body ?? example.request;
    const answered = await request(stack.url, operation, {
      ...call,
      ...(body === undefined ? {} : { body }),
    });
    replayed.push({
      operation,
      documented: maskVolatile(example.response),
      answered: maskVolatile(answered.body),
    });
    if (answered.status !== example.status)
      throw new Error(`${operation}: ${answered.status} ${JSON.stringify(answered.body)}`);
    return answered.body;
  };

  await send('register');
  const { session_token: session } = await send('login');
  const bearer = { authorization: `Bearer ${String(session)}` };
  const { token } = await send('createApiKey', { as: bearer });
  const key = { 'x-api-key': String(token) };
  const { verification_address: address } = await send('createWallet', { as: bearer });
  await send('verifyWallet', { as: bearer, params: { currency: 'BTC' }, body: { address: String(address) } });
  const { secret } = await send('setWebhook', { as: key, body: { url: stack.receiver.url } });
  stack.receiver.setSecrets(String(secret));

  const publicId = await payOrder(stack, send, key);
  const events = await send('listEvents', { as: key, query: `public_id=${publicId}` });
  const [{ id } = { id: '' }] = events['data'] as { id: string }[];
  await send('getEvent', { as: key, params: { id } });
  await send('getStats', { as: key });
  await send('updateProject', { as: bearer });
  await send('getPublicInvoice', { params: { publicId } });
  const { project } = (await send('getMe', { as: bearer })) as { project: { donate_token: string } };
  await send('getDonationLink', { params: { token: project.donate_token } });
  await send('createDonation', { params: { token: project.donate_token } });
  await send('testOverlay', { as: bearer });
  await send('redeliverEvent', { as: key, params: { id } });
  await send('testWebhook', { as: key });

  const keys = await send('listApiKeys', { as: bearer });
  const [{ key_public: keyPublic } = { key_public: '' }] = keys['data'] as { key_public: string }[];
  await send('revokeApiKey', { as: bearer, params: { keyPublic } });
  await send('rotateProjectToken', { as: bearer, params: { kind: 'donate' } });
  await send('changePassword', { as: bearer });
  return replayed;
}

type Send = (operation: OperationId, call?: Call) => Promise<Record<string, unknown>>;

/** The order of the examples, from its creation to the webhook. */
async function payOrder(stack: Stack, send: Send, as: Record<string, string>): Promise<string> {
  const { public_id, address } = await send('createInvoice', { as });
  const publicId = String(public_id);
  const params = { publicId };
  await send('extendInvoice', { as, params });
  const page = await openEventStream(`${stack.url}/v1/public/invoices/${publicId}/events`);
  await stack.payers.BTC.pay(String(address), 123_400n);
  await page.waitFor(({ data }) => data.includes('"status":"pending"'));
  await stack.payers.BTC.mine(2);
  await stack.receiver.waitFor(({ data }) => data.invoice.public_id === publicId);
  page.close();
  await waitUntil(() => isDelivered(stack.url, as, publicId), { what: 'the attempt to be recorded' });
  await send('getInvoice', { as, params });
  await send('listInvoices', { as, query: 'status=confirmed' });
  return publicId;
}

async function isDelivered(url: string, headers: Record<string, string>, publicId: string): Promise<boolean> {
  const answer = await fetch(`${url}/v1/events?public_id=${publicId}`, { headers });
  return (await answer.text()).includes('"status":"delivered"');
}

type Documented = Record<
  string,
  Record<
    string,
    {
      operationId: string;
      requestBody?: { content: { 'application/json': { example: object } } };
      responses: Record<string, { content?: { 'application/json'?: { example: unknown } } }>;
    }
  >
>;

/** The examples by operation, as the document shows them: of several successes the last, which is no repeat. */
async function readExamples(url: string): Promise<(operation: OperationId) => Example> {
  const { paths } = (await (await fetch(`${url}/v1/openapi.json`)).json()) as { paths: Documented };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return (id) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    const successes = Object.entries(operation?.responses ?? {}).filter(([status]) => status.startsWith('2'));
    const [status, answer] = successes.at(-1) ?? [];
    if (operation === undefined || status === undefined) throw new Error(`${id} is not documented`);
    return {
      request: operation.requestBody?.content['application/json'].example,
      status: Number(status),
      response: answer?.content?.['application/json']?.example,
    };
  };
}

type Answered = { status: number; body: Record<string, unknown> };

/** The addresses of a new wallet are derived behind the scenes: until then the answer is 503. */
function request(url: string, id: OperationId, { params = {}, body, query, as }: Call): Promise<Answered> {
  const { method, path }: Operation = OPERATIONS[id];
  const place = path.replace(/\{(\w+)\}/, (_match, name: string) => params[name] ?? '');
  return waitUntil(
    async () => {
      const response = await fetch(`${url}${place}${query === undefined ? '' : `?${query}`}`, {
        method: method.toUpperCase(),
        headers: { ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answered = { status: response.status, body: (await response.json()) as Record<string, unknown> };
      return answered.status === 503 ? undefined : answered;
    },
    { what: `an answer to ${id}` },
  );
}
