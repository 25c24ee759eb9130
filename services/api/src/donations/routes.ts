import { AppError, payUrl } from '@paywatch/domain';
import { AMOUNT_LIMITS, LIMITS } from '@paywatch/domain/contract';
import { findDonationLink, invoiceCreation } from '@paywatch/store';
import type { Dependencies } from '../dependencies.ts';
import { creationSettings, REFILL_NOT_ASKED } from '../invoices/creation-settings.ts';
import type { OperationRouter } from '../operation-router.ts';
import { createDonation } from './create-donation.ts';

/** The public donation link of a project. */
export function bindDonations(operations: OperationRouter, { config, store, logger }: Dependencies): void {
  const settings = creationSettings(config);
  const create = invoiceCreation(store, settings, (err) => logger.warn({ err }, REFILL_NOT_ASKED));
  operations.handle({
    getDonationLink: async ({ params: { token } }) => {
      const link = await findDonationLink(store, token);
      if (link === null) throw new AppError('not_found');
      const currencies = link.currencies.filter((currency) => config.offered.includes(currency));
      const body = {
        project_name: link.projectName,
        currencies,
        accepting: link.isAccepting,
        limits: FORM_LIMITS,
      };
      return { status: 200, body };
    },

    createDonation: async ({ params: { token }, body, context }) => {
      const { publicId } = await createDonation({ config, store, create }, token, body, context.id);
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
