import { waitUntil } from '@paywatch/dev/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  installOnFreshMachine,
  killProcesses,
  MACHINE_PROGRAMS,
  query,
  sellOverHttps,
  trustMachine,
  URL_UNDER_TRIAL,
  type Installation,
} from '../machine/install-machine.ts';
import { bootMachine, type Machine } from '../machine/machine.ts';
import { openShop, type Order, type Shop } from '../machine/orders.ts';
import { readAuthorityRoot } from '../machine/surroundings.ts';
import { createTrial, type Recorder } from '../shared/record-trial.ts';
import { keepElsewhere, restoreOn, type Kept } from './off-site-copy.ts';
import { findingsOf } from './findings.ts';
import { missingRecords, readRecords } from './records.ts';

const CURRENCIES = ['BTC', 'LTC'] as const;
/** Orders of each currency after the backup, and after the restore. */
const ORDERS = 6;

/**
 * Installs this tree, sells, backs up, sells on, and loses the machine. Restores the backup on a second fresh machine: what the backup
 * has must be there, payments made meanwhile must count, and no address may be given out again.
 */
export const run = createTrial(MACHINE_PROGRAMS, async (recorder) => {
  const installation = await installOnFreshMachine(recorder, null);
  const { apiKey } = await sellOverHttps(recorder, installation);
  const shop = openShop(URL_UNDER_TRIAL, apiKey, installation.surroundings, recorder.interrupted);
  await waitForAddresses(recorder, installation.machine);
  const open = await placeOrders(shop, 'before-the-backup', 1);
  const records = await readRecords(installation.machine);
  const kept = await backUp(recorder, installation.machine);
  const lost = await sellOn(recorder, shop);
  await loseMachine(recorder, installation);
  await payMeanwhile(recorder, installation, { open, lost });
  const machine = await restore(recorder, installation, kept);
  await checkRestored(recorder, { machine, shop, records, open, lost });
});

/** All addresses of the wallets' windows are derived. */
async function waitForAddresses({ interrupted }: Recorder, machine: Machine): Promise<void> {
  const statement = "select count(*) from pool_addresses where state = 'free'";
  await waitUntil(async () => Number(await query(machine, statement)) > 1900, {
    what: 'the addresses of both wallets',
    signal: interrupted,
  });
}

async function placeOrders(shop: Shop, prefix: string, count: number): Promise<Order[]> {
  const orders: Order[] = [];
  for (const currency of CURRENCIES)
    for (let index = 0; index < count; index += 1)
      orders.push(await shop.order(currency, `${prefix}-${currency}-${index}`));
  return orders;
}

async function backUp({ folder, done, interrupted }: Recorder, machine: Machine): Promise<Kept> {
  await machine.run('systemctl', 'start', 'paywatch-backup.service');
  const kept = await keepElsewhere(machine, join(folder, 'elsewhere'), interrupted);
  done('the nightly backup runs; it is copied elsewhere, with the settings and the secrets');
  return kept;
}

/** Places the orders that the backup lacks. The first of each currency is paid and confirmed. */
async function sellOn({ done }: Recorder, shop: Shop): Promise<Order[]> {
  const orders = await placeOrders(shop, 'after-the-backup', ORDERS);
  for (const order of firstOfEach(orders)) await shop.sell(order);
  done(`${orders.length} more orders are placed, and one per currency is paid`);
  return orders;
}

function firstOfEach(orders: readonly Order[]): Order[] {
  return CURRENCIES.flatMap((currency) => orders.filter((one) => one.currency === currency).slice(0, 1));
}

async function loseMachine({ done }: Recorder, { machine }: Installation): Promise<void> {
  await killProcesses(machine);
  await machine.stop();
  done('all processes of the machine are killed, and the machine is deleted');
}

/** While nothing runs, payers pay the orders of the backup, and the last of each currency that was placed after it. */
async function payMeanwhile(
  { done }: Recorder,
  { surroundings: { payers } }: Installation,
  { open, lost }: { open: readonly Order[]; lost: readonly Order[] },
): Promise<void> {
  for (const { currency, address, expected_amount: amount } of [...open, ...firstOfEach(lost.toReversed())])
    await payers[currency].pay(address, BigInt(amount));
  for (const { currency, confirmations_required: blocks } of open) await payers[currency].mine(blocks);
  done('meanwhile orders are paid: those of the backup, and one per currency that it lacks');
}

async function restore(
  recorder: Recorder,
  { surroundings, source }: Installation,
  kept: Kept,
): Promise<Machine> {
  const machine = await bootMachine(recorder, 'bookworm');
  recorder.parts.defer(() => machine.stop());
  await surroundings.introduce(machine);
  await restoreOn(machine, source, kept, recorder.interrupted);
  await trustMachine(recorder, machine);
  recorder.done('the backup is restored on a second fresh machine, as the guide and the runbook say');
  return machine;
}

type Restored = {
  machine: Machine;
  shop: Shop;
  records: readonly string[];
  open: readonly Order[];
  lost: readonly Order[];
};

async function checkRestored(recorder: Recorder, restored: Restored): Promise<void> {
  const { done, check } = recorder;
  const { machine, shop, records, open, lost } = restored;
  const missing = missingRecords(records, await readRecords(machine));
  check(missing.length === 0, `the restored database lacks ${missing.join('; ')}`);
  done(`all ${records.length} leases, payments, invoices and events of the backup are there`);
  for (const order of open) await shop.waitForSale(order);
  done('the orders paid meanwhile are confirmed, with their webhooks');
  for (const { public_id: id } of lost) {
    const status = await shop.statusOf(id);
    check(status === 'invoice_not_found', `the order ${id} of after the backup is ${status}`);
  }
  await checkAddresses(recorder, restored);
  const findings = findingsOf(await runDoctor(machine));
  const others = findings.filter((finding) => !finding.startsWith('WARNING  Mail: MAIL_URL is not set'));
  check(others.length === 0, `paywatch doctor: ${others.join('; ')}`);
  done('paywatch doctor reports nothing but the missing mail server, which the trial does not set up');
}

/** Runs the doctor with the certificate of the private authority that issued the domain's, as the doctor advises. */
async function runDoctor(machine: Machine): Promise<string> {
  const file = '/srv/trial/issuer.pem';
  writeFileSync(join(machine.root, file), await readAuthorityRoot(machine));
  return machine.run('env', `NODE_EXTRA_CA_CERTS=${file}`, 'paywatch', 'doctor');
}

/** New orders get addresses that nobody ever got, and stay unpaid until they are paid themselves. */
async function checkAddresses({ done, check }: Recorder, { machine, shop, lost }: Restored): Promise<void> {
  const before = await query(machine, 'select address from invoices');
  const given = new Set([...before.split('\n'), ...lost.map(({ address }) => address)]);
  const orders = await placeOrders(shop, 'after-the-restore', ORDERS);
  const again = orders.filter(({ address }) => given.has(address));
  check(again.length === 0, `addresses are given out twice: ${again.map(({ address }) => address).join()}`);
  for (const order of firstOfEach(orders)) await shop.sell(order);
  for (const { public_id: id } of orders.slice(1, ORDERS)) {
    const status = await shop.statusOf(id);
    check(status === 'new', `the unpaid order ${id} is ${status}`);
  }
  done(`${orders.length} new orders get addresses that nobody had before, and one per currency is paid`);
}
