import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';
import { setApiStage, type ApiStage } from '../shared/api-stage.ts';
import { misbehave } from './hostile-actions.ts';
import { readHoldings, type Holdings } from './hostile-holdings.ts';
import { bringNetworkedWallet, openNetworkedMerchant } from './hostile-merchant.ts';
import { workHonestly, type HonestRequest, type HonestUser } from './honest-users.ts';
import { networkedClient } from '../shared/networked-client.ts';
import { faultFigures, verdict } from '../shared/verdict.ts';

/*
 * One account in one network misbehaves in every known way at once, also with its donation link and that of a victim. Meanwhile twenty
 * shops with payers and donors work, each in their own network, and a new merchant registers. All limits have their defaults. No honest
 * request may be rejected or take more than a second, the new merchant's first invoice takes as long as without the attack, and the
 * attacker's rows are bounded.
 */

const SHOPS = 20;
/** The number of shops at any size of the run. */
const LEAST_SHOPS = 6;
const API_PROCESSES = 2;
const SECONDS = 60;
const LEAST_SECONDS = 8;
/** Above the default gap limit: the shops have more open orders than it allows. */
const GAP_LIMIT = 100;
const HUGE_WALLETS = 5;
const HUGE_GAP_LIMIT = 100_000;
const PATIENCE_MS = 1000;
/** The time that batches of other accounts may add to a new merchant's first invoice. */
const BATCHES_MS = 3000;

const HOSTILE_ADDRESS = '203.0.113.66';
/** The default limits, which the stage raises for the other runs. */
const LIMITS = {
  REGISTER_LIMIT_POINTS: '20',
  LOGIN_LIMIT_POINTS: '10',
  PUBLIC_READ_LIMIT_POINTS: '300',
  API_KEY_LIMIT_RATE: '100',
  API_KEY_LIMIT_BURST: '200',
};

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step('Starting servers, a watcher and API processes', () =>
    setApiStage(parts, { apis: API_PROCESSES, merchants: 0, env: LIMITS }),
  );
  const users = await terminal.step('Opening the shops', () =>
    openShops(stage, Math.max(LEAST_SHOPS, Math.round(SHOPS * options.share))),
  );
  const calmMs = await terminal.step('A new merchant without the attack', () => firstInvoiceMs(stage, 1));
  const { honest, actions, newMs } = await attack(stage, users, options);
  const holdings = await readHoldings(stage.store, 'hostile@example.org');
  return judge({ honest, actions, calmMs, newMs, holdings });
};

async function openShops(stage: ApiStage, count: number): Promise<HonestUser[]> {
  const users: HonestUser[] = [];
  for (let number = 0; number < count; number += 1) {
    const from = (network: number) => networkedClient(stage.apis, `198.51.${100 + network}.${number + 1}`);
    const shop = from(0);
    const merchant = await openNetworkedMerchant(shop, `merchant-${number}`);
    await bringNetworkedWallet(shop, merchant.apiKey, GAP_LIMIT);
    users.push({ merchant, shop, payer: from(1), donor: from(2) });
  }
  for (const { merchant, shop } of users) await untilFirstInvoice(shop, merchant.apiKey);
  return users;
}

/** Milliseconds from the verification of a new merchant's wallet to the first invoice. */
async function firstInvoiceMs(stage: ApiStage, number: number): Promise<number> {
  const client = networkedClient(stage.apis, `198.51.200.${number}`);
  const { apiKey } = await openNetworkedMerchant(client, `new-${number}`);
  await bringNetworkedWallet(client, apiKey, GAP_LIMIT);
  return untilFirstInvoice(client, apiKey);
}

async function untilFirstInvoice(
  client: ReturnType<typeof networkedClient>,
  apiKey: string,
): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { status } = await client.send({
      method: 'POST',
      path: '/v1/invoices',
      headers: { 'x-api-key': apiKey },
      body: { currency: 'LTC', type: 'order', expected_amount: '5000000', order_id: 'first' },
    });
    if (status === 201 || status === 200) return performance.now() - startedMs;
    if (status !== 503) throw new Error(`the first invoice of a merchant returned ${status}`);
    await sleep(50);
  }
}

type Attacked = { honest: HonestRequest[]; actions: Record<string, number>; newMs: number };

async function attack(
  stage: ApiStage,
  users: readonly HonestUser[],
  { share, seconds, terminal }: MeasurementOptions,
): Promise<Attacked> {
  const client = networkedClient(stage.apis, HOSTILE_ADDRESS);
  const account = await openNetworkedMerchant(client, 'hostile');
  const ending = new AbortController();
  const forMs = 1000 * (seconds ?? Math.max(LEAST_SECONDS, SECONDS * share));
  const victimToken = users[0]?.merchant.donateToken ?? '';
  return terminal.step('One network misbehaves while the others work', async () => {
    const working = Promise.all(users.map((user, index) => workHonestly(user, index, ending.signal)));
    // Before the limit of changes is exhausted.
    for (let wallet = 0; wallet < HUGE_WALLETS; wallet += 1)
      await bringNetworkedWallet(client, account.apiKey, HUGE_GAP_LIMIT);
    const whileDeriving = await firstInvoiceMs(stage, 2);
    const doing = misbehave({ client, account, victimToken }, ending.signal);
    await sleep(forMs / 2);
    const newMs = Math.max(whileDeriving, await firstInvoiceMs(stage, 3));
    await sleep(forMs / 2);
    ending.abort();
    return { honest: (await working).flat(), actions: await doing, newMs };
  });
}

/** Counts rejected and slow requests and exceeded bounds. Pure. */
export function judge({
  honest,
  actions,
  calmMs,
  newMs,
  holdings,
}: Attacked & { calmMs: number; holdings: Holdings }): Figure[] {
  const refused = honest.filter(({ status, expected }) => status !== expected);
  const late = honest.filter(
    ({ status, expected, durationMs }) => status === expected && durationMs > PATIENCE_MS,
  );
  const kinds = [
    ...Map.groupBy(refused, ({ name, status }) => `refused_${name}_${status}`),
    ...Map.groupBy(late, ({ name }) => `late_${name}`),
  ];
  return [
    { name: 'operations', value: honest.length },
    ...faultFigures(actions),
    { name: 'slowest_ms', value: Math.max(...honest.map(({ durationMs }) => durationMs)) },
    { name: 'first_invoice_calm_ms', value: calmMs },
    { name: 'first_invoice_attacked_ms', value: newMs },
    { name: 'hostile_addresses', value: holdings.addresses },
    { name: 'hostile_rows', value: holdings.rows },
    { name: 'hostile_bytes', value: holdings.bytes },
    ...kinds.map(([name, requests]) => ({ name, value: requests.length, reach: { atMost: 0 } })),
    ...verdict({
      refused: refused.length,
      late: late.length,
      first_invoice_late: Number(newMs > calmMs + BATCHES_MS),
      beyond_bounds: holdings.beyondBounds.length,
    }),
  ];
}
