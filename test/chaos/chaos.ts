/**
 * The entry of `npm run chaos -- NAME`: real processes, random kills and freezes, a full history, and a checker over it. Ends with
 * 1 when something that must not happen happened.
 */
import { runMeasurement, type Measurement } from '@paywatch/dev/commands';
import { runAll } from './all.ts';

const measurements: Record<string, Measurement> = {
  delivery: {
    about: 'outcomes that never reach the merchant, or reach him as two, while processes are killed',
    load: () => import('./delivery/delivery.ts'),
  },
  lease: {
    about: 'addresses leased twice, or acknowledged invoices lost, while API, Redis and Postgres fail',
    load: () => import('./lease/lease.ts'),
  },
  idempotency: {
    about: 'second invoices for one request, repeated 50 times at once, while API, Redis and Postgres fail',
    load: () => import('./idempotency/idempotency.ts'),
  },
  'redis-down': {
    about: 'requests that fail or wait while Redis is stopped, and while it is frozen',
    load: () => import('./availability/redis-down.ts'),
  },
  rolling: {
    about: 'requests that fail or take longer than a second while every service is restarted, one by one',
    load: () => import('./availability/rolling.ts'),
  },
  streams: {
    about: 'donations lost or repeated at clients that resume, while connections, replicas and Redis break',
    load: () => import('./streams/streams.ts'),
  },
  hostile: {
    about:
      'honest requests refused or late while one account, network and donation link misbehave in every way',
    load: () => import('./hostile/hostile.ts'),
  },
  // Last of all: the time to pay of its invoices makes it the longest at any size.
  chain: {
    about:
      'invoices decided otherwise than the chains say, while payers, miners, nodes and watchers misbehave',
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
