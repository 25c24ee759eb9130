/**
 * Traces what this process does, where `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector (OTLP over http). Loaded before everything else:
 * `node --import ./packages/runtime/src/observability/instrument.ts services/api/src/main.ts`, as the image's entry does by itself.
 */
import { register } from 'import-in-the-middle/register-hooks.mjs';

if (process.env['OTEL_EXPORTER_OTLP_ENDPOINT']) {
  // Before the libraries that are to be traced: what is loaded already is not seen.
  register();
  const { startTracing } = await import('./tracing.ts');
  startTracing();
}
