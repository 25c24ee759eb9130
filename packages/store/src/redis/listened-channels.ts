import { Redis } from 'ioredis';
import type { RedisClient } from './client.ts';

/** Those of these channels that somebody listens to. Each master of a cluster is asked: it knows of its own listeners. */
export async function findListened(redis: RedisClient, channels: readonly string[]): Promise<Set<string>> {
  if (redis instanceof Redis) return listened(await redis.pubsub('NUMSUB', ...channels));
  const masters = redis.nodes('master');
  const replies = await Promise.all(masters.map((node) => node.call('PUBSUB', 'SHARDNUMSUB', ...channels)));
  return replies.map(listened).reduce((all, some) => all.union(some), new Set());
}

/** The answer holds names and counts in turn. */
function listened(reply: unknown): Set<string> {
  const words: unknown[] = Array.isArray(reply) ? reply : [];
  return new Set(words.filter((_, at) => at % 2 === 0 && Number(words[at + 1]) > 0).map(String));
}
