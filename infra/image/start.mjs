/**
 * The image's entry: the role is its first word, anything else a command of `paywatch`. The service runs in this very process, so
 * that signals reach it.
 */
const services = ['api', 'watcher', 'webhook-worker'];
const [role] = process.argv.slice(2);
const service = services.includes(role) ? role : 'cli';
process.env.OTEL_SERVICE_NAME ??= `paywatch-${service}`;
await import('../../packages/runtime/src/instrument.ts');
await import(new URL(`../../services/${service}/src/main.ts`, import.meta.url).href);
