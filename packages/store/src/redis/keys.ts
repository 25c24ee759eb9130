import type { AddressClass } from '@paywatch/domain/pools';

/**
 * Every Redis key, in one place. All of them can be deleted at any moment: the third column says what rebuilds them.
 * Keys that a script touches together share the hash tag in braces, so that Redis Cluster keeps them in one slot.
 */
export type Keys = ReturnType<typeof createKeys>;

export function createKeys(prefix: string) {
  return {
    prefix,
    /** Sorted set of fresh indexes of one class, by index: hints what to lease. Written by refill, popped by lease. From pool_addresses. */
    freeAddresses: (poolId: bigint, addressClass: AddressClass) =>
      `${prefix}:{pool:${poolId}}:free:${addressClass}`,
    /** String '1' while a refill of the sets above was asked for lately; TTL: a second. Lost: it is asked for once more. */
    refillAsked: (poolId: bigint) => `${prefix}:{pool:${poolId}}:refill-asked`,
    /** JSON of a credential that was checked in Postgres, or 'revoked'; at most seconds. From api_keys and sessions. */
    credential: (tokenHash: string) => `${prefix}:credential:{${tokenHash}}`,
    /** Counters of rate-limiter-flexible; TTL: the window. Lost: the window starts anew. */
    rateLimit: (name: string) => `${prefix}:limit:${name}`,
    /** JSON of the last fee estimate; TTL: minutes. From the node. */
    /** Hash of replica to open streams of a network at a target; TTL: seconds, repeated while they are open. From the replicas. */
    streamSlots: (network: string, target: string) => `${prefix}:streams:${target}:${network}`,
    /** Sorted set of JSON: what replicas saw of their clients in their last windows, by time; TTL: half an hour. Lost: seen again. */
    clientWindows: () => `${prefix}:clients`,
    /** Pub/sub channel: the invoice has a new version. */
    invoiceChannel: (publicId: string) => `${prefix}:invoice:${publicId}`,
    /** Pub/sub channel: the project has a new overlay donation. */
    overlayChannel: (projectId: bigint) => `${prefix}:overlay:${projectId}`,
    /** Prefix of a queue's keys; the tag keeps one shard of it in one slot. From deliveries, chain_blocks and pools. */
    queuePrefix: (queue: string, shard: number) => `{${prefix}:queue:${queue}:${shard}}`,
  };
}
