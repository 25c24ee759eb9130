import { DEFAULT_OVERLAY_SETTINGS } from '@paywatch/domain/contract';
import type { AnySql } from '../postgres/database.ts';

type Fragment = ReturnType<AnySql>;

/**
 * Joins `r`: the present rate of a coin in the currency that the overlay of a project shows, or no row. It is stored with the donation, so
 * that every replica shows the same amount, also to a client that resumes. Nothing is priced by it, so it may be older than one for orders.
 */
export function joinRate(sql: AnySql, projectId: Fragment, currency: Fragment): Fragment {
  return sql`
    left join projects p on p.id = ${projectId} and p.overlay_settings ->> 'amounts' in ('fiat', 'both')
    left join exchange_rates r on r.currency = ${currency}
      and r.price_currency = coalesce(p.overlay_settings ->> 'fiat_currency', ${DEFAULT_OVERLAY_SETTINGS.fiat_currency})
      and p.id is not null and r.value is not null and r.withheld is null
      and r.taken_at > now() - interval '1 hour'`;
}
