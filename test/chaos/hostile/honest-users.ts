import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkedMerchant } from './hostile-merchant.ts';
import type { NetworkedClient, Reply } from '../shared/networked-client.ts';

/** A shop with a payer and a donor, each in their own network. */
export type HonestUser = {
  merchant: NetworkedMerchant;
  shop: NetworkedClient;
  payer: NetworkedClient;
  donor: NetworkedClient;
};

/** One request of an honest user: expected status, actual status and duration. */
export type HonestRequest = { name: string; expected: number; status: number; durationMs: number };

/** Pause between two steps of a user: twenty users make about fifty requests a second. */
const PAUSE_MS = 400;
const STAGGER_MS = 75;
/** Below the contract's limit of ten in ten minutes per network. */
const DONATIONS = 5;
const LOGINS = 3;

/** Acts as shops, payers and donors until the signal aborts, within the contract's limits. */
export async function workHonestly(
  user: HonestUser,
  index: number,
  signal: AbortSignal,
): Promise<HonestRequest[]> {
  const requests: HonestRequest[] = [];
  const note = async (
    name: string,
    expected: number,
    reply: Promise<Pick<Reply, 'status' | 'durationMs'>>,
  ) => {
    const { status, durationMs } = await reply;
    requests.push({ name, expected, status, durationMs });
  };
  // Start at random times, as people do.
  await sleep(index * STAGGER_MS);
  for (let round = 0; !signal.aborted; round += 1) {
    const created = placeOrder(user, round);
    await note('create', 201, created);
    const { body } = await created;
    await note('read', 200, readAsShop(user, String(body['public_id'])));
    await sleep(PAUSE_MS);
    await note('pay_page', 200, readAsPayer(user, String(body['public_id'])));
    await note('stream', 200, watch(user, String(body['public_id'])));
    if (round < DONATIONS) await note('donate', 201, donate(user));
    if ((round + index) % 20 === 0 && round < LOGINS * 20) await note('login', 200, logIn(user));
    await sleep(PAUSE_MS);
  }
  return requests;
}

/** The invoice's id, empty after a failure: the following requests then count as failed, too. */
function placeOrder({ shop, merchant }: HonestUser, round: number): Promise<Reply> {
  return shop.send({
    method: 'POST',
    path: '/v1/invoices',
    headers: { 'x-api-key': merchant.apiKey },
    body: { currency: 'LTC', type: 'order', expected_amount: '5000000', order_id: `order-${round}` },
  });
}

function readAsShop({ shop, merchant }: HonestUser, publicId: string): Promise<Reply> {
  return shop.send({ path: `/v1/invoices/${publicId}`, headers: { 'x-api-key': merchant.apiKey } });
}

function readAsPayer({ payer }: HonestUser, publicId: string): Promise<Reply> {
  return payer.send({ path: `/v1/public/invoices/${publicId}` });
}

/** Opens a stream and waits for the first bytes, after which a browser is connected. */
async function watch(
  { payer }: HonestUser,
  publicId: string,
): Promise<{ status: number; durationMs: number }> {
  const closing = new AbortController();
  const opened = await payer.open(`/v1/public/invoices/${publicId}/events`, closing.signal);
  closing.abort();
  return opened;
}

function donate({ donor, merchant }: HonestUser): Promise<Reply> {
  return donor.send({
    method: 'POST',
    path: `/v1/public/donate/${merchant.donateToken}`,
    body: { currency: 'LTC', donor_name: 'Ada', donor_message: 'Thank you' },
  });
}

function logIn({ shop, merchant: { email, password } }: HonestUser): Promise<Reply> {
  return shop.send({ method: 'POST', path: '/v1/auth/login', body: { email, password } });
}
