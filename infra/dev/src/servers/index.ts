export {
  type CertificateAuthority,
  type ServerCertificate,
  createCertificateAuthority,
} from './certificates.ts';
export { freePort } from './free-port.ts';
export { startLoadBalancer } from './load-balancer.ts';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
export { type MarketAnswer, type MarketServer, startMarketServer } from './markets/market-server.ts';
export { type MarketName, answerJson, tickerOf } from './markets/market-tickers.ts';
export { type PgBouncer, hasPgBouncer, startPgBouncer } from './pgbouncer.ts';
export { type PostgresReplica } from './postgres/postgres-replica.ts';
export { type Postgres, startPostgres } from './postgres/postgres.ts';
export { type Prometheus, hasPrometheus, startPrometheus } from './prometheus.ts';
export { startRedisCluster } from './redis/redis-cluster.ts';
export { recordCommands } from './redis/redis-monitor.ts';
export { type RedisPair, startRedisPair } from './redis/redis-pair.ts';
export { type SecuredRedis, startSecuredRedis } from './redis/redis-secured.ts';
export { type RedisWithFailover, cutSubscribers, startRedisSentinel } from './redis/redis-sentinel.ts';
export { type Redis, startRedis } from './redis/redis.ts';
export { type ServerProcess, findProgram, startServer } from './server-process.ts';
export { type ShippedBalancer, startShippedBalancer } from './shipped-balancer.ts';
export { type TestServers, createTestServers, startTestServers } from './test-servers.ts';
export { untilStarted } from './until-started.ts';
