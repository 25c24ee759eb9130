import type { ChainStatus } from '@paywatch/store/chain';
import type { DeploymentStatus } from './read-status.ts';

/** Workers poll every few seconds even without a notification. */
const MAX_LAG_SECONDS = 60;

/** Lists what an operator has to act on, one line each; empty if nothing is wrong. Pure. */
export function findProblems(status: DeploymentStatus): string[] {
  const { chains, pools, parkedInvoices, webhooks, mail, redisFault, archive } = status;
  return [
    ...(chains.length === 0 ? ['no watcher has followed a chain yet'] : chains.flatMap(chainProblems)),
    ...lagProblems('webhooks', webhooks.lagSeconds),
    ...lagProblems('mail', mail?.lagSeconds ?? 0),
    ...pools.flatMap(({ currency, dry }) =>
      dry > 0 ? [`${currency}: ${dry} pools have no free address`] : [],
    ),
    ...(parkedInvoices > 0 ? [`${parkedInvoices} invoices are parked`] : []),
    ...(redisFault === null ? [] : [redisFault]),
    ...(isArchiveFailing(archive) ? ['the last WAL file was not archived'] : []),
  ];
}

function chainProblems({ currency, hasLeader, isFresh }: ChainStatus): string[] {
  if (!hasLeader) return [`${currency}: no watcher leads the chain`];
  return isFresh ? [] : [`${currency}: the view of the chain is stale`];
}

function lagProblems(what: string, seconds: number): string[] {
  return seconds > MAX_LAG_SECONDS ? [`${what}: not picked up for ${seconds} s`] : [];
}

function isArchiveFailing(archive: DeploymentStatus['archive']): boolean {
  if (archive === null || archive.failedAt === null) return false;
  return archive.archivedAt === null || archive.failedAt > archive.archivedAt;
}
