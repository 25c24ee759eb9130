import { query } from '../machine/install-machine.ts';
import type { Machine } from '../machine/machine.ts';

/** What must survive, without what changes: an order that was open may be paid meanwhile. */
const STATEMENTS = [
  "select 'invoice', public_id, address, expected_amount from invoices",
  "select 'lease', currency, encode(script, 'hex'), invoice_id, leased_at from address_leases",
  "select 'payment', currency, encode(txid, 'hex'), vout, amount, invoice_id from payments",
  "select 'event', public_id, type, md5(body) from events",
];

/** The invoices, leases, payments and events of a machine, a line each. */
export async function readRecords(machine: Machine): Promise<string[]> {
  const tables: string[] = [];
  for (const statement of STATEMENTS) tables.push(await query(machine, statement));
  return tables.flatMap((lines) => lines.split('\n').filter(Boolean));
}

/** The records of `before` that are not in `after`. Throws if a table of `before` is empty: nothing would be compared. */
export function missingRecords(before: readonly string[], after: readonly string[]): string[] {
  for (const kind of ['invoice', 'lease', 'payment', 'event'])
    if (!before.some((line) => line.startsWith(`${kind}|`))) throw new Error(`the backup has no ${kind}`);
  const present = new Set(after);
  return before.filter((line) => !present.has(line));
}
