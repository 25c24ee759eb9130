import { addressToScript } from '@paywatch/domain/chain';
import { confirmationsRequired, type ConfirmationPolicy } from '@paywatch/domain/invoices';
import { deriveReceiveAddress, type ReceiveKey } from '@paywatch/domain/keys';
import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import { createInvoiceBodySchema, LIMITS } from '@paywatch/domain/contract';
import type { OrderToImport } from '@paywatch/store/invoices';
import { InvalidArgumentError } from 'commander';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { parseSince } from '../terminal/arguments.ts';

/** An error in the file: line, column if known, and message. */
export type FileFault = { line: number; column: string | null; message: string };

/** An order and its line in the file. */
export type FileOrder = OrderToImport & { line: number };

const COLUMNS = [
  'order_id',
  'currency',
  'address_index',
  'address',
  'expected_amount',
  'created_at',
  'expires_at',
] as const;
const KNOWN_COLUMNS = new Set<string>([...COLUMNS, 'return_url']);
/** All orders are imported in one transaction. */
const MAX_ORDERS = 10_000;

type Row = { line: number; values: Record<string, string> };

/** Wallets of the project by currency, and the settings for new orders. */
export type OrderRules = {
  keys: ReadonlyMap<Currency, ReceiveKey>;
  confirmations: ConfirmationPolicy;
  nowMs: number;
};

/**
 * Parses a CSV file of orders whose first line names the columns. Reports the errors of all lines together; if there is one, no order
 * is imported. Lines of a wrong length are reported without other errors. Each address must be the one that the wallet derives at its
 * index.
 */
export function readOrderFile(text: string, rules: OrderRules): { orders: FileOrder[]; faults: FileFault[] } {
  const { rows, faults } = readRows(text);
  if (faults.length > 0) return { orders: [], faults };
  const read = rows.map((row) => readOrder(row, rules));
  const orders = read.flatMap(({ order }) => (order === null ? [] : [order]));
  return { orders, faults: [...read.flatMap((each) => each.faults), ...repetitions(rows)] };
}

/** `relax_column_count`: all records of a wrong length are reported together; the parser would stop at the first one. */
const PARSING = { bom: true, info: true, trim: true, skip_empty_lines: true, relax_column_count: true };
const recordsSchema = z.array(
  z.object({ record: z.array(z.string()), info: z.looseObject({ lines: z.number() }) }),
);

function readRows(text: string): { rows: Row[]; faults: FileFault[] } {
  // Checked first: the parser would report a misleading error about quotes.
  if (/^[^\n]*[;\t]/.test(text))
    return {
      rows: [],
      faults: [fault(1, null, 'columns must be separated by commas, not semicolons or tabs')],
    };
  try {
    const records = recordsSchema.parse(parse(text, PARSING));
    const [header, ...lines] = records;
    const names = header?.record ?? [];
    const faults = headerFaults(names);
    if (faults.length > 0) return { rows: [], faults };
    const uneven = lines.filter(({ record }) => record.length !== names.length);
    return {
      rows: lines.map(({ record, info }) => ({ line: info.lines, values: toValues(names, record) })),
      faults: [
        ...uneven.map(({ record, info }) =>
          fault(info.lines, null, `has ${record.length} fields instead of ${names.length}`),
        ),
        ...(lines.length > MAX_ORDERS ? [fault(1, null, `has more than ${MAX_ORDERS} orders`)] : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows: [], faults: [fault(Number(error['lines'] ?? 1), null, error.message)] };
  }
}

function fault(line: number, column: string | null, message: string): FileFault {
  return { line, column, message };
}

/** Unknown columns are errors: a misspelled column would be ignored otherwise. */
function headerFaults(names: readonly string[]): FileFault[] {
  const missing = COLUMNS.filter((name) => !names.includes(name));
  const unknown = names.filter((name) => !KNOWN_COLUMNS.has(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...missing.map((name) => fault(1, name, 'is missing from the first line')),
    ...unknown.map((name) => fault(1, name, 'is an unknown column; remove it')),
    ...twice.map((name) => fault(1, name, 'appears twice')),
  ];
}

function toValues(names: readonly string[], record: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, record[index] ?? '']));
}

function readOrder(
  { line, values }: Row,
  rules: OrderRules,
): { order: FileOrder | null; faults: FileFault[] } {
  const faults: FileFault[] = [];
  const blame = (column: string, message: string): null => {
    faults.push(fault(line, column, message));
    return null;
  };
  const body = createInvoiceBodySchema.safeParse({
    type: 'order',
    currency: values['currency'],
    order_id: values['order_id'],
    expected_amount: values['expected_amount'],
    return_url: values['return_url'] || undefined,
  });
  for (const issue of body.error?.issues ?? []) blame(String(issue.path[0]), issue.message);
  const createdAt = readMoment(values['created_at'] ?? '', (message) => blame('created_at', message));
  const expiresAt = readMoment(values['expires_at'] ?? '', (message) => blame('expires_at', message));
  if (createdAt && createdAt.getTime() > rules.nowMs) blame('created_at', 'Must not be in the future.');
  if (expiresAt && expiresAt.getTime() <= rules.nowMs)
    blame('expires_at', 'Must be in the future. Remove the order or extend it.');
  const named = CURRENCIES.find((each) => each === values['currency']);
  const place = named === undefined ? null : readPlace(values, named, rules, blame);
  if (faults.length > 0 || !body.success || !place || !createdAt || !expiresAt)
    return { order: null, faults };
  const { currency, order_id: orderId, expected_amount: expectedAmount, return_url: returnUrl } = body.data;
  if (orderId === null || expectedAmount === null) return { order: null, faults };
  const confirmations = confirmationsRequired(rules.confirmations, 'order', currency, expectedAmount);
  const order = { line, currency, orderId, ...place, expectedAmount, returnUrl, createdAt, expiresAt };
  return { order: { ...order, confirmationsRequired: confirmations }, faults };
}

function readMoment(text: string, blame: (message: string) => null): Date | null {
  try {
    return parseSince(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return blame(error.message);
  }
}

/** Parses the index and checks the address that the wallet derives there. */
function readPlace(
  values: Record<string, string>,
  currency: Currency,
  { keys }: OrderRules,
  blame: (column: string, message: string) => null,
): Pick<OrderToImport, 'addressIndex' | 'address' | 'script'> | null {
  const key = keys.get(currency);
  if (key === undefined) return blame('currency', `The account has no verified ${currency} wallet.`);
  const text = values['address_index'] ?? '';
  const addressIndex = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(addressIndex <= LIMITS.startIndex.max)) return blame('address_index', 'Must be a whole number.');
  if (addressIndex === 0)
    return blame(
      'address_index',
      'Index 0 is the verification address. Finish this order in the old system.',
    );
  const given = addressToScript(values['address'] ?? '', currency, key.network);
  if (!given.ok) return blame('address', given.problem.message);
  const derived = deriveReceiveAddress(key, addressIndex);
  if (derived.index !== addressIndex || !Buffer.from(given.value).equals(derived.script))
    return blame('address', `The address of the wallet at index ${addressIndex} is ${derived.address}.`);
  return { addressIndex, address: derived.address, script: derived.script };
}

function repetitions(rows: readonly Row[]): FileFault[] {
  const seenOrders = new Set<string>();
  const seenPlaces = new Set<string>();
  return rows.flatMap(({ line, values }) => {
    const order = values['order_id'] ?? '';
    const place = `${values['currency']} ${Number(values['address_index'])}`;
    const faults = [
      ...(seenOrders.has(order) ? [fault(line, 'order_id', 'Is a duplicate of an earlier line.')] : []),
      ...(seenPlaces.has(place) ? [fault(line, 'address_index', 'Is a duplicate of an earlier line.')] : []),
    ];
    seenOrders.add(order);
    seenPlaces.add(place);
    return faults;
  });
}
