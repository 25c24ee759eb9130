export { createApiClient, ApiProblem, type ApiClient, type Credentials } from './stack/api-client.ts';
export { startBitcoinNode } from './nodes/bitcoin-node.ts';
export { createCertificateAuthority } from './servers/certificates.ts';
export { collectYoung, countAlive } from './testing/collect-young.ts';
export type { CertificateAuthority, ServerCertificate } from './servers/certificates.ts';
export type { Bound, Figure } from './commands/figures.ts';
export { openEventStream, type EventStream, type StreamEvent } from './stack/event-stream.ts';
export { medianExtraMs } from './testing/extra-time.ts';
export { freePort } from './servers/free-port.ts';
export { interruption } from './commands/interruption.ts';
export { startLitecoinNode } from './nodes/litecoin-node.ts';
export { startLoadBalancer, type Backend, type LoadBalancer } from './servers/load-balancer.ts';
export {
  runMeasurement,
  type Measure,
  type Measurement,
  type MeasurementOptions,
} from './commands/measurement.ts';
export type { MineOptions, Reorg, ReorgOptions } from './nodes/mining.ts';
export { createMerchantWallet } from './wallet/merchant-wallet.ts';
export { litoshiPerPegIn, type MwebWallet } from './nodes/mweb-wallet.ts';
export type { ChainNode } from './nodes/node-process.ts';
export { createNodeRpc, NodeRpcError } from './nodes/node-rpc.ts';
export type { NodeBlock, NodeKind, NodeRpc, NodeTransaction } from './nodes/node-rpc.ts';
export { openMerchant, type Merchant } from './stack/open-merchant.ts';
export { createPayer, type Payer, type PayersNode } from './wallet/payer.ts';
export type { Payee, PaymentOptions, SentTransaction } from './wallet/payments.ts';
export { hasPgBouncer, startPgBouncer, type PgBouncer } from './servers/pgbouncer.ts';
export type { PostgresBackup } from './servers/postgres/postgres-backup.ts';
export type { PostgresReplica } from './servers/postgres/postgres-replica.ts';
export { startPostgres, type Postgres } from './servers/postgres/postgres.ts';
export { hasPrometheus, startPrometheus, type Prometheus } from './servers/prometheus.ts';
export { killTree, processTree } from './testing/process-tree.ts';
export { repositoryFolder, spawnService } from './stack/processes.ts';
export { describeWebhook, startReceiver } from './stack/receiver.ts';
export type { ReceivedWebhook, Receiver, ScriptedAnswer } from './stack/receiver.ts';
export { startRedis, type Redis } from './servers/redis/redis.ts';
export { startRedisCluster } from './servers/redis/redis-cluster.ts';
export { recordCommands } from './servers/redis/redis-monitor.ts';
export { startSecuredRedis, type SecuredRedis } from './servers/redis/redis-secured.ts';
export { startRedisPair, type RedisPair } from './servers/redis/redis-pair.ts';
export {
  cutSubscribers,
  startRedisSentinel,
  type RedisWithFailover,
} from './servers/redis/redis-sentinel.ts';
export { scriptOf, segwitAddress, unownedAddress, type Currency } from './wallet/regtest-address.ts';
export { createSeededRandom, type SeededRandom } from './testing/seeded-random.ts';
export { findProgram, startServer, type ServerProcess } from './servers/server-process.ts';
export {
  startShippedBalancer,
  type ShippedBalancer,
  type ShippedBalancerSettings,
} from './servers/shipped-balancer.ts';
export { startStackService, type StackService } from './stack/stack-service.ts';
export { createTerminal, type Terminal } from './commands/terminal.ts';
export { temporaryFolder } from './testing/temporary-folder.ts';
export { HANG_TIMEOUT_MS, waitUntil } from './testing/wait-until.ts';
export { createTestServers, startTestServers, type TestServers } from './servers/test-servers.ts';
