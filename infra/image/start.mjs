/**
 * The image's entry: the role is its first word, anything else a command of `paywatch`. The service runs in this very process, so
 * that signals reach it.
 */
import { constants } from 'node:os';

const services = ['api', 'watcher', 'webhook-worker'];
const [role] = process.argv.slice(2);
const service = services.includes(role) ? role : 'cli';
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, endBy);
process.env.OTEL_SERVICE_NAME ??= `paywatch-${service}`;
await import('../../packages/runtime/src/observability/instrument.ts');
await import(new URL(`../../services/${service}/src/main.ts`, import.meta.url).href);

/** The first process of a container ignores a signal that it does not handle: until a service does, and in a command, it ends here. */
function endBy(signal) {
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
