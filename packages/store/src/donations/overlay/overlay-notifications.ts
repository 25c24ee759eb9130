import type { Database, TransactionSql } from '../../postgres/database.ts';
import { listen } from '../../postgres/listen.ts';

/** NOTIFY channels; the payload is the id of the project. */
const CHANNELS = {
  /** The overlay token was replaced. */
  access: 'paywatch_overlay_access',
  /** The settings of the overlay were changed. */
  settings: 'paywatch_overlay_settings',
  /** Something of the control page was changed, its token included. */
  control: 'paywatch_overlay_control',
} as const;

/**
 * Notifies every replica at the commit that the project's overlay token was replaced. Uses Postgres, because replicas without
 * Redis stream as well.
 */
export async function notifyOverlayAccess(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_notify(${CHANNELS.access}, ${String(projectId)})`;
}

/** Notifies every replica at the commit that the settings of the project's overlay were changed. */
export async function notifyOverlaySettings(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_notify(${CHANNELS.settings}, ${String(projectId)})`;
}

/** Notifies every replica at the commit that a control page changed, or what its moderators want of the overlay. */
export async function notifyControl(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`select pg_notify(${CHANNELS.control}, ${String(projectId)})`;
}

/** What a replica does when it is notified about a project's overlay. */
export type OverlayListeners = {
  /** The overlay token was replaced. */
  onAccess: (projectId: bigint) => void;
  /** The settings were changed. */
  onSettings: (projectId: bigint) => void;
  /** The control page, its token or what its moderators want was changed. */
  onControl: (projectId: bigint) => void;
  /** The connection was (re)established: notifications may have been missed. */
  onListening: () => void;
};

/** Listens for notifications about overlays. Holds one connection until the store is closed. */
export async function listenForOverlays(
  database: Pick<Database, 'direct'>,
  { onAccess, onSettings, onControl, onListening }: OverlayListeners,
): Promise<void> {
  await listen(database, CHANNELS.access, (projectId) => onAccess(BigInt(projectId)), onListening);
  await listen(database, CHANNELS.settings, (projectId) => onSettings(BigInt(projectId)));
  await listen(database, CHANNELS.control, (projectId) => onControl(BigInt(projectId)));
}
