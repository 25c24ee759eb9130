import { loadChainStatuses, type ChainStatus } from '../chain/chain-status.ts';
import { countParkedInvoices } from '../invoices/parked-invoices.ts';
import { countDueMails, measureMailLag } from '../mails/send-mails.ts';
import { readPoolFigures, type PoolFigures } from '../pools/pool-health.ts';
import { readWalArchive, type WalArchive } from '../postgres/wal-archive.ts';
import type { Store } from '../store.ts';
import { measureRelayLag } from '../webhooks/lease-deliveries.ts';
import { countPendingDeliveries, type PendingDeliveries } from '../webhooks/pending-deliveries.ts';

/** The state of a deployment at one moment, as Postgres knows it. */
export type DeploymentStatus = {
  chains: readonly ChainStatus[];
  pools: readonly PoolFigures[];
  parkedInvoices: number;
  webhooks: PendingDeliveries & { lagSeconds: number };
  /** Null if no mail is sent. */
  mail: { due: number; lagSeconds: number } | null;
  /** Null if Postgres archives nothing. */
  archive: WalArchive | null;
};

/**
 * Reads the status, for operators: it reads a row for each pool and each pending delivery. `sendsMail`: whether mail is configured.
 * Throws if Postgres does not respond.
 */
export async function readDeploymentStatus(
  database: Pick<Store, 'sql'>,
  sendsMail: boolean,
): Promise<DeploymentStatus> {
  const [chains, pools, parked, backlog, lagSeconds, mail, archive] = await Promise.all([
    loadChainStatuses(database),
    readPoolFigures(database.sql),
    countParkedInvoices(database.sql),
    countPendingDeliveries(database),
    measureRelayLag(database),
    sendsMail ? readMailQueue(database) : null,
    readWalArchive(database),
  ]);
  return {
    chains: [...chains.values()],
    pools,
    parkedInvoices: parked.reduce((sum, { count }) => sum + count, 0),
    webhooks: { ...backlog, lagSeconds: Math.round(lagSeconds) },
    mail,
    archive,
  };
}

async function readMailQueue(database: Pick<Store, 'sql'>): Promise<DeploymentStatus['mail']> {
  const [due, lagSeconds] = await Promise.all([countDueMails(database), measureMailLag(database)]);
  return { due, lagSeconds: Math.round(lagSeconds) };
}
