import { secondsUntilShareFrees } from '../donations/donor-limits.ts';
import { secondsUntilNextAddress } from '../pools/pools.ts';
import type { Store } from '../store.ts';
import type { Creation } from './create-invoice.ts';
import { loadSnapshotsById } from './invoice-snapshots.ts';
import { leasesAs, type CreationOutcome, type CreationSettings, type NewInvoice } from './new-invoice.ts';

/** Why no invoice was created, in the order of precedence. */
export async function refusalOf(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  { row, limits, pieceRefusal }: Creation,
): Promise<CreationOutcome> {
  if (!row.is_authorized) return { kind: 'unauthorized' };
  const { repeats_order: byOrder, repeats_key: byKey } = row;
  if (byOrder !== null && byKey !== null && byOrder !== byKey) return { kind: 'idempotency_conflict' };
  const repeated = byOrder ?? byKey;
  if (repeated !== null) {
    const hash = row.order_request_hash ?? row.key_request_hash;
    return loadRepeated(
      store,
      settings,
      repeated,
      hash !== null && invoice.requestHash !== null && hash.equals(invoice.requestHash),
    );
  }
  if (!row.is_subscribed) return { kind: 'subscription_inactive' };
  if (row.wallet_pool_id === null) return { kind: 'wallet_not_verified' };
  if (invoice.isReplayOnly) return { kind: 'not_repeated' };
  if (pieceRefusal !== null) return { kind: pieceRefusal };
  const { projectId, currency } = invoice;
  if (limits !== null && limits.usedShare !== null) {
    const share = { projectId, poolId: row.wallet_pool_id, holder: limits.usedShare, ...settings };
    return { kind: 'network_share_used', retryAfterSeconds: await secondsUntilShareFrees(store.sql, share) };
  }
  if (limits?.needsProof && limits.hasAddress) return { kind: 'proof_of_work_required' };
  const invoiceType = leasesAs(invoice);
  const request = { projectId, currency, invoiceType, quarantineSeconds: settings.quarantineSeconds };
  return {
    kind: 'address_pool_busy',
    retryAfterSeconds: await secondsUntilNextAddress(store.sql, request),
  };
}

async function loadRepeated(
  store: Store,
  settings: CreationSettings,
  invoiceId: bigint,
  isSameRequest: boolean,
): Promise<CreationOutcome> {
  const [snapshot] = await loadSnapshotsById(store.sql, [invoiceId], settings);
  if (!snapshot) throw new Error(`invoice ${invoiceId} of a repeated request not found`);
  return { kind: 'repeated', invoice: snapshot, isSameRequest };
}
