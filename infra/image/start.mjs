/**
 * The image's entry point: the first argument is a role; anything else is a command of `paywatch`. The service runs in this process,
 * so that it receives signals.
 */
import { constants } from 'node:os';

const services = ['api', 'watcher', 'webhook-worker', 'serve'];
const [role] = process.argv.slice(2);
const service = services.includes(role) ? role : 'cli';
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, endBy);
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) await startTraced();
else await import(new URL(`../../bundles/${service}.mjs`, import.meta.url).href);

/** From the sources: tracing patches packages as they are loaded, and those in a bundle are not. */
async function startTraced() {
  process.env.OTEL_SERVICE_NAME ??= `paywatch-${service}`;
  await import('../../packages/runtime/src/observability/instrument.ts');
  await import(new URL(`../../services/${service}/src/main.ts`, import.meta.url).href);
}

/** PID 1 ignores signals without a handler. This one exits until the service installs its own, and during commands. */
function endBy(signal) {
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
