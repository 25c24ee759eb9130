export * from './config.ts';
export * from './clock.ts';
export * from './random.ts';
export * from './logger.ts';
export * from './metrics.ts';
export * from './health.ts';
export * from './shutdown.ts';
export * from './sealing.ts';
