import type { ProjectView } from '@paywatch/domain/contract';

const SOON_MS = 3 * 86_400_000;

/** Whether invoices can be created, and whether that ends within three days. Pure. */
export function subscriptionState(
  { active, active_until: until }: ProjectView['subscription'],
  nowMs: number,
): 'active' | 'ending' | 'inactive' {
  if (!active) return 'inactive';
  return until !== null && Date.parse(until) - nowMs < SOON_MS ? 'ending' : 'active';
}
