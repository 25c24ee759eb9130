import type { Currency } from '../values/index.ts';

/** What problems are found in. All ages in seconds. */
export type DeploymentFacts = {
  readonly chains: readonly {
    readonly currency: Currency;
    /** Whether a watcher follows the chain now. */
    readonly hasLeader: boolean;
    readonly isFresh: boolean;
  }[];
  /** `dry`: the pools without a free address. */
  readonly pools: readonly { readonly currency: Currency; readonly dry: number }[];
  readonly parkedInvoices: number;
  /** How long the oldest due delivery has waited for a worker. */
  readonly webhooks: { readonly lagSeconds: number };
  /** The same for mails; null if no mail is sent. */
  readonly mail: { readonly lagSeconds: number } | null;
  /** Why Redis cannot be used; null if it can. */
  readonly redisFault: string | null;
  /** Null if Postgres archives nothing. */
  readonly archive: { readonly archivedAt: Date | null; readonly failedAt: Date | null } | null;
};

/** Something that an operator has to act on. */
export type Problem =
  | { readonly code: 'no_chain' }
  | { readonly code: 'no_leader'; readonly currency: Currency }
  | { readonly code: 'stale_chain'; readonly currency: Currency }
  | { readonly code: 'late_webhooks'; readonly seconds: number }
  | { readonly code: 'late_mail'; readonly seconds: number }
  | { readonly code: 'dry_pools'; readonly currency: Currency; readonly count: number }
  | { readonly code: 'parked_invoices'; readonly count: number }
  | { readonly code: 'redis_unavailable'; readonly fault: string }
  | { readonly code: 'archive_failing' };

/** Workers poll every few seconds even without a notification. */
const MAX_LAG_SECONDS = 60;

/** Lists what an operator has to act on; empty if nothing is wrong. Pure. */
export function findProblems(facts: DeploymentFacts): Problem[] {
  const { chains, pools, parkedInvoices, webhooks, mail, redisFault, archive } = facts;
  return [
    ...(chains.length === 0 ? [{ code: 'no_chain' } as const] : chains.flatMap(chainProblems)),
    ...lagProblems('late_webhooks', webhooks.lagSeconds),
    ...lagProblems('late_mail', mail?.lagSeconds ?? 0),
    ...pools.flatMap(({ currency, dry }): Problem[] =>
      dry > 0 ? [{ code: 'dry_pools', currency, count: dry }] : [],
    ),
    ...(parkedInvoices > 0 ? [{ code: 'parked_invoices', count: parkedInvoices } as const] : []),
    ...(redisFault === null ? [] : [{ code: 'redis_unavailable', fault: redisFault } as const]),
    ...(isArchiveFailing(archive) ? [{ code: 'archive_failing' } as const] : []),
  ];
}

function chainProblems({ currency, hasLeader, isFresh }: DeploymentFacts['chains'][number]): Problem[] {
  if (!hasLeader) return [{ code: 'no_leader', currency }];
  return isFresh ? [] : [{ code: 'stale_chain', currency }];
}

function lagProblems(code: 'late_webhooks' | 'late_mail', seconds: number): Problem[] {
  return seconds > MAX_LAG_SECONDS ? [{ code, seconds }] : [];
}

function isArchiveFailing(archive: DeploymentFacts['archive']): boolean {
  if (archive === null || archive.failedAt === null) return false;
  return archive.archivedAt === null || archive.failedAt > archive.archivedAt;
}

type Texts = { [Code in Problem['code']]: (problem: Extract<Problem, { code: Code }>) => string };

const TEXTS: Texts = {
  no_chain: () => 'no watcher has followed a chain yet',
  no_leader: ({ currency }) => `${currency}: no watcher leads the chain`,
  stale_chain: ({ currency }) => `${currency}: the view of the chain is stale`,
  late_webhooks: ({ seconds }) => `webhooks: not picked up for ${seconds} s`,
  late_mail: ({ seconds }) => `mail: not picked up for ${seconds} s`,
  dry_pools: ({ currency, count }) => `${currency}: ${count} pools have no free address`,
  parked_invoices: ({ count }) => `${count} invoices are parked`,
  redis_unavailable: ({ fault }) => fault,
  archive_failing: () => 'the last WAL file was not archived',
};

/** A problem on one line. Pure. */
export function problemText(problem: Problem): string {
  const textOf = TEXTS[problem.code] as (problem: Problem) => string;
  return textOf(problem);
}
