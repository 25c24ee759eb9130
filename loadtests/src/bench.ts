/** The entry of `npm run bench -- NAME`: every figure is a ratio or a count, taken in one run on one machine. */
import { runMeasurement, type Measurement } from '@paywatch/dev/commands';

const measurements: Record<string, Measurement> = {
  'block-scan': {
    about:
      'a block parsed, matched against 1,000,000 watched scripts and recorded, against bitcoinjs-lib parsing it',
    load: () => import('./block-scan/block-scan.ts'),
  },
  'catch-up': {
    about: 'blocks per second that one watcher scans after downtime, and that two scan together',
    load: () => import('./block-scan/catch-up.ts'),
  },
  notice: {
    about: 'from a payment and a block in the node to the payer’s page and the merchant’s receiver',
    load: () => import('./notice/notice.ts'),
  },
  'create-invoice': {
    about: 'CPU of a created invoice against an echo, and invoices per second against their statement alone',
    load: () => import('./create-invoice/create-invoice.ts'),
  },
  'read-invoice': {
    about: "CPU of a payer's look at an invoice against an echo",
    load: () => import('./create-invoice/read-invoice.ts'),
  },
  'scale-out': {
    about: 'CPU of a request with two and four API processes against one',
    load: () => import('./scale-out/scale-out.ts'),
  },
  costs: {
    about:
      'what an invoice, a look and a delivery cost: CPU of process, Postgres and Redis, rows, log, commands',
    load: () => import('./shared/costs.ts'),
  },
  growth: {
    about: 'what an operation costs among 1,000,000 invoices against the same among 1,000',
    load: () => import('./growth/growth.ts'),
  },
  'sse-fanout': {
    about: 'what reaches 10,000 streams of one overlay, and of 10,000 invoices, against a bare server',
    load: () => import('./sse-fanout/sse-fanout.ts'),
  },
  'stream-soak': {
    about: 'memory and subscriptions of a replica whose streams come and go: a day in an hour',
    load: () => import('./sse-fanout/stream-soak.ts'),
  },
  'stream-return': {
    about: 'statements that 10,000 overlays cost Postgres when they come back at once',
    load: () => import('./sse-fanout/stream-return.ts'),
  },
  'webhook-delivery': {
    about: 'webhooks delivered per second against a bare loop, and beside 500 endpoints that hang',
    load: () => import('./webhook-delivery/webhook-delivery.ts'),
  },
  outage: {
    about:
      'what an endpoint that was away leaves behind, simulated by the plan of attempts: starts no server',
    load: () => import('./load/outage.ts'),
  },
};

process.exit(await runMeasurement({ name: 'bench', measurements }, process.argv.slice(2)));
