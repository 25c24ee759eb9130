import { repositoryFolder } from '@paywatch/dev/stack';
import type { Currency } from '@paywatch/dev/wallet';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { GRACE_SECONDS, soldOf, type Shop, type Sold } from '../chain-shops.ts';
import type { ChainStage } from '../chain-stage.ts';
import type { Sale } from '../judge/compare/compare-terms.ts';

/** Indexes far beyond those that invoices of the run reach. */
const FIRST_INDEX = 500;
const TTL_SECONDS = 90;
export const IMPORTED_AMOUNT = 400_000n;

/** An order that another system left open; its customer was shown the address some seconds ago. */
export type OpenOrder = { orderId: string; addressIndex: number; createdMs: number };

/** Orders that begin now and are imported later: payments made in between belong to them. */
export function openOrders(currency: Currency, count: number): OpenOrder[] {
  const createdMs = Math.floor(Date.now() / 1000) * 1000;
  return Array.from({ length: count }, (_, number) => ({
    orderId: `imported ${currency} ${number}`,
    addressIndex: FIRST_INDEX + number,
    createdMs,
  }));
}

/** Imports them by the command line. Returns what the specification makes of them. */
export async function importOrders(
  stage: ChainStage,
  shop: Shop,
  currency: Currency,
  orders: readonly OpenOrder[],
): Promise<Sold[]> {
  const file = join(stage.stack.folder, `orders-${currency}.csv`);
  const addresses = shop.addresses(currency);
  const rows = orders.map(({ orderId, addressIndex, createdMs }) =>
    [
      orderId,
      currency,
      addressIndex,
      addresses.addressAt(addressIndex),
      IMPORTED_AMOUNT,
      time(createdMs),
      time(createdMs + TTL_SECONDS * 1000),
    ].join(','),
  );
  const columns = 'order_id,currency,address_index,address,expected_amount,created_at,expires_at';
  writeFileSync(file, [columns, ...rows, ''].join('\n'));
  const requestedMs = Date.now();
  const words = ['orders', 'import', shop.email, file, '--apply'];
  await promisify(execFile)(
    process.execPath,
    [join(repositoryFolder, 'services/cli/src/main.ts'), ...words],
    {
      env: { PATH: process.env['PATH'], ...stage.stack.env },
      timeout: 120_000,
    },
  );
  return Promise.all(orders.map((order) => importedAs(stage, shop, currency, order, requestedMs)));
}

const listShape = z.object({
  data: z.array(
    z.object({ public_id: z.string(), address_index: z.int(), created_at: z.string(), ttl_seconds: z.int() }),
  ),
});

async function importedAs(
  stage: ChainStage,
  shop: Shop,
  currency: Currency,
  { orderId, addressIndex, createdMs }: OpenOrder,
  requestedMs: number,
): Promise<Sold> {
  const path = `/v1/invoices?order_id=${encodeURIComponent(orderId)}&currency=${currency}`;
  const { data } = await stage.call({ method: 'GET', path, as: { apiKey: shop.apiKey } }, listShape);
  const [found] = data;
  if (!found) throw new Error(`${orderId} was not imported`);
  const sale: Sale = {
    publicId: found.public_id,
    currency,
    type: 'order',
    asked: IMPORTED_AMOUNT,
    ttlSeconds: found.ttl_seconds,
    orderId,
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    renewUrl: null,
    description: null,
    lines: [],
    publicUrl: stage.stack.url,
    addresses: shop.addresses(currency),
    addressIndex,
    isReused: false,
    createdAt: found.created_at,
    requestedMs,
    answeredMs: Date.now(),
    extension: null,
    imported: { createdMs, expiresMs: createdMs + TTL_SECONDS * 1000 },
  };
  const sold = soldOf({ call: stage.call, shop }, sale);
  const endMs = createdMs + (TTL_SECONDS + GRACE_SECONDS) * 1000;
  sold.terms.deadlineMs = { earliest: endMs, latest: endMs };
  return sold;
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
