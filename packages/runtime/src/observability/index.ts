export { type Logger, createLogger, flatLogger } from './logger.ts';
export { Counter, Gauge, Histogram, type Registry, createRegistry } from './metrics.ts';
export { isTraced, nameRequestSpan, noteRequestOnSpan } from './request-span.ts';
