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
 * Span attributes that are exported. The instrumentations also record full URLs, which contain capabilities and node passwords, and
 * client addresses; those must not leave the process.
 */
const EXPORTED_ATTRIBUTES = new Set([
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

/** Registers the OpenTelemetry SDK. It exports to OTEL_EXPORTER_OTLP_ENDPOINT as the service OTEL_SERVICE_NAME. */
export function startTracing(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'paywatch' }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withoutClientData(new OTLPTraceExporter()),
        scheduledDelayMillis: 1000,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  registerInstrumentations({
    tracerProvider: provider,
    instrumentations: [
      new HttpInstrumentation(),
      // Only the command: its arguments contain invoice ids and credentials.
      new IORedisInstrumentation({ dbStatementSerializer: (name) => name, requireParentSpan: true }),
    ],
  });
}

/** Removes everything from spans that must not leave the process. */
function withoutClientData(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(filterSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function filterSpan(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => EXPORTED_ATTRIBUTES.has(name)),
  );
  // Event attributes and status messages quote URLs and statements.
  const events = span.events.map(({ time, name }) => ({ time, name }));
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: events },
    status: { value: { code: span.status.code } },
  }) as ReadableSpan;
}
