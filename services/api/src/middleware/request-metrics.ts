import { Gauge, Histogram, type Registry } from '@paywatch/runtime/observability';
import type { RequestHandler } from 'express';

/** Upper bounds in seconds. Only streams take longer than 10 seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts and times responses by operation and status. Requests to no operation have the operation `none`. */
export function requestMetrics(registry: Registry): RequestHandler {
  const duration = new Histogram({
    name: 'paywatch_api_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['operation', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const open = new Gauge({
    name: 'paywatch_api_requests_open',
    help: 'Requests and streams in progress',
    registers: [registry],
  });
  return (request, response, next) => {
    open.inc();
    const startedAtMs = performance.now();
    response.on('close', () => {
      open.dec();
      const labels = { operation: request.context.operation ?? 'none', status: response.statusCode };
      duration.observe(labels, (performance.now() - startedAtMs) / 1000);
    });
    next();
  };
}
