import type { CreationSettings } from '@paywatch/store/invoices';
import type { ApiConfig } from '../config.ts';

/** The settings by which invoices are created and read. */
export function invoiceSettings({ env, publicUrl, networks }: ApiConfig): CreationSettings {
  return {
    publicUrl,
    networks,
    toleranceBps: env.TOLERANCE_BPS,
    graceSeconds: env.PAYMENT_GRACE_SECONDS,
    // A released address is leased only when no fresh one is left, and the one released first goes first. So the shorter quarantine
    // always applies.
    quarantineSeconds: Math.min(env.QUARANTINE_SECONDS, env.QUARANTINE_DRY_SECONDS),
  };
}
