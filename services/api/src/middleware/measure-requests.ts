import { Gauge, Histogram, type Registry } from '@paywatch/runtime';
import type { OperationId } from '@paywatch/domain/contract';
import type { Request, RequestHandler } from 'express';
import { youngSet, type YoungSet } from './young-set.ts';

/** Upper bounds in seconds: answers take milliseconds, and what takes longer than 10 seconds is a stream. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts and times answers by operation and status; requests to no operation count as `none`. */
export function measureRequests(registry: Registry): RequestHandler {
  const duration = new Histogram({
    name: 'paywatch_api_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const open = youngSet<Request>();
  registerOpen(registry, open);
  return (request, response, next) => {
    const close = open.add(request);
    const startedAtMs = performance.now();
    response.on('close', () => {
      close();
      const labels = { operation: request.context.operation ?? 'none', status: response.statusCode };
      duration.observe(labels, (performance.now() - startedAtMs) / 1000);
    });
    next();
  };
}

const STREAMS = {
  invoice: 'streamPublicInvoice',
  overlay: 'streamOverlay',
} as const satisfies Record<string, OperationId>;

/** Counted when somebody looks: a request learns its operation only on its way. */
function registerOpen(registry: Registry, open: YoungSet<Request>): void {
  const streams = new Gauge({
    name: 'paywatch_streams_open',
    help: 'Event streams that are open in this process, by kind',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      const operations = open.all().map(({ context }) => context.operation);
      for (const [kind, operation] of Object.entries(STREAMS))
        streams.set({ kind }, operations.filter((one) => one === operation).length);
    },
  });
  const requests = new Gauge({
    name: 'paywatch_api_requests_open',
    help: 'Requests and streams that are not answered to their end',
    registers: [registry],
    collect() {
      requests.set(open.all().length);
    },
  });
}
