import type { ProjectView, PurchaseView } from '@paywatch/domain/contract';

const SOON_MS = 3 * 86_400_000;

/** Whether the subscription is active, and whether it ends within three days. Pure. */
export function subscriptionState(
  { active, active_until: until }: ProjectView['subscription'],
  nowMs: number,
): 'active' | 'ending' | 'inactive' {
  if (!active) return 'inactive';
  return until !== null && Date.parse(until) - nowMs < SOON_MS ? 'ending' : 'active';
}

/** The state of a purchase as shown to its buyer. Pure. */
export function purchaseState(
  { status, extended_at: extendedAt, expires_at: expiresAt }: PurchaseView,
  nowMs: number,
): 'open' | 'seen' | 'extended' | 'ended' | 'undecided' {
  if (extendedAt !== null) return 'extended';
  if (status === 'pending' || status === 'confirmed') return 'seen';
  if (status === 'new') return nowMs < Date.parse(expiresAt) ? 'open' : 'ended';
  return status === 'expired' ? 'ended' : 'undecided';
}
