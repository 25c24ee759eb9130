import { trace } from '@opentelemetry/api';

/** Whether somebody asked for traces. */
export const isTraced = Boolean(process.env['OTEL_EXPORTER_OTLP_ENDPOINT']);

/** Gives the span of a request the name of its operation, and the id under which the log knows it. Nothing where nobody traces. */
export function nameRequestSpan(operation: string, requestId: string): void {
  const span = trace.getActiveSpan();
  span?.updateName(operation);
  span?.setAttributes({ 'paywatch.operation': operation, 'paywatch.request_id': requestId });
}

/** Says which request the work of the present span was caused by, maybe long ago and in another process. */
export function noteRequestOnSpan(requestId: string): void {
  trace.getActiveSpan()?.setAttribute('paywatch.request_id', requestId);
}
