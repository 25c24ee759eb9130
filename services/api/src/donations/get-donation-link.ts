import { AMOUNT_LIMITS, LIMITS } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { findDonationLink } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { readAvailability } from './address-availability.ts';
import { donorPrices, readDonorRates } from './donor-prices.ts';
import { linkSettings } from './link-settings.ts';
import { readLinkTotals } from './link-totals.ts';

/** What the donation page needs to know: currencies, limits, and whether a donation can be started now. */
export function getDonationLink(dependencies: Dependencies): OperationHandler<'getDonationLink'> {
  const { config, store } = dependencies;
  return async ({ params: { token } }) => {
    const link = await findDonationLink(store, token);
    if (link === null) throw new AppError('not_found');
    const currencies = link.currencies.filter((currency) => config.offered.includes(currency));
    const [availability, rates, totals] = await Promise.all([
      readAvailability(dependencies, token, { ...link, currencies }),
      readDonorRates(dependencies, link),
      readLinkTotals(store, link),
    ]);
    const body = {
      project_name: link.projectName,
      currencies,
      ...availability,
      ...linkSettings(link, rates),
      ...donorPrices(rates),
      ...totals,
      limits: FORM_LIMITS,
    };
    return { status: 200, body };
  };
}

const FORM_LIMITS = {
  donor_name_max_length: LIMITS.donorName.maxLength,
  donor_message_max_length: LIMITS.donorMessage.maxLength,
  amounts: { BTC: rangeOf(AMOUNT_LIMITS.BTC), LTC: rangeOf(AMOUNT_LIMITS.LTC) },
};

function rangeOf({ min, max }: { min: bigint; max: bigint }): { min: string; max: string } {
  return { min: String(min), max: String(max) };
}
