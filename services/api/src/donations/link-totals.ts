import {
  DEFAULT_OVERLAY_SETTINGS,
  type DonationLinkInfo,
  type OverlaySettings,
} from '@paywatch/domain/contract';
import { listLatestDonations, readGoal, type LatestDonation } from '@paywatch/store/donations';
import type { DonationLink } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';

/** The donations on the page, as many as a browser source shows. */
const SHOWN = 5;
/** Read at once: those below the minimum of the overlay are left out. */
const READ = 50;

type Totals = Pick<DonationLinkInfo, 'goal' | 'latest_donations'>;

/** The goal and the latest donations, as far as the owner wants them on the page. */
export async function readLinkTotals(
  store: Dependencies['store'],
  { projectId, page, overlay }: Pick<DonationLink, 'projectId' | 'page' | 'overlay'>,
): Promise<Totals> {
  const [goal, latest] = await Promise.all([
    page.show_goal ? readGoal(store, projectId) : null,
    page.show_latest ? listLatestDonations(store, projectId, READ) : [],
  ]);
  const shown = shownDonations(latest, { ...DEFAULT_OVERLAY_SETTINGS, ...overlay });
  return {
    ...(goal === null ? {} : { goal }),
    ...(shown.length === 0 ? {} : { latest_donations: shown }),
  };
}

/** Pure. */
function shownDonations(
  latest: readonly LatestDonation[],
  { min_amount_btc: BTC, min_amount_ltc: LTC }: OverlaySettings,
): NonNullable<Totals['latest_donations']> {
  const minimum = { BTC: BigInt(BTC), LTC: BigInt(LTC) };
  const shown = latest.filter(({ amount, currency }) => amount >= minimum[currency]).slice(0, SHOWN);
  return shown.map(({ donorName, amount, currency }) => ({
    donor_name: donorName,
    amount: String(amount),
    currency,
  }));
}
