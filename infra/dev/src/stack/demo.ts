import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ApiProblem, createApiClient, type ApiClient, type Credentials } from './api-client.ts';
import { openEventStream, type EventStream } from './event-stream.ts';
import { createMerchantWallet } from '../wallet/merchant-wallet.ts';
import { formatCoins } from '../wallet/format-coins.ts';
import type { Currency } from '../wallet/regtest-address.ts';
import type { Stack } from './stack.ts';
import type { Terminal } from '../commands/terminal.ts';
import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

/** The merchant of the demo, for use by hand afterwards. */
export type DemoMerchant = {
  email: string;
  password: string;
  apiKey: string;
  donateUrl: string;
  overlayUrl: string;
  payUrls: string[];
};

/** The parts of a stack that the demo uses. */
type Scene = Pick<Stack, 'url' | 'payers' | 'receiver'>;

/** In minimal units: 0.0025 BTC, which needs one confirmation, and 0.05 LTC, which needs two. */
const amounts: Record<Currency, string> = { BTC: '250000', LTC: '5000000' };

const invoiceShape = z.object({
  public_id: z.string(),
  status: z.string(),
  address: z.string(),
  expected_amount: z.string(),
  confirmations: z.number(),
  confirmations_required: z.number(),
  pay_url: z.string(),
});
type Invoice = z.infer<typeof invoiceShape>;

/**
 * Runs the main use case over HTTP, once per currency: a merchant registers, verifies a wallet and creates an order; a payer pays; the
 * page shows the payment, a block confirms it, and the signed webhook arrives. Throws at the first step that fails.
 */
export async function runDemo(scene: Scene, terminal: Terminal): Promise<DemoMerchant> {
  const call = createApiClient(scene.url);
  const merchant = await signUp(call, terminal);
  await setUpWebhook(scene, call, terminal, merchant);
  const payUrls = [
    await sellFor('BTC', scene, call, terminal, merchant),
    await sellFor('LTC', scene, call, terminal, merchant),
  ];
  const { email, password, apiKey, donateUrl, overlayUrl } = merchant;
  return { email, password, apiKey, donateUrl, overlayUrl, payUrls };
}

type Merchant = Omit<DemoMerchant, 'payUrls'> & { as: Credentials };

async function signUp(call: ApiClient, terminal: Terminal): Promise<Merchant> {
  const account = { email: 'demo@example.com', password: randomBytes(9).toString('base64url') };
  terminal.line();
  const session = await terminal.step('A merchant registers and logs in', async () => {
    await call({ method: 'POST', path: '/v1/auth/register', body: account }, z.unknown());
    const answer = z.object({ session_token: z.string() });
    return (await call({ method: 'POST', path: '/v1/auth/login', body: account }, answer)).session_token;
  });
  const apiKey = await terminal.step('… and creates an API key', async () => {
    const answer = z.object({ key_public: z.string(), token: z.string() });
    return (await call({ method: 'POST', path: '/v1/api-keys', as: { session } }, answer)).token;
  });
  const { project } = await call(
    { method: 'GET', path: '/v1/me', as: { session } },
    z.object({ project: z.object({ donate_url: z.string(), overlay_url: z.string() }) }),
  );
  return {
    ...account,
    apiKey,
    as: { apiKey },
    donateUrl: project.donate_url,
    overlayUrl: project.overlay_url,
  };
}

async function setUpWebhook(
  { receiver }: Scene,
  call: ApiClient,
  terminal: Terminal,
  { as }: Merchant,
): Promise<void> {
  await terminal.step(`… and sets the webhook endpoint ${receiver.url}`, async () => {
    const answer = z.object({ url: z.string(), secret: z.string().startsWith('whsec_') });
    const endpoint = await call(
      { method: 'POST', path: '/v1/webhooks', body: { url: receiver.url }, as },
      answer,
    );
    receiver.setSecrets(endpoint.secret);
  });
}

async function sellFor(
  currency: Currency,
  scene: Scene,
  call: ApiClient,
  terminal: Terminal,
  { as }: Merchant,
): Promise<string> {
  terminal.line(`\n${currency}`);
  await proveWallet(currency, call, terminal, as);
  const invoice = await terminal.step(
    `Creating an order for ${formatCoins(amounts[currency])} ${currency}`,
    () => createOrder(currency, call, as),
    ({ public_id, address }) => `${public_id} at ${address}`,
  );
  const page = await terminal.step(
    `The payment page ${invoice.pay_url} shows the address and follows the status`,
    () => openPage(scene, invoice),
  );
  try {
    await payAndConfirm(currency, scene, terminal, invoice, page);
  } finally {
    page.close();
  }
  await receiveWebhook(scene, terminal, invoice);
  await terminal.step('The merchant reads the invoice: confirmed', async () => {
    const path = `/v1/invoices/${invoice.public_id}`;
    await call({ method: 'GET', path, as }, invoiceShape.extend({ status: z.literal('confirmed') }));
  });
  return invoice.pay_url;
}

async function proveWallet(
  currency: Currency,
  call: ApiClient,
  terminal: Terminal,
  as: Credentials,
): Promise<void> {
  const wallet = createMerchantWallet(currency);
  const registered = await terminal.step(`Registering the wallet ${wallet.xpub.slice(0, 12)}…`, () =>
    call(
      {
        method: 'POST',
        path: '/v1/wallets',
        body: {
          currency,
          xpub: wallet.xpub,
          script_type: wallet.scriptType,
          derivation_path: wallet.derivationPath,
        },
        as,
      },
      z.object({ verification_address: z.string() }),
    ),
  );
  await terminal.step('… and verifying it with its first address', async () => {
    const address = wallet.addressAt(0);
    if (address !== registered.verification_address)
      throw new Error(`first address differs: wallet ${address}, API ${registered.verification_address}`);
    await call(
      { method: 'POST', path: `/v1/wallets/${currency}/verify`, body: { address }, as },
      z.unknown(),
    );
  });
}

/** Creates an order. Retries on address_pool_busy, which is normal until the first addresses of a wallet are derived. */
async function createOrder(currency: Currency, call: ApiClient, as: Credentials): Promise<Invoice> {
  const body = { currency, type: 'order', expected_amount: amounts[currency], order_id: `demo-${currency}` };
  const patientUntilMs = performance.now() + HANG_TIMEOUT_MS;
  for (;;) {
    try {
      return await call({ method: 'POST', path: '/v1/invoices', body, as }, invoiceShape);
    } catch (error) {
      const isBusy = error instanceof ApiProblem && error.code === 'address_pool_busy';
      if (!isBusy || performance.now() > patientUntilMs) throw error;
    }
    await sleep(200);
  }
}

/** Does what a browser does: loads the payment page, then follows the status stream. */
async function openPage({ url }: Scene, { public_id, pay_url, address }: Invoice): Promise<EventStream> {
  const response = await fetch(pay_url);
  const html = await response.text();
  if (!response.ok || !html.includes(address)) throw new Error(`${pay_url} does not show the address`);
  const page = await openEventStream(`${url}/v1/public/invoices/${public_id}/events`);
  await page.waitFor(statusIs('new'));
  return page;
}

async function payAndConfirm(
  currency: Currency,
  { payers }: Scene,
  terminal: Terminal,
  invoice: Invoice,
  page: EventStream,
): Promise<void> {
  const payer = payers[currency];
  await terminal.step(
    'A payer pays',
    () => payer.pay(invoice.address, BigInt(invoice.expected_amount)),
    ({ txid }) => txid,
  );
  await terminal.step('The page shows it: pending', () => page.waitFor(statusIs('pending')));
  const blocks = invoice.confirmations_required;
  await terminal.step(blocks === 1 ? 'Mining a block' : `Mining ${blocks} blocks`, () => payer.mine(blocks));
  await terminal.step('The page shows it: confirmed', () => page.waitFor(statusIs('confirmed')));
}

async function receiveWebhook(
  { receiver }: Scene,
  terminal: Terminal,
  { public_id }: Invoice,
): Promise<void> {
  await terminal.step(
    'The webhook arrives with a valid signature',
    () =>
      receiver.waitFor(
        ({ type, data }) => type === 'invoice.confirmed' && data.invoice.public_id === public_id,
      ),
    ({ type, id }) => `${type} ${id}`,
  );
}

const statusShape = z.object({ status: z.string() });

function statusIs(status: string) {
  return ({ event, data }: { event: string; data: string }) =>
    event === 'status' && statusShape.parse(JSON.parse(data)).status === status;
}
