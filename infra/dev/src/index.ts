export { createApiClient, ApiProblem, type ApiClient, type Credentials } from './api-client.ts';
export { startBitcoinNode } from './bitcoin-node.ts';
export { createCertificateAuthority } from './certificates.ts';
export { collectYoung, countAlive } from './collect-young.ts';
export type { CertificateAuthority, ServerCertificate } from './certificates.ts';
export type { Bound, Figure } from './figures.ts';
export { openEventStream, type EventStream, type StreamEvent } from './event-stream.ts';
export { medianExtraMs } from './extra-time.ts';
export { freePort } from './free-port.ts';
export { interruption } from './interruption.ts';
export { startLitecoinNode } from './litecoin-node.ts';
export { startLoadBalancer, type Backend, type LoadBalancer } from './load-balancer.ts';
export { runMeasurement, type Measure, type Measurement, type MeasurementOptions } from './measurement.ts';
export type { MineOptions, Reorg, ReorgOptions } from './mining.ts';
export { createMerchantWallet } from './merchant-wallet.ts';
export { litoshiPerPegIn, type MwebWallet } from './mweb-wallet.ts';
export type { ChainNode } from './node-process.ts';
export { createNodeRpc, NodeRpcError } from './node-rpc.ts';
export type { NodeBlock, NodeKind, NodeRpc, NodeTransaction } from './node-rpc.ts';
export { openMerchant, type Merchant } from './open-merchant.ts';
export { createPayer, type Payer, type PayersNode } from './payer.ts';
export type { Payee, PaymentOptions, SentTransaction } from './payments.ts';
export { hasPgBouncer, startPgBouncer, type PgBouncer } from './pgbouncer.ts';
export type { PostgresBackup } from './postgres-backup.ts';
export type { PostgresReplica } from './postgres-replica.ts';
export { startPostgres, type Postgres } from './postgres.ts';
export { hasPrometheus, startPrometheus, type Prometheus } from './prometheus.ts';
export { killTree, processTree } from './process-tree.ts';
export { repositoryFolder, spawnService } from './processes.ts';
export { describeWebhook, startReceiver } from './receiver.ts';
export type { ReceivedWebhook, Receiver, ScriptedAnswer } from './receiver.ts';
export { startRedis, type Redis } from './redis.ts';
export { startRedisCluster } from './redis-cluster.ts';
export { recordCommands } from './redis-monitor.ts';
export { startRedisPair, type RedisPair } from './redis-pair.ts';
export { cutSubscribers, startRedisSentinel, type RedisWithFailover } from './redis-sentinel.ts';
export { scriptOf, segwitAddress, unownedAddress, type Currency } from './regtest-address.ts';
export { createSeededRandom, type SeededRandom } from './seeded-random.ts';
export { findProgram, startServer, type ServerProcess } from './server-process.ts';
export {
  startShippedBalancer,
  type ShippedBalancer,
  type ShippedBalancerSettings,
} from './shipped-balancer.ts';
export { startStackService, type StackService } from './stack-service.ts';
export { createTerminal, type Terminal } from './terminal.ts';
export { temporaryFolder } from './temporary-folder.ts';
export { HANG_TIMEOUT_MS, waitUntil } from './wait-until.ts';
export { createTestServers, startTestServers, type TestServers } from './test-servers.ts';
