/** `npm run bench -- NAME`: every figure is a ratio or a count, measured in one run on one machine. */
import { runMeasurement, type Measurement } from '@paywatch/dev/commands';

const measurements: Record<string, Measurement> = {
  'block-scan': {
    about:
      'time to parse a block, match it against 1,000,000 watched scripts and record it, relative to bitcoinjs-lib parsing it',
    load: () => import('./block-scan/block-scan.ts'),
  },
  'catch-up': {
    about: 'blocks per second that one watcher, and two together, scan after downtime',
    load: () => import('./block-scan/catch-up.ts'),
  },
  notice: {
    about:
      'latency from a payment in the node to the payer’s page, and from a block to the merchant’s receiver',
    load: () => import('./notice/notice.ts'),
  },
  'create-invoice': {
    about: 'CPU per created invoice relative to an echo; invoices per second relative to pgbench',
    load: () => import('./create-invoice/create-invoice.ts'),
  },
  'first-invoice': {
    about: 'how long new merchants wait for their first invoice after the verification of their wallet',
    load: () => import('./first-invoice/first-invoice.ts'),
  },
  'read-invoice': {
    about: 'CPU per public status read relative to an echo',
    load: () => import('./create-invoice/read-invoice.ts'),
  },
  'invoice-cost': {
    about:
      'CPU of the process, Postgres and Redis for a created invoice, a status read and a webhook; rows, WAL, commands',
    load: () => import('./create-invoice/invoice-cost.ts'),
  },
  growth: {
    about: 'duration of each operation with 1,000,000 invoices, relative to 1,000',
    load: () => import('./growth/growth.ts'),
  },
  soak: {
    about:
      'a mixed load with reorganisations and restarts: slopes of memory, connections, dead rows and Redis keys per hour',
    load: () => import('./soak/soak.ts'),
  },
  'sse-fanout': {
    about:
      '10,000 streams of one overlay, then of 10,000 invoices, then 20,000 of a designed overlay, relative to a bare server',
    load: () => import('./sse-fanout/sse-fanout.ts'),
  },
  pages: {
    about:
      'how soon the payment page can be read and followed, and the account area be used, on a slow phone',
    load: () => import('./pages/pages.ts'),
  },
  serve: {
    about:
      'start and memory of `paywatch serve`, one process with all roles, with idle pages and a few orders',
    load: () => import('./serve/serve.ts'),
  },
  'webhook-delivery': {
    about: 'webhooks per second relative to a bare loop; latency while 500 other endpoints hang',
    load: () => import('./webhook-delivery/webhook-delivery.ts'),
  },
};

process.exit(await runMeasurement({ name: 'bench', measurements }, process.argv.slice(2)));
