import type { Currency, DonationDraft, ReadDonationForm } from '@paywatch/domain/contract';
import { CURRENCIES } from '@paywatch/domain/coins';
import { donationRequest } from '../donate/form/donation-draft.ts';

/** Parses the donation form as a browser without JavaScript submits it. Pure; unknown fields are ignored. */
export const readDonationForm: ReadDonationForm = (fields) => {
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const draft: DonationDraft = {
    currency: text('currency'),
    amount: text('amount'),
    unit: text('unit'),
    donor_name: text('donor_name'),
    donor_message: text('donor_message'),
  };
  const currency = CURRENCIES.find((known: Currency) => known === draft.currency);
  const request = currency === undefined ? { currency: draft.currency } : donationRequest(draft, currency);
  return { draft, request };
};
