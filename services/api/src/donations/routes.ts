import { payUrl } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { AMOUNT_LIMITS, LIMITS } from '@paywatch/domain/contract';
import { findDonationLink, invoiceCreation } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { creationSettings, REFILL_NOT_ASKED } from '../invoices/creation-settings.ts';
import type { OperationRouter } from '../operation-router.ts';
import { createDonation } from './create-donation.ts';
import { readAvailability } from './donation-link.ts';

/** The public donation link of a project. */
export function bindDonations(operations: OperationRouter, dependencies: Dependencies): void {
  const { config, store, logger, clock, donationProofKey } = dependencies;
  const settings = creationSettings(config);
  const create = invoiceCreation(store, settings, (err) => logger.warn({ err }, REFILL_NOT_ASKED));
  const rules = {
    donationProofKey,
    difficulty: config.env.DONATION_PROOF_BITS,
    nowMs: () => clock.nowMs(),
  };
  operations.handle({
    getDonationLink: async ({ params: { token } }) => {
      const link = await findDonationLink(store, token);
      if (link === null) throw new AppError('not_found');
      const currencies = link.currencies.filter((currency) => config.offered.includes(currency));
      const body = {
        project_name: link.projectName,
        currencies,
        ...(await readAvailability(
          dependencies,
          rules,
          { donateToken: token, link, currencies },
          settings.quarantineSeconds,
        )),
        limits: FORM_LIMITS,
      };
      return { status: 200, body };
    },

    createDonation: async ({ params: { token }, body, context }) => {
      const { publicId } = await createDonation({ ...dependencies, ...rules, create }, token, body, context);
      return { status: 201, body: { public_id: publicId, pay_url: payUrl(config.publicUrl, publicId) } };
    },
  });
}

const FORM_LIMITS = {
  donor_name_max_length: LIMITS.donorName.maxLength,
  donor_message_max_length: LIMITS.donorMessage.maxLength,
  amounts: { BTC: rangeOf(AMOUNT_LIMITS.BTC), LTC: rangeOf(AMOUNT_LIMITS.LTC) },
};

function rangeOf({ min, max }: { min: bigint; max: bigint }): { min: string; max: string } {
  return { min: String(min), max: String(max) };
}
