import { trace } from '@opentelemetry/api';

/** Whether tracing is enabled. */
export const isTraced = Boolean(process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);

/** Sets the operation and the request id of the active span. Does nothing without tracing. */
export function nameRequestSpan(operation: string, requestId: string): void {
  const span = trace.getActiveSpan();
  span?.updateName(operation);
  span?.setAttributes({ 'paywatch.operation': operation, 'paywatch.request_id': requestId });
}

/** Sets the id of the request that caused the work of the active span, possibly in another process. */
export function noteRequestOnSpan(requestId: string): void {
  trace.getActiveSpan()?.setAttribute('paywatch.request_id', requestId);
}
