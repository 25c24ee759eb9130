import type { Database, TransactionSql } from '../postgres/database.ts';

/** NOTIFY channel: the overlay token of the project with this id was replaced. */
const OVERLAY_ACCESS_CHANNEL = 'paywatch_overlay_access';

/**
 * Notifies every replica at the commit that the project's overlay token was replaced. Uses Postgres, because replicas without
 * Redis stream as well.
 */
export async function notifyOverlayAccess(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_notify(${OVERLAY_ACCESS_CHANNEL}, ${String(projectId)})`;
}

/**
 * Calls `onChange` with the project whose overlay token was replaced, and `onListening` after each (re)connection, because
 * notifications may have been missed. Holds one connection until the store is closed.
 */
export async function listenForOverlayAccess(
  { direct }: Pick<Database, 'direct'>,
  onChange: (projectId: bigint) => void,
  onListening: () => void,
): Promise<void> {
  await direct.listen(OVERLAY_ACCESS_CHANNEL, (projectId) => onChange(BigInt(projectId)), onListening);
}
