export { cachedRead } from './cached-read.ts';
export { type Clock, pause, systemClock } from './clock.ts';
export {
  ConfigError,
  commonVariables,
  databaseVariables,
  queueVariables,
  readConfig,
  redisVariables,
  variable,
  webhookVariables,
} from './config.ts';
export { type RedisLocation, isLoopback, parseRedisUrl, redisProtection } from './redis-url.ts';
export { onShutdown, runMain, type ShutdownStep } from './shutdown.ts';
export { keepHeapSmall } from './small-heap.ts';
export { roundRobin } from './round-robin.ts';
export { withTimeout } from './with-timeout.ts';
