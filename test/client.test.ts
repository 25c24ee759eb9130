import {
  createPaywatch,
  InvoiceNotFoundError,
  RateUnavailableError,
  WalletNotVerifiedError,
  type OverlayDonation,
} from '@paywatch/client';
import {
  createApiClient,
  openMerchant,
  repositoryFolder,
  type Merchant,
  startStack,
  type Stack,
} from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';

import { ERROR_CODES, OPERATIONS } from '@paywatch/domain/contract';
import { pinnedRuntimes, type Runtime } from '@paywatch/runtimes';
import { openStore, type Store } from '@paywatch/store';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { codeSamples } from '../services/web/src/account/screens/start/code-samples.ts';
import { launchBrowser } from './browser/scene.ts';
import { replayExamples } from './replay-examples.ts';
import { replayProblems } from './replay-problems.ts';
import { installClient } from './support/install-client.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

/* Tests the merchants' client, and the examples in its README, on a complete stack. */

const CLIENT = join(repositoryFolder, 'packages/client');

/** The first merchant is the operator, who sells subscriptions. */
const ENVIRONMENT = {
  // As in the examples: an IP address could have no passkeys.
  PUBLIC_URL: 'https://pay.example',
  DEFAULT_GAP_LIMIT: '20',
  // As in the examples of the reference.
  WALLET_CHANGE_DELAY: '86400',
  LOGIN_LIMIT_POINTS: '100',
  // The examples and the problems are all of one network.
  PASSWORD_CHANGE_LIMIT_POINTS: '100',
  SUBSCRIPTION_SELLER: 'merchant-1@example.org',
  SUBSCRIPTION_PRICE_BTC: '0.0003',
};

/** Replacements for what a code sample gets from its surrounding endpoint. */
const ENDPOINT = `
const rawBody = '{}';
const request: { headers: Record<string, string> } = { headers: {} };
const deliver = (orderId: string | null) => orderId;
`;

let stack: Stack;
let store: Store;
let merchant: Merchant;
let shop: string;
let samples: ReturnType<typeof codeSamples>;
beforeAll(async () => {
  stack = await startStack({ mweb: false, ownServers: true, secured: true, env: ENVIRONMENT });
  store = openStore({
    databaseUrl: stack.postgres.url,
    redisUrl: stack.redis.url,
    redisPrefix: 'pw',
    role: 'api',
    applicationName: 'test',
    onRedisError: () => undefined,
  });
  merchant = await openMerchant(createApiClient(stack.url), { number: 1, currency: 'BTC', gapLimit: 100 });
  shop = join(stack.folder, 'shop');
  const everything = readFileSync(new URL('support/client-program.ts', import.meta.url), 'utf8');
  samples = codeSamples({ origin: stack.url, currency: 'BTC', endpoint: stack.receiver.url });
  const shown = Object.entries(samples).map(([step, { typescript }]) => [step, `${ENDPOINT}${typescript}`]);
  const programs = { order: firstProgram(), 'client-program': everything, ...Object.fromEntries(shown) };
  installClient(shop, programs);
});
afterAll(async () => {
  await store.close();
  await stack.stop();
});

// Runs first: its examples contain the statistics of a new merchant.
test('every example in the API reference matches the response of a real run', async () => {
  const replayed = await replayExamples(stack, store);
  const shown = new Set(replayed.map(({ operation }) => operation));
  expect([...shown].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  for (const { operation, documented, answered } of replayed) expect(answered, operation).toEqual(documented);
});

const paywatch = () =>
  createPaywatch({ baseUrl: stack.url, apiKey: merchant.apiKey, sessionToken: merchant.session });

test('the unchanged first program of its README follows an order until it is paid', async () => {
  const [oldestNode] = pinnedRuntimes();
  const credentials = { PAYWATCH_URL: stack.url, PAYWATCH_API_KEY: merchant.apiKey };
  const child = startProgram(oldestNode!, 'order', credentials);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await expect.poll(() => output).toContain('new 0 of 1 confirmations');
  const [, publicId = ''] = /Pay at \S+\/(inv_\w+)/.exec(output) ?? [];
  const { address, expected_amount: amount } = await paywatch().invoices.get(publicId);
  await stack.payers.BTC.pay(address, BigInt(amount ?? 0));
  await expect.poll(() => output).toContain('pending 0 of 1 confirmations');
  await stack.payers.BTC.mine();
  expect(await ended).toBe(0);
  expect(output).toMatch(/confirmed 1 of 1 confirmations\n$/);
});

test.each(pinnedRuntimes())('the client runs in $name', async (runtime) => {
  const child = startProgram(runtime, 'client-program', {
    PAYWATCH_URL: stack.url,
    PAYWATCH_API_KEY: merchant.apiKey,
    ...(await deliveredWebhook()),
  });
  const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  expect(errors).toBe('');
  expect(JSON.parse(output)).toEqual({
    status: 'new',
    streamed: ['new'],
    listed: 0,
    pages: 2,
    refused: true,
    event: stack.receiver.received.at(-1)?.event?.id,
    forgery: 'signature_mismatch',
  });
});

/** A received webhook, as environment variables of a program. */
async function deliveredWebhook(): Promise<Record<'BODY' | 'SIGNATURE' | 'SECRET', string>> {
  const { secret } = await paywatch().webhooks.set({ url: stack.receiver.url });
  stack.receiver.setSecrets(secret);
  const { id } = await paywatch().webhooks.test({ type: 'invoice.confirmed' });
  await stack.receiver.waitFor((event) => event.id === id);
  const { rawBody, headers } = stack.receiver.received.at(-1)!;
  return { BODY: rawBody, SIGNATURE: String(headers['x-signature']), SECRET: secret };
}

test('its public part runs in a browser on another site', async () => {
  const { public_id } = await paywatch().invoices.create({ currency: 'BTC', type: 'donation' });
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const source = JSON.stringify(readFileSync(join(CLIENT, 'dist/index.js'), 'utf8'));
  const followed: unknown = await page.evaluate(`(async () => {
    const address = URL.createObjectURL(new Blob([${source}], { type: 'text/javascript' }));
    const { createPaywatch } = await import(address);
    const { public: open } = createPaywatch({ baseUrl: '${stack.url}' });
    const refusal = await open.getDonationLink('unknown').catch((error) => error.name);
    const { value } = await open.followInvoice('${public_id}', { lastEventId: '0' }).next();
    return [value.data.status, refusal];
  })()`);
  expect(followed).toEqual(['new', 'NotFoundError']);
});

test('repeating an order returns the same invoice and reports changed parameters', async () => {
  const order = { currency: 'BTC', type: 'order', expected_amount: '90000', order_id: 'twice' } as const;
  const first = await paywatch().invoices.create(order);
  expect(first).toMatchObject({ replayed: false, mismatched: false });
  expect(await paywatch().invoices.create(order)).toMatchObject({
    public_id: first.public_id,
    replayed: true,
    mismatched: false,
  });
  const dearer = await paywatch().invoices.create({ ...order, expected_amount: '90001' });
  expect(dearer).toMatchObject({ public_id: first.public_id, replayed: true, mismatched: true });
});

test('an order with a price is paid at its locked rate, which says that it is invented', async () => {
  const shopOwner = paywatch();
  const readRate = () =>
    shopOwner.public.getExchangeRate('BTC', { in: 'GBP' }).catch((error: unknown) => {
      // Until the watcher has read the markets.
      if (error instanceof RateUnavailableError) return null;
      throw error;
    });
  const rate = await waitUntil(readRate, { what: 'the first reading of the rate' });
  expect(rate.sources).toEqual(['bitstamp (local)', 'coinbase (local)', 'kraken (local)']);
  const created = await shopOwner.invoices.create({
    currency: 'BTC',
    type: 'order',
    price: { amount: '19.99', currency: 'GBP' },
  });
  // The market moves before the payment.
  stack.markets.setPrice('BTC', 'GBP', 70_000);
  await stack.payers.BTC.pay(created.address, BigInt(created.expected_amount ?? 0));
  await stack.payers.BTC.mine();
  const isPaid = async () => {
    const invoice = await shopOwner.invoices.get(created.public_id);
    return invoice.status === 'confirmed' ? invoice : null;
  };
  const paid = await waitUntil(isPaid, { what: 'the order to be confirmed' });
  expect(paid).toMatchObject({ price: created.price, rate: created.rate, overpaid_amount: '0' });
});

test('lists iterate over all pages, and API errors are errors of their class', async () => {
  const numbers = ['a', 'b', 'c', 'd', 'e'];
  for (const order_id of numbers)
    await paywatch().invoices.create({ currency: 'BTC', type: 'order', expected_amount: '80000', order_id });
  const listed: (string | null)[] = [];
  for await (const { order_id } of paywatch().invoices.list({ limit: 2, status: 'new' }))
    listed.push(order_id);
  expect(listed.filter((id) => numbers.includes(id ?? ''))).toEqual(numbers.toReversed());
  await expect(paywatch().invoices.get('inv_1')).rejects.toBeInstanceOf(InvoiceNotFoundError);
  const litecoin = { currency: 'LTC', type: 'donation' } as const;
  await expect(paywatch().invoices.create(litecoin)).rejects.toBeInstanceOf(WalletNotVerifiedError);
});

test('following an overlay survives the restart of every replica: each donation arrives once, in order', async () => {
  const { project } = await paywatch().account.me();
  const donations: OverlayDonation[] = [];
  const leaving = new AbortController();
  const following = follow();
  await donate('before');
  await expect.poll(() => donations.length).toBe(1);
  await Promise.all(stack.services.api.map((replica) => replica.kill()));
  await Promise.all(stack.services.api.map((replica) => replica.restart()));
  await waitUntil(async () => (await fetch(`${stack.url}/v1/openapi.json`)).ok, {
    what: 'the balancer to see a replica',
  });
  await donate('after');
  await expect.poll(() => donations.length).toBe(2);
  leaving.abort();
  await expect(following).rejects.toBe(leaving.signal.reason);
  expect(donations.map(({ donor_name: name }) => name)).toEqual(['before', 'after']);

  async function follow(): Promise<void> {
    const stream = paywatch().public.followOverlay(project.overlay_token, {
      lastEventId: '0',
      signal: leaving.signal,
    });
    for await (const { data } of stream) donations.push(data);
  }
  async function donate(donor_name: string): Promise<void> {
    const body = { currency: 'BTC', donor_name } as const;
    const { public_id } = await paywatch().public.createDonation(project.donate_token, body);
    const { address } = await paywatch().public.getInvoice(public_id);
    await stack.payers.BTC.pay(address, 60_000n);
    await stack.payers.BTC.mine();
  }
});

test.each(['key', 'invoice', 'webhook'] as const)(
  'the curl and client samples of the account area for the step %s work',
  async (step) => {
    const env = {
      PATH: String(process.env['PATH']),
      PAYWATCH_API_KEY: merchant.apiKey,
      PAYWATCH_SESSION: merchant.session,
    };
    const curl = spawnSync('sh', ['-c', samples[step].curl.replace('curl', 'curl -sSf')], { env });
    expect(String(curl.stderr)).toBe('');
    expect(curl.status).toBe(0);
    const [oldestNode] = pinnedRuntimes();
    const child = startProgram(oldestNode!, step, env);
    const [errors, status] = await Promise.all([text(child.stderr!), once(child, 'close')]);
    // No request was sent to the sample's endpoint here.
    const reason = step === 'webhook' ? 'No X-Signature header.' : '';
    expect(errors).toContain(reason);
    expect(status[0]).toBe(reason === '' ? 0 : 1);
  },
);

// Runs last: it stops Postgres.
test('every error example matches a real error response', async () => {
  const replayed = await replayProblems(stack, store);
  expect(replayed.map(({ code }) => code).toSorted()).toEqual(Object.keys(ERROR_CODES).toSorted());
  for (const { code, documented, answered } of replayed) expect(answered, code).toEqual(documented);
});

/** The first program of the README. */
function firstProgram(): string {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? [];
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(15);
  return program;
}

/** Runs a program in the folder where the client is installed. */
function startProgram({ program, args }: Runtime, name: string, env: Record<string, string>): ChildProcess {
  return spawn(program, [...args, `${name}.js`], {
    cwd: shop,
    // No cache, and no check for a newer version.
    env: { ...env, HOME: shop, DENO_DIR: join(shop, '.deno'), DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
