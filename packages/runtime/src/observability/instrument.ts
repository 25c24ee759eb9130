/**
 * Enables tracing if `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector (OTLP over HTTP). Must be loaded first, as the image's entry does:
 * `node --import ./packages/runtime/src/observability/instrument.ts services/api/src/main.ts`.
 */
import { register } from 'import-in-the-middle/register-hooks.mjs';

if (process.env['OTEL_EXPORTER_OTLP_ENDPOINT']) {
  // Must run before the traced libraries load; a library that is already loaded is not instrumented.
  register();
  const { startTracing } = await import('./tracing.ts');
  startTracing();
}
