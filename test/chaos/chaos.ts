/**
 * `npm run chaos -- NAME`: real processes, random kills and freezes, a complete record, and a checker of it. Exits with 1 if there is a
 * violation.
 */
import { runMeasurement, type Measurement } from '@paywatch/dev/commands';
import { runAll } from './all.ts';

const measurements: Record<string, Measurement> = {
  delivery: {
    about: 'outcomes that never reach the merchant, or arrive as two events, while processes are killed',
    load: () => import('./delivery/delivery.ts'),
  },
  lease: {
    about: 'addresses leased twice and acknowledged invoices lost, while API, Redis and Postgres fail',
    load: () => import('./lease/lease.ts'),
  },
  idempotency: {
    about:
      'duplicate invoices for a request that is sent 50 times at once, while API, Redis and Postgres fail',
    load: () => import('./idempotency/idempotency.ts'),
  },
  'redis-down': {
    about: 'requests that fail or take longer than a second while Redis is stopped or frozen',
    load: () => import('./availability/redis-down.ts'),
  },
  rolling: {
    about: 'requests that fail or take longer than a second while every service is restarted, one by one',
    load: () => import('./availability/rolling.ts'),
  },
  streams: {
    about: 'donations lost or repeated at resuming clients, while connections, replicas and Redis fail',
    load: () => import('./streams/streams.ts'),
  },
  hostile: {
    about:
      'honest requests rejected or slow while one account, network and donation link misbehave in every known way',
    load: () => import('./hostile/hostile.ts'),
  },
  // Runs last: its invoices' time to pay makes it the longest run at any size.
  chain: {
    about:
      'invoices decided differently than by the chains, while payers, miners, nodes and watchers misbehave',
    load: () => import('./chain/chain.ts'),
  },
};

const all: Measurement = {
  about: 'all of these one after another, each at a tenth of its size',
  load: () => Promise.resolve({ run: (options) => runAll(measurements, options) }),
};

const command = {
  name: 'chaos',
  measurements: { ...measurements, all },
  exitCode: (figures: readonly { name: string; value: number }[]) =>
    figures.some(({ name, value }) => name === 'violations' && value > 0) ? 1 : 0,
};
process.exit(await runMeasurement(command, process.argv.slice(2)));
