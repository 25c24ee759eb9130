export { freePort } from './free-port.ts';
export { startPostgres, type Postgres } from './postgres.ts';
export { startRedis, type Redis } from './redis.ts';
export { waitUntil } from './wait-until.ts';
