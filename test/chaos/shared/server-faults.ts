import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import type { ApiStage } from './api-stage.ts';
import { freeze, isCalm } from './process-faults.ts';

type Fault = { name: string; weight: number; cause(stage: ApiStage, chance: Chance): Promise<void> };
type Chance = { random: SeededRandom; signal: AbortSignal };

const LONGEST_FREEZE_MS = 3000;

/** Faults of API processes and their servers; each resolves when it is over. */
const FAULTS: readonly Fault[] = [
  {
    name: 'api_kills',
    weight: 5,
    cause: async ({ apis }, { random }) => {
      const api = random.pick(apis);
      await api.kill();
      await api.restart();
    },
  },
  {
    name: 'api_freezes',
    weight: 3,
    cause: ({ apis }, { random, signal }) => {
      const api = random.pick(apis);
      return freeze(api.process(), random.fraction() * LONGEST_FREEZE_MS, signal);
    },
  },
  {
    name: 'redis_kills',
    weight: 2,
    cause: async ({ redis }, { random, signal }) => {
      await redis.kill();
      await isCalm(random.fraction() * LONGEST_FREEZE_MS, signal);
      await redis.restart();
    },
  },
  { name: 'redis_flushes', weight: 4, cause: ({ redis }) => redis.flush() },
  {
    name: 'redis_freezes',
    weight: 3,
    cause: ({ redis }, { random, signal }) => freeze(redis, random.fraction() * LONGEST_FREEZE_MS, signal),
  },
  {
    name: 'redis_failovers',
    weight: 3,
    cause: ({ redis }, { random }) => redis.failOver(random.integer(500)),
  },
  {
    name: 'postgres_restarts',
    weight: 1,
    cause: async ({ postgres }) => {
      await postgres.kill();
      await postgres.restart();
    },
  },
];

/** The number of faults by name. */
export type FaultCounts = Record<string, number>;

/** Causes random faults, one after another, until the signal aborts. Everything runs when it resolves. */
export async function troubleServers(
  stage: ApiStage,
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<FaultCounts> {
  const random = createSeededRandom(seed + 1);
  const urn = FAULTS.flatMap((fault) => Array.from({ length: fault.weight }, () => fault));
  const counts: FaultCounts = Object.fromEntries(FAULTS.map(({ name }) => [name, 0]));
  while (await isCalm(500 + random.integer(3000), signal)) {
    const fault = random.pick(urn);
    counts[fault.name] = (counts[fault.name] ?? 0) + 1;
    await fault.cause(stage, { random, signal });
  }
  return counts;
}
