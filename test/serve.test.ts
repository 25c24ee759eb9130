import {
  createApiClient,
  openEventStream,
  openMerchant,
  serviceProgram,
  spawnService,
  startStack,
  type ApiClient,
  type Merchant,
  type Stack,
  type StackService,
} from '@paywatch/dev/stack';
import { freePort } from '@paywatch/dev/servers';
import { HANG_TIMEOUT_MS, waitUntil } from '@paywatch/dev/testing';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

/* `paywatch serve`: one process with all roles, on real servers and a real chain. The order matters: the last test stops it. */

const parts = new AsyncDisposableStack();
let stack: Stack;
let call: ApiClient;
let merchant: Merchant;
let serve: StackService;
beforeAll(async () => {
  stack = await startStack({ serve: true, ownServers: true, mweb: false });
  parts.defer(stack.stop);
  const [only] = stack.services.serve;
  if (only === undefined) throw new Error('serve did not start');
  serve = only;
  call = createApiClient(stack.url);
  merchant = await openMerchant(call, { number: 1, currency: 'BTC', gapLimit: 100 });
  const { secret } = await call(
    { method: 'POST', path: '/v1/webhooks', body: { url: stack.receiver.url }, as: merchant },
    z.object({ secret: z.string() }),
  );
  stack.receiver.setSecrets(secret);
});
afterAll(() => parts.disposeAsync());

test('one process takes an order, shows its page, sees the payment, streams it, and sends webhook and mail', async () => {
  const order = await placeOrder();
  expect((await fetch(`${stack.url}/pay/${order.public_id}`)).status).toBe(200);
  const stream = await openEventStream(`${stack.url}/v1/public/invoices/${order.public_id}/events`);
  onTestFinished(() => stream.close());
  await pay(order);
  await stream.waitFor(({ data }) => data.includes('"pending"'));
  await mine();
  await stream.waitFor(({ data }) => data.includes('"confirmed"'));
  expect(await outcomesOf(order)).toEqual(['invoice.confirmed']);
  expect(await stack.mail.waitFor(() => true)).toMatchObject({ to: merchant.email });
});

test('health, metrics and log of one process name every role', async () => {
  const at = (path: string) => fetch(`http://127.0.0.1:${serve.adminPort}${path}`);
  expect(await (await at('/health/ready')).json()).toEqual({ status: 'ok', checks: { postgres: 'ok' } });
  const metrics = await (await at('/metrics')).text();
  for (const role of ['api', 'watcher', 'webhook-worker'])
    expect(metrics).toContain(`paywatch_postgres_up{service="${role}"} 1`);
  expect(metrics).toMatch(/^process_resident_memory_bytes\{service="serve"\} \d+$/m);
  expect(metrics.match(/^# TYPE paywatch_postgres_up /gm)).toHaveLength(1);
  const services = readFileSync(join(stack.folder, `${serve.name}.log`), 'utf8')
    .split('\n')
    .flatMap((line) => /"service":"([^"]+)"/.exec(line)?.[1] ?? []);
  expect(new Set(services)).toEqual(new Set(['api', 'watcher', 'webhook-worker']));
});

test('killed while payments and webhooks are under way and started again, it loses and repeats no outcome', async () => {
  const [undelivered, inMempool, unseen] = [await placeOrder(), await placeOrder(), await placeOrder()];
  // The attempt is still open when the process is killed, so its outcome is never recorded.
  stack.receiver.script({ status: 503, delayMs: 8000 });
  await pay(undelivered);
  await mine();
  await waitUntil(() => stack.receiver.received.some(isAbout(undelivered)), { what: 'the first attempt' });
  await pay(inMempool);
  await waitUntil(async () => (await statusOf(inMempool)) === 'pending', { what: 'the payment' });
  await serve.kill();
  await pay(unseen);
  await mine();
  await serve.restart();
  for (const order of [undelivered, inMempool, unseen])
    expect(await outcomesOf(order)).toEqual(['invoice.confirmed']);
});

test('services beside it share the work, and go on when it ends', async () => {
  const orders = await Promise.all([placeOrder(), placeOrder()]);
  for (const name of ['watcher', 'webhook-worker']) await startBeside(name);
  for (const order of orders) await pay(order);
  await serve.stop();
  await mine();
  for (const order of orders) expect(await outcomesOf(order)).toEqual(['invoice.confirmed']);
  await serve.restart();
});

test('the command `paywatch serve` reports all errors of the configuration and starts nothing', async () => {
  const { DATABASE_URL: _url, BTC_NODE_URL: _node, ...env } = stack.env;
  const wrong = { ...env, POLL_INTERVAL_MS: '1', WEBHOOK_CONCURRENCY: '1', PORT: 'x' };
  const { code, stderr } = await paywatch(['serve'], wrong);
  expect(code).toBe(1);
  for (const name of ['DATABASE_URL', 'POLL_INTERVAL_MS', 'WEBHOOK_CONCURRENCY', 'PORT'])
    expect(stderr.match(new RegExp(`^\\s+${name}: `, 'gm'))).toHaveLength(1);
});

test('on SIGTERM it ends open streams and exits with code 0 in time', async () => {
  const order = await placeOrder();
  const stream = await openEventStream(`${stack.url}/v1/public/invoices/${order.public_id}/events`);
  onTestFinished(() => stream.close());
  await stream.waitFor(() => true);
  // Throws if the process has to be killed.
  await serve.stop();
  const log = readFileSync(join(stack.folder, `${serve.name}.log`), 'utf8');
  expect(log).not.toContain('shutdown step failed');
});

const orderShape = z.object({ public_id: z.string(), address: z.string(), expected_amount: z.string() });
type Order = z.infer<typeof orderShape>;

/** Retries until the pool has addresses. */
function placeOrder(): Promise<Order> {
  const body = { currency: 'BTC', type: 'order', expected_amount: '250000' };
  return waitUntil(
    () =>
      call({ method: 'POST', path: '/v1/invoices', body, as: { apiKey: merchant.apiKey } }, orderShape).catch(
        () => undefined,
      ),
    { what: 'an order' },
  );
}

function pay({ address, expected_amount: amount }: Order): Promise<unknown> {
  return stack.payers.BTC.pay(address, BigInt(amount));
}

async function mine(): Promise<void> {
  await stack.payers.BTC.mine(2);
}

async function statusOf({ public_id: id }: Order): Promise<string> {
  const response = await fetch(`${stack.url}/v1/public/invoices/${id}`);
  return z.object({ status: z.string() }).parse(await response.json()).status;
}

function isAbout({ public_id: id }: Order) {
  return ({ rawBody }: { rawBody: string }) => rawBody.includes(id);
}

/** The types of the distinct events about an order that the merchant has accepted; waits for the first. */
async function outcomesOf(order: Order): Promise<string[]> {
  const accepted = () =>
    stack.receiver.received.filter(isAbout(order)).filter(({ answeredStatus }) => answeredStatus === 200);
  await waitUntil(() => accepted().length > 0, { what: `the webhook about ${order.public_id}` });
  return [...new Map(accepted().map(({ event }) => [event?.id, event?.type ?? 'refused'])).values()];
}

async function startBeside(name: string): Promise<void> {
  const env = { ...stack.env, ADMIN_PORT: String(await freePort()) };
  const started = await spawnService({ name, entry: serviceProgram(name), env, folder: stack.folder });
  onTestFinished(() => started.stop());
}

function paywatch(
  words: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...env }, timeout: HANG_TIMEOUT_MS };
    execFile(process.execPath, [serviceProgram('cli'), ...words], options, (error, _stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr }),
    );
  });
}
