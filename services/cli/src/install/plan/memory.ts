/** How the machine's memory is divided, in MB. */
export type MemoryShares = {
  postgresBuffers: number;
  postgresLimit: number;
  redis: number;
  redisLimit: number;
  api: number;
  watcher: number;
  webhookWorker: number;
};

/** Limits, not reservations: together they may exceed the machine's memory, but no process alone can take it. */
export function shareMemory(totalMb: number): MemoryShares {
  const share = (part: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.floor(totalMb * part)));
  const redis = share(0.06, 96, 1024);
  return {
    postgresBuffers: share(0.15, 256, 8192),
    postgresLimit: share(0.45, 900, 65_536),
    redis,
    // Redis may hold more than `maxmemory` for connections and fragmentation.
    redisLimit: redis * 2,
    api: share(0.2, 512, 3072),
    watcher: share(0.3, 640, 8192),
    webhookWorker: share(0.15, 448, 2048),
  };
}
