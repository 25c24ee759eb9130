import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkedMerchant } from './hostile-merchant.ts';
import type { NetworkedClient, Reply } from '../shared/networked-client.ts';

/** A shop with a payer and a donor, each in a network of their own. */
export type HonestUser = {
  merchant: NetworkedMerchant;
  shop: NetworkedClient;
  payer: NetworkedClient;
  donor: NetworkedClient;
};

/** One request of an honest user: what it should have been answered, what it was, and after how long. */
export type HonestRequest = { name: string; expected: number; status: number; durationMs: number };

/** Between two steps of one user: twenty of them make about fifty requests a second. */
const PAUSE_MS = 400;
const STAGGER_MS = 75;
/** The limit of the contract is ten in ten minutes for each network. */
const DONATIONS = 5;
const LOGINS = 3;

/** Works until the signal as shops, payers and donors do, and never beyond what the contract allows them. */
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
  // People do not click in the same moment.
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

/** One that failed never names an invoice: what follows is counted as failed, too. */
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

/** Until the first bytes: then the browser knows that it is connected. */
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
