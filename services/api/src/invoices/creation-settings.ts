import type { CreationSettings } from '@paywatch/store/invoices';
import type { ApiConfig } from '../config.ts';

/** What snapshots and new invoices take from the configuration. */
export function creationSettings({ env, publicUrl, networks }: ApiConfig): CreationSettings {
  return {
    publicUrl,
    networks,
    toleranceBps: env.TOLERANCE_BPS,
    graceSeconds: env.PAYMENT_GRACE_SECONDS,
    // A released address is leased only when no fresh one is left, so the shorter rest is the one that binds; those
    // that rested longest go first.
    quarantineSeconds: Math.min(env.QUARANTINE_SECONDS, env.QUARANTINE_DRY_SECONDS),
  };
}

/** What the log says of an error of the question alone: the pool has run low, and a watcher looks at it a little later. */
export const REFILL_NOT_ASKED = 'a refill of addresses could not be asked for';
