import { EVENT_BODY_EXAMPLE } from './setup.ts';
import { invoice } from './invoices.ts';
import type { OperationExample } from '../operation-example.ts';

const TXID = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';

const INVOICES = [
  'public_id,type,status,reversed,created_at,expires_at,order_id,currency,expected_coins,received_coins,confirmed_coins,overpaid_coins,price,price_currency,rate,rate_taken_at,accepted_fiat,accepted_fiat_currency,accepted_fiat_rate,address,txids,donor_name,donor_message,pay_url',
  `${invoice.public_id},order,confirmed,false,${invoice.created_at},${invoice.expires_at},order-1001,BTC,0.001234,0.001234,0.001234,0,,,,,,,,${invoice.address},${TXID},,,${invoice.pay_url}`,
];

const PAYMENTS = [
  'first_seen_at,currency,coins,price_currency,rate,accepted_fiat,accepted_fiat_currency,accepted_fiat_rate,status,late,confirmations,block_height,txid,vout,address,explorer_url,public_id,invoice_status,type,order_id,donor_name',
  `2026-11-20T12:03:11.482Z,BTC,0.001234,,,,,,confirmed,false,1,902115,${TXID},0,${invoice.address},,${invoice.public_id},confirmed,order,order-1001,`,
];

const EVENTS = [
  'id,type,created_at,public_id,test,delivery_status,attempt_count,next_attempt_at,delivered_at',
  `${EVENT_BODY_EXAMPLE.id},invoice.confirmed,${EVENT_BODY_EXAMPLE.created_at},${invoice.public_id},false,delivered,1,,2026-11-20T12:21:40.530Z`,
];

const csv = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('');

/** Examples of files, as CSV. */
export const exportExamples = {
  exportInvoices: { response: csv(INVOICES) },
  exportPayments: { response: csv(PAYMENTS) },
  exportEvents: { response: csv(EVENTS) },
} as const satisfies Record<string, OperationExample>;
