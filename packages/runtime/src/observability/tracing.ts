import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';

/**
 * What a span may tell. The libraries note whole URLs, which hold payers' and merchants' capabilities and the passwords of nodes,
 * and callers' addresses: none of that leaves the process.
 */
const TOLD = new Set([
  'http.request.method',
  'http.method',
  'http.response.status_code',
  'http.status_code',
  'http.route',
  'db.system',
  'db.system.name',
  'db.operation.name',
  'messaging.system',
  'bullmq.queue.name',
  'bullmq.job.attempts',
  'paywatch.operation',
  'paywatch.request_id',
]);

/** Registers the SDK. Sends in the background to OTEL_EXPORTER_OTLP_ENDPOINT, under the name of OTEL_SERVICE_NAME. */
export function startTracing(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'paywatch' }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: discreet(new OTLPTraceExporter()), scheduledDelayMillis: 1000 }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation(),
      // The command alone: keys and values name invoices, credentials and networks.
      new IORedisInstrumentation({ dbStatementSerializer: (name) => name, requireParentSpan: true }),
    ],
  });
}

/** Hands on only what may be told. */
function discreet(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(withoutSecrets), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function withoutSecrets(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => TOLD.has(name)));
  // Messages of errors quote URLs and statements.
  const events = span.events.map(({ time, name }) => ({ time, name }));
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: events },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}
