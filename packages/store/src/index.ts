export * from './database.ts';
export * from './chains.ts';
export * from './chain-sources.ts';
export * from './migrate.ts';
export * from './queues.ts';
export * from './redis/client.ts';
export * from './redis/keys.ts';
export * as schema from './schema/index.ts';
export * from './store.ts';
export * from './invoice-snapshots.ts';
export * from './overlay-donations.ts';
export * from './pools.ts';
export {
  ACCESS_CHANGED,
  publishInvoicesChanged,
  publishOverlayAccessChanged,
  publishOverlayDonations,
  type ChangedInvoice,
  type OverlayPosition,
} from './redis/publish.ts';
export * from './parked-invoices.ts';
export { findDescendants, voidDescendants } from './descendants.ts';
export * from './payments.ts';
export * from './unassigned-payments.ts';
export * from './read-counter.ts';
export * from './project-stats.ts';
export * from './settlement.ts';
export { showDonations } from './shown-donations.ts';
export * from './transactions.ts';
export * from './accounts.ts';
export * from './api-keys.ts';
export * from './audit.ts';
export * from './authorize.ts';
export * from './projects.ts';
export * from './redis/credential-cache.ts';
export * from './redis/rate-limits.ts';
export * from './sessions.ts';
export * from './deliveries.ts';
export * from './events.ts';
export * from './webhook-endpoints.ts';
export * from './fee-estimates.ts';
export * from './stats.ts';
export * from './wallets.ts';
export * from './invoice-creation.ts';
export * from './pool-usage.ts';
export * from './pool-refills.ts';
export * from './address-limits.ts';
export { deleteIdlePools } from './idle-pools.ts';
export * from './pool-histories.ts';
export * from './pool-promotions.ts';
export { returnUnpaidAddresses } from './pool-returns.ts';
export { addLeaseHints, HINTS_PER_CLASS } from './redis/free-addresses.ts';
export * from './invoices.ts';
export * from './order-import.ts';
export * from './list-invoices.ts';
export * from './redis/subscriber.ts';
export * from './clean-up.ts';
export * from './fold-stats.ts';
export * from './account-directory.ts';
export * from './chain-status.ts';
export * from './endpoint-secrets.ts';
export * from './pool-health.ts';
export * from './pool-inspection.ts';
export * from './redis/client-windows.ts';
export * from './redis/inspect.ts';
export * from './schema-state.ts';
export * from './subscriptions.ts';
export * from './subscription-purchases.ts';
export * from './redis/stream-slots.ts';
export * from './chain-freshness.ts';
export * from './chain-lead.ts';
export * from './agreements.ts';
export * from './rescans.ts';
export * from './redeliveries.ts';
export * from './start-checks.ts';
export * from './state-metrics.ts';
export type { ReadLists } from './read-replica.ts';
export * from './match-filter.ts';
