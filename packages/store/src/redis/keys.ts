import type { AddressClass } from '@paywatch/domain/pools';

/**
 * Every Redis key. All of them may be deleted at any moment; each comment names what rebuilds the key. Keys that one script
 * uses share the hash tag in braces, so that a cluster keeps them in one slot.
 */
export type Keys = ReturnType<typeof createKeys>;

export function createKeys(prefix: string) {
  return {
    prefix,
    /**
     * Sorted set of fresh indexes of one class, by index: lease hints. Written by refills, popped by leases. Rebuilt from
     * pool_addresses.
     */
    freeAddresses: (poolId: bigint, addressClass: AddressClass) =>
      `${prefix}:{pool:${poolId}}:free:${addressClass}`,
    /** '1' while a refill of these sets was requested recently; TTL: one second. If lost, the refill is requested again. */
    refillAsked: (poolId: bigint) => `${prefix}:{pool:${poolId}}:refill-asked`,
    /** JSON of a session that was checked in Postgres, or 'revoked'; TTL: seconds. Rebuilt from sessions. */
    session: (tokenHash: string) => `${prefix}:credential:{${tokenHash}}`,
    /** The same of an API key, beside the counters of its project. Rebuilt from api_keys. */
    apiKey: (projectId: bigint, tokenHash: string) =>
      `${prefix}:credential:{project:${projectId}}:${tokenHash}`,
    /** Counters of rate-limiter-flexible; TTL: the window. If lost, the window starts again. */
    rateLimit: (name: string) => `${prefix}:limit:${name}`,
    /**
     * Hash of replica to open streams of a network at a target; TTL: seconds, renewed while they are open. Rebuilt by the
     * replicas.
     */
    streamSlots: (network: string, target: string) => `${prefix}:streams:${target}:${network}`,
    /**
     * Sorted set of JSON, by time: the clients that replicas saw in their last windows; TTL: half an hour. Rebuilt by later
     * windows.
     */
    clientWindows: () => `${prefix}:clients`,
    /** Pub/sub channel: the invoice has a new version. */
    invoiceChannel: (publicId: string) => `${prefix}:invoice:${publicId}`,
    /** Pub/sub channel: the project has a new overlay donation. */
    overlayChannel: (projectId: bigint) => `${prefix}:overlay:${projectId}`,
    /** Prefix of a queue's keys; the hash tag keeps each shard in one slot. Rebuilt from deliveries, mails, chain_blocks and pools. */
    queuePrefix: (queue: string, shard: number) => `{${prefix}:queue:${queue}:${shard}}`,
  };
}
