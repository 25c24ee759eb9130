import type { ChainStatus } from '@paywatch/store/chain';
import { blocks, fields, table } from '../terminal/text.ts';
import type { DeploymentStatus } from './read-status.ts';

/** One screen for people. Pure. */
export function statusText(status: DeploymentStatus, problems: readonly string[]): string {
  const { chains, pools, parkedInvoices, webhooks, mail, redisFault, archive } = status;
  return blocks(
    table(
      ['CHAIN', 'NETWORK', 'BLOCK', 'BEHIND', 'LAST READ', 'LEADER', 'FRESH', 'DECISIONS DUE'],
      chains.map(chainRow),
      'No chain is followed.',
    ),
    table(
      ['POOLS', 'AMPLE', 'LOW', 'DRY', 'FREE ADDRESSES', 'LOWEST FREE SHARE'],
      pools.map((pool) => [
        pool.currency,
        pool.ample,
        pool.low,
        pool.dry,
        pool.free,
        `${Math.round(100 * pool.lowestFreeShare)} %`,
      ]),
      'No wallet is verified.',
    ),
    fields([
      ['Webhooks', webhooksText(webhooks)],
      ['Mail', mail === null ? 'not configured' : `lag ${mail.lagSeconds} s`],
      ['Parked invoices', parkedInvoices],
      ['Redis', redisFault === null ? 'ready' : 'unavailable or incompatible'],
      ['Last WAL file archived', archive === null ? 'archiving is off' : archive.archivedAt],
    ]),
    problems.length === 0
      ? 'No problems found.'
      : [...problems.map((problem) => `PROBLEM  ${problem}`), 'Run `paywatch doctor` for advice.'].join('\n'),
  );
}

function chainRow(chain: ChainStatus) {
  return [
    chain.currency,
    chain.network,
    chain.tip.height,
    chain.knownHeight - chain.tip.height,
    `${readSecondsAgo(chain)} s ago`,
    chain.hasLeader,
    chain.isFresh,
    chain.dueDecisions,
  ];
}

function webhooksText({ pending, due, failing, failingProjects, lagSeconds }: DeploymentStatus['webhooks']) {
  return `${pending} pending, ${due} due, ${failing} failing (projects: ${failingProjects}), lag ${lagSeconds} s`;
}

/** Whole seconds since the last complete read of a source, by the clock of Postgres. */
function readSecondsAgo({ nowMs, checkedAt }: ChainStatus): number {
  return Math.max(0, Math.round((nowMs - checkedAt.getTime()) / 1000));
}

/** The same for programs. Pure. */
export function statusJson(status: DeploymentStatus, problems: readonly string[]) {
  const { chains, pools, parkedInvoices, webhooks, mail, redisFault, archive } = status;
  return {
    healthy: problems.length === 0,
    problems,
    chains: chains.map((chain) => ({
      currency: chain.currency,
      network: chain.network,
      tip_height: chain.tip.height,
      blocks_behind: chain.knownHeight - chain.tip.height,
      read_seconds_ago: readSecondsAgo(chain),
      leader: chain.hasLeader,
      fresh: chain.isFresh,
      decisions_due: chain.dueDecisions,
    })),
    pools: pools.map(({ currency, ample, low, dry, free, lowestFreeShare }) => ({
      currency,
      ample,
      low,
      dry,
      free_addresses: free,
      lowest_free_share: lowestFreeShare,
    })),
    parked_invoices: parkedInvoices,
    webhooks: {
      pending: webhooks.pending,
      due: webhooks.due,
      failing: webhooks.failing,
      failing_projects: webhooks.failingProjects,
      lag_seconds: webhooks.lagSeconds,
    },
    mail: mail && { lag_seconds: mail.lagSeconds },
    redis: redisFault === null,
    archived_at: archive?.archivedAt?.toISOString() ?? null,
  };
}
