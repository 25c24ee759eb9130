export { type Logger, createLogger, flatLogger } from './logger.ts';
export {
  Counter,
  Gauge,
  Histogram,
  type MetricsSource,
  type Registry,
  createRegistry,
  createRoleRegistry,
  joinRegistries,
} from './metrics.ts';
export { isTraced, nameRequestSpan, noteRequestOnSpan } from './request-span.ts';
