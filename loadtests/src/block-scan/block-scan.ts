import type { Measure } from '@paywatch/dev/commands';
import { startPostgres, startRedis } from '@paywatch/dev/servers';
import { createSeededRandom, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { parseBlock } from '@paywatch/domain/chain';
import { currentFilter } from '@paywatch/store/payments';
import { migrate } from '@paywatch/store/postgres';
import { findCandidates } from '@paywatch/watcher/find-candidates';
import { Block } from 'bitcoinjs-lib';
import { createHash } from 'node:crypto';
import { percentile } from '../shared/percentile.ts';
import { leasedScript, setScanStage, type ScanStage } from './scan-stage.ts';
import { makeBlock, type SyntheticBlock } from './synthetic-block.ts';

const SCRIPTS = 1_000_000;
const FEW_SCRIPTS = 1000;
const SECONDS = 30;
const WARM_UP_ROUNDS = 4;
const MIN_ROUNDS = 5;
const MAX_ROUNDS = 60;
/** More than all rounds together pay. */
const OPEN_INVOICES = 8000;
/** Share of a block's outputs that pay our invoices. */
const PAID_SHARE = 0.01;

/** Durations of one block, in milliseconds. */
type Round = {
  reference: number;
  parse: number;
  match: number;
  scan: number;
  scanOfFew: number;
  settle: number;
};

/**
 * Scans blocks as a watcher does: parse, match, record, decide and publish. bitcoinjs-lib parses the same bytes in the same
 * process as the baseline. Every round has a new block, which pays invoices without earlier payments.
 */
export const run: Measure = async ({ terminal, seconds = SECONDS, seed, share }) => {
  await using parts = new AsyncDisposableStack();
  const scripts = Math.round(SCRIPTS * share);
  const [many, few] = await terminal.step(
    `Leasing and watching ${scripts.toLocaleString('en-US')} scripts`,
    () => setStages(parts, scripts),
  );
  const bytesPerScript = await measureFilter(many, scripts);
  const chain = await terminal.step('Making blocks', async () =>
    createChain(createSeededRandom(seed), many.openInvoices),
  );
  await terminal.step('Warming up', () => measure(chain, many, few, { ms: 0, least: WARM_UP_ROUNDS }));
  const rounds = await terminal.step(
    'Scanning blocks',
    () => measure(chain, many, few, { ms: seconds * 1000, least: MIN_ROUNDS }),
    (all) => `${all.length} blocks, ${describe(chain.last())}`,
  );
  const median = (value: (round: Round) => number): number => percentile(rounds.map(value), 0.5);
  return [
    { name: 'block_bytes', value: chain.last().bytes.length },
    { name: 'block_outputs', value: chain.last().outputCount },
    { name: 'bitcoinjs_parse_ms', value: median((round) => round.reference) },
    { name: 'parse_ms', value: median((round) => round.parse) },
    { name: 'match_ms', value: median((round) => round.match) },
    { name: 'record_ms', value: median((round) => round.scan - round.parse - round.match) },
    { name: 'scan_ms', value: median((round) => round.scan) },
    { name: 'settle_tip_ms', value: median((round) => round.settle) },
    {
      name: 'time_ratio',
      value: median((round) => round.scan) / median((round) => round.reference),
      reach: { atMost: 1.5 },
      aim: { atMost: 0.5 },
    },
    {
      name: 'flat_ratio',
      value: median((round) => round.scan) / median((round) => round.scanOfFew),
      reach: { atMost: 1.5 },
      aim: { atMost: 1.1 },
    },
    { name: 'bytes_per_script', value: bytesPerScript, reach: { atMost: 150 }, aim: { atMost: 80 } },
  ];
};

function describe({ bytes, transactionCount, outputCount }: SyntheticBlock): string {
  return `each about ${(bytes.length / 1e6).toFixed(1)} MB, ${transactionCount} transactions, ${outputCount} outputs`;
}

/** Many scripts and few, in two databases of one server, which differ in nothing else. */
async function setStages(parts: AsyncDisposableStack, scripts: number): Promise<[ScanStage, ScanStage]> {
  const postgres = await startPostgres({ own: true });
  parts.defer(postgres.stop);
  const redis = await startRedis({ own: true });
  parts.defer(redis.stop);
  const databaseUrls = [postgres.url, await postgres.createDatabase()] as const;
  const set = async (databaseUrl: string, count: number): Promise<ScanStage> => {
    await migrate(databaseUrl);
    const servers = { databaseUrl, redisUrl: redis.url, redisPrefix: `watch-${count}` };
    return setScanStage(parts, servers, { scripts: count, openInvoices: Math.min(count, OPEN_INVOICES) });
  };
  return [await set(databaseUrls[0], scripts), await set(databaseUrls[1], FEW_SCRIPTS)];
}

/** Bytes of the loaded filter per script. */
async function measureFilter({ store }: ScanStage, scripts: number): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  await waitUntil(() => currentFilter(store, 'BTC'), { what: 'the filter' });
  return (process.memoryUsage().arrayBuffers - before) / scripts;
}

type Chain = { next(): SyntheticBlock; last(): SyntheticBlock; paid(): number };

/**
 * A chain of blocks, each of which pays the next open invoices. All are made beforehand, so that their garbage is not collected
 * during a measurement.
 */
function createChain(random: SeededRandom, openInvoices: number): Chain {
  const blocks: SyntheticBlock[] = [];
  const paidBefore = [0];
  while (blocks.length < MAX_ROUNDS) {
    const paid = paidBefore.at(-1) ?? 0;
    const count = Math.round((blocks.at(-1)?.outputCount ?? 8000) * PAID_SHARE);
    if (paid + count > openInvoices) break;
    const paidScripts = Array.from({ length: count }, (_, index) => scriptOfLease(paid + index + 1));
    blocks.push(makeBlock(random, { prevHash: blocks.at(-1)?.hash ?? '00'.repeat(32), paidScripts }));
    paidBefore.push(paid + count);
  }
  let used = 0;
  return {
    next: () => given(blocks[used++]),
    last: () => given(blocks[used - 1]),
    paid: () => given(paidBefore[used]),
  };
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no block or open invoice is left');
  return value;
}

function scriptOfLease(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(number));
  return leasedScript(createHash('sha256').update(bytes).digest());
}

async function measure(
  chain: Chain,
  many: ScanStage,
  few: ScanStage,
  { ms, least }: { ms: number; least: number },
): Promise<Round[]> {
  const rounds: Round[] = [];
  const untilMs = performance.now() + ms;
  while (rounds.length < least || performance.now() < untilMs) {
    if (rounds.length >= MAX_ROUNDS - WARM_UP_ROUNDS) break;
    rounds.push(await measureRound(chain, many, few));
  }
  return rounds;
}

async function measureRound(chain: Chain, many: ScanStage, few: ScanStage): Promise<Round> {
  await few.leaseInstead(chain.paid() + 1);
  const block = chain.next();
  await many.enqueue(block);
  await few.enqueue(block);
  const reference = await timed(() => Block.fromBuffer(block.bytes));
  const parse = await timed(() => parseBlock(block.bytes));
  const match = await measureMatch(many, block);
  const scanOfFew = await timed(() => few.scan(block));
  const scan = await timed(() => many.scan(block));
  const settle = await timed(() => many.settle());
  await few.settle();
  return { reference, parse, match, scan, scanOfFew, settle };
}

/** Measures matching on a separate parse of the block. */
function measureMatch({ context: { store } }: ScanStage, { bytes }: SyntheticBlock): Promise<number> {
  const { transactions } = parseBlock(bytes);
  return timed(async () => {
    const filter = await currentFilter(store, 'BTC');
    return findCandidates(store.sql, { currency: 'BTC', height: 0, transactions }, filter);
  });
}

async function timed(work: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
