import type { SnapshotSettings } from '@paywatch/store/invoices';
import type { readInvoiceConfig } from './config.ts';

/** Builds the settings for loading invoices from the configuration. */
export function snapshotSettings(config: ReturnType<typeof readInvoiceConfig>): SnapshotSettings {
  return {
    publicUrl: config.PUBLIC_URL.replace(/\/+$/, ''),
    toleranceBps: config.TOLERANCE_BPS,
    networks: { BTC: config.BTC_NETWORK, LTC: config.LTC_NETWORK },
  };
}
