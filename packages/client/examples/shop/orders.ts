import type { Invoice, WebhookEvent } from '@paywatch/client';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** An order. `status` is that of its invoice, as the last webhook reported it. */
export type Order = {
  readonly id: string;
  /** What was bought, as text: products may change later. */
  readonly summary: string;
  readonly totalCents: number;
  readonly status: 'created' | Invoice['status'];
  readonly currency: 'BTC' | 'LTC' | null;
  /** In minimal units of the currency. */
  readonly expectedAmount: string | null;
  readonly receivedAmount: string | null;
  readonly payUrl: string | null;
  /** 1 if a payment came after the outcome: somebody has to decide. The status of a paid order does not change by it. */
  readonly hasLatePayment: 0 | 1;
};

/** Money that was sent back by hand, from the shop's own wallet. */
export type Refund = { readonly amount: string; readonly txid: string; readonly note: string };

export type Orders = ReturnType<typeof openOrders>;

const SCHEMA = `
  create table if not exists orders (
    id text primary key, summary text not null, totalCents integer not null,
    status text not null default 'created', version integer not null default 0,
    currency text, expectedAmount text, receivedAmount text, payUrl text,
    hasLatePayment integer not null default 0);
  create table if not exists events (id text primary key);
  create table if not exists refunds (
    id integer primary key, orderId text not null references orders (id),
    amount text not null, txid text not null unique, note text not null)`;

const COLUMNS =
  'id, summary, totalCents, status, currency, expectedAmount, receivedAmount, payUrl, hasLatePayment';

/** Opens the shop's database, which holds orders, the ids of processed webhooks, and refunds. */
export function openOrders(file: string) {
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  const find = (id: string) =>
    database.prepare(`select ${COLUMNS} from orders where id = ?`).get(id) as Order | undefined;
  return {
    find,
    /** All orders, newest first. */
    list: () =>
      database.prepare(`select ${COLUMNS} from orders order by rowid desc limit 100`).all() as Order[],
    /** Stores a new order before its invoice is requested. Nobody can guess its id, which is its only protection. */
    add: (summary: string, totalCents: number): string => {
      const id = randomUUID();
      database
        .prepare('insert into orders (id, summary, totalCents) values (?, ?, ?)')
        .run(id, summary, totalCents);
      return id;
    },
    /** Stores the invoice of an order. A webhook that was faster is not overwritten. */
    setInvoice: ({ order_id: id, ...invoice }: Invoice): void => {
      database
        .prepare(
          `update orders set currency = ?, expectedAmount = ?, payUrl = ?,
             status = case when version = 0 then ? else status end where id = ?`,
        )
        .run(invoice.currency, invoice.expected_amount, invoice.pay_url, invoice.status, id);
    },
    /** Applies a webhook once. Returns false for one that was applied before. */
    applyEvent: (event: WebhookEvent): boolean => inTransaction(database, () => applyEvent(database, event)),
    refundsOf: (orderId: string) =>
      database
        .prepare('select amount, txid, note from refunds where orderId = ? order by id')
        .all(orderId) as Refund[],
    /** Records a refund. Returns false for a transaction that was recorded before, such as by a second click. */
    addRefund: (orderId: string, { amount, txid, note }: Refund): boolean => {
      const added = database
        .prepare(
          'insert into refunds (orderId, amount, txid, note) values (?, ?, ?, ?) on conflict do nothing',
        )
        .run(orderId, amount, txid, note);
      return added.changes === 1;
    },
    close: () => database.close(),
  };
}

/**
 * Webhooks may repeat, so the id is stored in the transaction of its effect. They may also arrive in another order than they were caused,
 * so an older version of the invoice changes nothing.
 */
function applyEvent(database: DatabaseSync, { id, type, data: { invoice } }: WebhookEvent): boolean {
  const seen = database.prepare('insert into events (id) values (?) on conflict do nothing').run(id);
  if (seen.changes === 0) return false;
  if (type === 'invoice.late_payment')
    database.prepare('update orders set hasLatePayment = 1 where id = ?').run(invoice.order_id);
  database
    .prepare('update orders set status = ?, receivedAmount = ?, version = ? where id = ? and version < ?')
    .run(invoice.status, invoice.received_amount, invoice.version, invoice.order_id, invoice.version);
  return true;
}

function inTransaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('begin immediate');
  try {
    const result = run();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}
