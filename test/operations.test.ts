import { createApiClient, openEventStream, repositoryFolder, type StackService } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  linesOfRequest,
  logText,
  placeOrder,
  runPaywatch,
  startOperatedStack,
  type OperatedStack,
  type Order,
} from './support/operated-stack.ts';
import { isOfRequest } from './support/trace-collector.ts';

/*
 * One stack as an operator sees it: a request is followed through all processes, Postgres is lost and restored, and finally all logs,
 * traces, Redis commands and rows are searched for secrets. The order matters, because failures produce most log lines.
 */

const ENDPOINT_PATH = '/webhooks/cAnArY-in-the-path-of-an-endpoint';

const parts = new AsyncDisposableStack();
let operated: OperatedStack;
beforeAll(async () => {
  operated = await startOperatedStack(parts, ENDPOINT_PATH);
});
afterAll(() => parts.disposeAsync());

test('a request id is in the log of every process that works on the request, and in its spans', async () => {
  const { collector } = operated;
  const order = await placeOrder(operated, 'order-of-a-shop-1');
  await payAndConfirm(order);
  const event = await confirmedEvent(order);
  await expectLines('order-of-a-shop-1', [
    'api: request completed',
    'watcher: invoice outcome decided',
    'webhook-worker: delivery dispatched',
    'webhook-worker: webhook delivered',
  ]);
  await redeliver(event.id, 'redelivery-by-a-shop-1');
  await expectLines('redelivery-by-a-shop-1', [
    'api: request completed',
    'webhook-worker: delivery dispatched',
    'webhook-worker: webhook delivered',
  ]);
  const spansOf = (requestId: string) =>
    collector.spans.filter(isOfRequest(requestId)).map(({ name }) => name);
  await expect
    .poll(() => spansOf('order-of-a-shop-1').toSorted())
    .toEqual(['createInvoice', expect.stringContaining('process')]);
});

test('after a restore of Postgres from backup and WAL nothing archived is lost, and no address is leased twice', async () => {
  const { stack } = operated;
  const backup = await stack.postgres.backUp();
  const [paidBefore, paidMeanwhile] = [
    await placeOrder(operated, 'order-paid-before'),
    await placeOrder(operated, 'order-paid-meanwhile'),
  ];
  stack.receiver.always({ status: 503 });
  const unreported = await placeOrder(operated, 'order-without-webhook');
  await payAndConfirm(unreported);
  const refused = await waitUntil(() => stack.receiver.received.find(isAbout(unreported)), {
    what: 'the attempt that fails',
  });
  await stack.payers.BTC.pay(paidBefore.address, BigInt(paidBefore.expected_amount));
  await waitUntil(() => statusOf(paidBefore).then((status) => status === 'pending'), {
    what: 'the payment',
  });
  await backup.archiveLog();
  const lost = [await placeOrder(operated, 'order-lost-1'), await placeOrder(operated, 'order-lost-2')];

  await stack.postgres.kill();
  await expect.poll(() => statusOf(lost[0] ?? unreported)).toBe('service_unavailable');
  await Promise.all(operated.services.map((service) => service.stop()));
  await backup.restore();
  expect(await runPaywatch(operated, 'migrate')).toContain('up to date');
  await execute(statementOfRunbook());
  await stack.redis.flush();
  await stack.payers.BTC.pay(paidMeanwhile.address, BigInt(paidMeanwhile.expected_amount));
  await stack.payers.BTC.mine(2);
  stack.receiver.always(undefined);
  const { watcher, webhookWorker, api } = stack.services;
  for (const services of [watcher, [...webhookWorker, ...api]]) await Promise.all(services.map(restart));
  // The balancer detects the replicas again by itself.
  for (const order of lost) await expect.poll(() => statusOf(order)).toBe('invoice_not_found');

  for (const order of [paidBefore, paidMeanwhile]) await confirmedEvent(order);
  await redeliver(refused.event?.id ?? '', 'redelivery-after-all');
  expect(await confirmedEvent(unreported)).toEqual(refused.event);
  const later = await Promise.all(
    Array.from({ length: 8 }, (_, index) => placeOrder(operated, `order-after-all-${index}`)),
  );
  const all = [paidBefore, paidMeanwhile, unreported, ...lost, ...later].map(({ address }) => address);
  expect(new Set(all).size).toBe(all.length);
  const [one] = later;
  if (!one) throw new Error('no orders');
  await payAndConfirm(one);
  await confirmedEvent(one);
  expect(await runPaywatch(operated, 'doctor')).toContain('All checks passed.');
});

test('no secret and no capability URL is in a log, a trace or Redis, nor in an unexpected place in Postgres', async () => {
  const { stack, merchant, webhookSecret, collector, commands } = operated;
  const call = createApiClient(stack.url);
  const me = z.object({ project: z.object({ donate_token: z.string(), overlay_token: z.string() }) });
  const { project } = await call({ method: 'GET', path: '/v1/me', as: { session: merchant.session } }, me);
  await useCapabilities(project);
  await sendCanaries();
  const places: Record<string, readonly string[]> = {
    [merchant.password]: [],
    [secretPart(merchant.session)]: [],
    [secretPart(merchant.apiKey)]: [],
    [webhookSecret.replace('whsec_', '')]: [],
    [merchant.wallet.xpub]: [],
    [await storedKey()]: ['pools'],
    [project.donate_token]: ['projects'],
    [project.overlay_token]: ['projects'],
    [ENDPOINT_PATH]: ['webhook_endpoints', 'delivery_attempts'],
    [new URL(stack.env['DATABASE_URL'] ?? '').password]: [],
    [stack.env['ENCRYPTION_KEYS']?.split(':')[1] ?? '']: [],
    [CANARY]: [],
  };
  await waitUntil(() => collector.raw.some((sent) => sent.includes('getDonationLink')), {
    what: 'the traces',
  });
  const written: Record<string, string> = {
    logs: logText(operated),
    traces: collector.raw.join('\n'),
    redis: commands.join('\n'),
  };
  // Check that the search covers all processes, the jobs of the queue, and texts that could contain secrets.
  for (const service of ['api', 'watcher', 'webhook-worker'])
    expect(written['logs']).toContain(`"service":"${service}"`);
  expect(written['redis']).toContain('deliveryId');
  const rows = await readTables();
  for (const [secret, tables] of Object.entries(places)) {
    expect(secret.length).toBeGreaterThan(8);
    const found = Object.keys(written).filter((where) => written[where]?.includes(secret));
    const stored = [...rows].flatMap(([table, text]) => (text.includes(secret) ? [table] : []));
    expect({ secret, found, stored: stored.toSorted() }).toEqual({
      secret,
      found: [],
      stored: [...tables].toSorted(),
    });
  }
});

/** Sends secrets in requests, as an attacker or a careless merchant would. */
const CANARY = 'cAnArY7cAnArY7cAnArY7cAnArY7cAnArY7';

async function payAndConfirm({ address, expected_amount: amount }: Order): Promise<void> {
  const payer = operated.stack.payers.BTC;
  await payer.pay(address, BigInt(amount));
  await payer.mine(1);
}

type Webhook = { event: { id: string; type: string; data: { invoice: { public_id: string } } } | undefined };

function isAbout({ public_id: id }: Order): (webhook: Webhook) => boolean {
  return ({ event }) => event?.data.invoice.public_id === id;
}

/** Waits until the merchant has accepted the webhook of the order's outcome. */
function confirmedEvent(order: Order) {
  const isTold = () =>
    operated.stack.receiver.received.find(
      (webhook) => isAbout(order)(webhook) && webhook.answeredStatus === 200,
    )?.event;
  return waitUntil(isTold, { what: `the webhook about ${order.public_id}` });
}

async function redeliver(eventId: string, requestId: string): Promise<void> {
  const { stack, merchant } = operated;
  const headers = { 'x-api-key': merchant.apiKey, 'x-request-id': requestId };
  const response = await fetch(`${stack.url}/v1/events/${eventId}/redeliver`, { method: 'POST', headers });
  expect(response.status).toBe(202);
}

/** The status of an order, or the error code of the response. */
async function statusOf({ public_id: id }: Order): Promise<string> {
  const response = await fetch(`${operated.stack.url}/v1/public/invoices/${id}`);
  const { status, code } = z
    .object({ status: z.unknown(), code: z.string().optional() })
    .parse(await response.json().catch(() => ({ code: 'service_unavailable' })));
  return code ?? String(status);
}

async function expectLines(requestId: string, lines: readonly string[]): Promise<void> {
  await expect.poll(() => linesOfRequest(operated, requestId)).toEqual(lines);
}

function restart(service: StackService): Promise<void> {
  return service.restart();
}

/** The runbook's statement for lost transactions, unchanged. */
function statementOfRunbook(): string {
  const text = readFileSync(join(repositoryFolder, 'infra/runbooks/backup-and-restore.md'), 'utf8');
  const statement = /```sql\n(.*?)```/s.exec(text)?.[1];
  if (statement === undefined) throw new Error('the runbook has no statement');
  return statement;
}

function execute(statement: string): Promise<readonly Record<string, unknown>[]> {
  return withSql((sql) => sql.unsafe(statement));
}

async function withSql<T>(use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(operated.stack.postgres.url, { max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Every row of every table as text, by the name of its table. */
function readTables(): Promise<Map<string, string>> {
  return withSql(async (sql) => {
    const tables = await sql<{ schema: string; name: string }[]>`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
    const read = new Map<string, string>();
    for (const { schema, name } of tables) {
      const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(schema)}.${sql(name)} t`;
      read.set(name, rows.map(({ row }) => row).join('\n'));
    }
    return read;
  });
}

/** The merchant's extended key in the format in which Paywatch stores it. */
async function storedKey(): Promise<string> {
  const [pool] = await execute('select xpub from pools');
  return String(pool?.['xpub']);
}

/** The secret part of a token, without its prefix and public id. */
function secretPart(token: string): string {
  return token.replace(/^(?:ses|pw_[^_]+)_/, '');
}

async function useCapabilities(project: { donate_token: string; overlay_token: string }): Promise<void> {
  const { url } = operated.stack;
  const link = `${url}/v1/public/donate/${project.donate_token}`;
  expect((await fetch(link)).status).toBe(200);
  const body = JSON.stringify({ currency: 'BTC', amount: '10000', donor_name: 'A', donor_message: 'B' });
  await fetch(link, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const overlay = await openEventStream(`${url}/v1/public/overlay/${project.overlay_token}/events`);
  overlay.close();
}

/** Requests with made-up secrets in every possible place, each with an error that may be logged. */
async function sendCanaries(): Promise<void> {
  const { stack, merchant } = operated;
  const json = { 'content-type': 'application/json' };
  const login = { email: merchant.email, password: CANARY };
  const wallet = { currency: 'BTC', xpub: `tprv8ZgxMBicQKsPd${CANARY}` };
  const requests: [string, RequestInit][] = [
    ['/v1/auth/login', { method: 'POST', headers: json, body: JSON.stringify(login) }],
    ['/v1/invoices', { headers: { 'x-api-key': `pw_abcdefghi_${CANARY}` } }],
    ['/v1/me', { headers: { authorization: `Bearer ses_${CANARY}` } }],
    [`/v1/public/overlay/${CANARY}/events`, {}],
    [`/v1/public/donate/${CANARY}`, { method: 'POST', headers: json, body: `{"${CANARY}` }],
    [
      '/v1/wallets',
      { method: 'POST', headers: { ...json, 'x-api-key': merchant.apiKey }, body: JSON.stringify(wallet) },
    ],
  ];
  for (const [path, init] of requests) {
    const response = await fetch(`${stack.url}${path}`, init);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain(CANARY);
  }
}
