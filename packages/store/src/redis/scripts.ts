import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { RedisClient } from './client.ts';

/** A Lua script of ./scripts, called by its hash. The contract is at the top of the file. */
export type Script = (
  redis: RedisClient,
  keys: readonly string[],
  args: readonly string[],
) => Promise<unknown>;

/** Reads the script once, when the module loads. A server that does not know it yet receives the source. */
export function loadScript(name: string): Script {
  const source = readFileSync(new URL(`./scripts/${name}.lua`, import.meta.url), 'utf8');
  const hash = createHash('sha1').update(source).digest('hex');
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      // Redis was restarted or another node is the master now: EVAL sends the source.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(source, keys.length, ...keys, ...args);
    }
  };
}
