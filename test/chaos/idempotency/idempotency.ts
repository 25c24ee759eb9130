import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import type { Store } from '@paywatch/store';
import { setApiStage, type ApiStage } from '../shared/api-stage.ts';
import { checkIdempotency, type Repeat, type RepeatGroup } from './check-idempotency.ts';
import { placeOrder } from '../shared/place-order.ts';
import { troubleServers, type FaultCounts } from '../shared/server-faults.ts';
import { faultFigures, verdict } from '../shared/verdict.ts';

/*
 * Repeatedly sends fifty concurrent requests for the same invoice to several API processes, while these are killed and frozen and their
 * servers fail. Each request is retried until it gets a response. Then every group must have exactly one invoice, reported as new at
 * most once.
 */

const GROUPS = 2000;
const REQUESTS_PER_GROUP = 50;
const GROUPS_AT_ONCE = 2;
const MERCHANTS = 10;
const API_PROCESSES = 4;

/** What the requests of a group share: order id, idempotency key, or a mix. */
const NAMINGS: readonly ((
  group: number,
  request: number,
) => { orderId?: string; idempotencyKey?: string })[] = [
  (group) => ({ idempotencyKey: `key-${group}` }),
  (group) => ({ orderId: `order-${group}` }),
  (group) => ({ orderId: `order-${group}`, idempotencyKey: `key-${group}` }),
  // Mixed: one order with several keys, and one key for several orders.
  (group, request) => ({ orderId: `order-${group}`, idempotencyKey: `key-${group}-${request % 3}` }),
  (group, request) => ({ orderId: `order-${group}-${request % 3}`, idempotencyKey: `key-${group}` }),
];

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const stage = await options.terminal.step(
    'Starting Postgres, Redis and a replica, a node, a watcher, API processes and merchants',
    () => setApiStage(parts, { apis: API_PROCESSES, merchants: MERCHANTS }),
  );
  const { groups, faults } = await trouble(stage, options);
  return judge(await withStored(stage.store, groups), faults);
};

/** Pause before the invoices in Postgres are read. */
type AskedGroup = Omit<RepeatGroup, 'stored'> & { number: number };

async function trouble(
  stage: ApiStage,
  options: MeasurementOptions,
): Promise<{ groups: AskedGroup[]; faults: FaultCounts }> {
  const ending = new AbortController();
  const troubled = troubleServers(stage, { seed: options.seed, signal: ending.signal });
  try {
    const groups = await options.terminal.step(
      'Creating the same invoices many times concurrently',
      () => askGroups(stage, options),
      (asked) => `${asked.length} invoices`,
    );
    ending.abort();
    return { groups, faults: await troubled };
  } finally {
    ending.abort();
  }
}

async function askGroups(
  stage: ApiStage,
  { share, seconds, seed }: MeasurementOptions,
): Promise<AskedGroup[]> {
  const total = Math.ceil(GROUPS * share);
  const untilMs = seconds === undefined ? Infinity : performance.now() + seconds * 1000;
  const groups: AskedGroup[] = [];
  let started = 0;
  const askInTurn = async (random: SeededRandom) => {
    while (started < total && performance.now() < untilMs) {
      started += 1;
      groups.push(await askGroup(stage, started, random));
    }
  };
  await Promise.all(
    Array.from({ length: GROUPS_AT_ONCE }, (_, index) => askInTurn(createSeededRandom(seed + 100 + index))),
  );
  return groups;
}

async function askGroup(stage: ApiStage, number: number, random: SeededRandom): Promise<AskedGroup> {
  const { apiKey } = random.pick(stage.merchants);
  const name = random.pick(NAMINGS);
  const placed = await Promise.all(
    Array.from({ length: REQUESTS_PER_GROUP }, (_, request) =>
      placeOrder(stage, { apiKey, ...name(number, request) }, random),
    ),
  );
  const repeats: Repeat[] = placed.filter((one) => one !== null);
  return { number, repeats, unanswered: placed.length - repeats.length };
}

type StoredName = { publicId: string; name: string };

/** Reads each group's invoices from Postgres, by every order_id and idempotency key of its requests. */
async function withStored({ sql }: Store, groups: readonly AskedGroup[]): Promise<RepeatGroup[]> {
  const named = await sql<StoredName[]>`
    select public_id as "publicId", order_id as name from invoices where order_id is not null
    union
    select i.public_id, k.key from idempotency_keys k join invoices i on i.id = k.invoice_id`;
  const storedOf = Map.groupBy(named, ({ name }) => /^(?:order|key)-(\d+)/.exec(name)?.[1] ?? '');
  return groups.map((group) => {
    const ids = (storedOf.get(String(group.number)) ?? []).map(({ publicId }) => publicId);
    return { ...group, stored: [...new Set(ids)] };
  });
}

function judge(groups: readonly RepeatGroup[], faults: FaultCounts): Figure[] {
  const counts = checkIdempotency(groups);
  const unanswered = groups.reduce((sum, group) => sum + group.unanswered, 0);
  return [
    { name: 'operations', value: groups.length * REQUESTS_PER_GROUP },
    { name: 'invoices', value: groups.length },
    { name: 'unanswered', value: unanswered },
    ...faultFigures(faults),
    ...verdict({
      second_invoices: counts.secondInvoices,
      second_creations: counts.secondCreations,
      creations_unsaid: counts.creationsUnsaid,
      acknowledged_invoices_missing: counts.missing,
    }),
  ];
}
