import type { Network } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';

/** How far a chain is followed, for the operator. */
export type ChainStatus = {
  currency: Currency;
  network: Network;
  /** Highest block up to which everything is recorded. */
  tip: { height: number; hash: string; minedAt: Date };
  /** Highest known block; above the tip while blocks are still being read. */
  knownHeight: number;
  unscannedBlocks: number;
  isFresh: boolean;
  /** For how long the view has been stale; null while it is fresh. */
  staleSeconds: number | null;
  /** Last complete read of a source. */
  checkedAt: Date;
  mempoolReadAt: Date | null;
  /** Whether a watcher follows the chain now. */
  hasLeader: boolean;
  /** Invoices that wait for a status decision. */
  dueDecisions: number;
  /** The clock of Postgres at this read, for comparison with the times above; epoch milliseconds. */
  nowMs: number;
};

/** The chains that a watcher has ever followed, by currency. */
export async function loadChainStatuses({ sql }: { sql: AnySql }): Promise<Map<Currency, ChainStatus>> {
  const rows = await sql<StatusRow[]>`
    select c.currency, c.network, c.tip_height, encode(c.tip_hash, 'hex') as tip_hash, c.tip_time,
      coalesce((select max(b.height) from chain_blocks b where b.currency = c.currency), c.tip_height) as known_height,
      (select count(*)::int from chain_blocks b where b.currency = c.currency and b.scanned_at is null) as unscanned,
      c.stale_since is null and c.checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS}) as is_fresh,
      extract(epoch from now() - coalesce(c.stale_since, c.checked_at))::float8 as not_fresh_seconds,
      c.checked_at, c.mempool_read_at, coalesce(c.leader_until > now(), false) as has_leader,
      (select count(*)::int from due_decisions d where d.currency = c.currency) as due_decisions,
      (extract(epoch from now()) * 1000)::float8 as now_ms
    from chains c order by c.currency`;
  return new Map(rows.map((row) => [row.currency, toStatus(row)]));
}

type StatusRow = {
  currency: Currency;
  network: Network;
  tip_height: number;
  tip_hash: string;
  tip_time: Date;
  known_height: number;
  unscanned: number;
  is_fresh: boolean;
  not_fresh_seconds: number;
  checked_at: Date;
  mempool_read_at: Date | null;
  has_leader: boolean;
  due_decisions: number;
  now_ms: number;
};

function toStatus(row: StatusRow): ChainStatus {
  return {
    currency: row.currency,
    network: row.network,
    tip: { height: row.tip_height, hash: row.tip_hash, minedAt: row.tip_time },
    knownHeight: row.known_height,
    unscannedBlocks: row.unscanned,
    isFresh: row.is_fresh,
    staleSeconds: row.is_fresh ? null : row.not_fresh_seconds,
    checkedAt: row.checked_at,
    mempoolReadAt: row.mempool_read_at,
    hasLeader: row.has_leader,
    dueDecisions: row.due_decisions,
    nowMs: row.now_ms,
  };
}
