import { AMOUNT_LIMITS, LIMITS, type Currency, type ProofOfWork } from '@paywatch/domain/contract';
import { timestamp } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { readDonationCapacity } from '@paywatch/store/donations';
import { findDonationLink, type DonationLink } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { newChallenge, proofRules, type ProofRules } from './proof-of-work.ts';

/** What the donation page needs to know: currencies, limits, and whether a donation can be started now. */
export function getDonationLink(dependencies: Dependencies): OperationHandler<'getDonationLink'> {
  const { config, store } = dependencies;
  return async ({ params: { token } }) => {
    const link = await findDonationLink(store, token);
    if (link === null) throw new AppError('not_found');
    const currencies = link.currencies.filter((currency) => config.offered.includes(currency));
    const availability = await readAvailability(dependencies, token, link, currencies);
    const body = { project_name: link.projectName, currencies, ...availability, limits: FORM_LIMITS };
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

/** The part of the response that depends on how many addresses are left. */
type Availability = { accepting: boolean; busy_currencies?: Currency[]; proof_of_work?: ProofOfWork };

async function readAvailability(
  dependencies: Dependencies,
  donateToken: string,
  link: DonationLink,
  currencies: readonly Currency[],
): Promise<Availability> {
  if (!link.isAccepting) return { accepting: false };
  const { store, invoiceSettings } = dependencies;
  const capacity = await readDonationCapacity(store.sql, link.projectId, invoiceSettings.quarantineSeconds);
  const offered = capacity.filter(({ currency }) => currencies.includes(currency));
  const busy = offered.filter(({ hasAddress }) => !hasAddress).map(({ currency }) => currency);
  const scarce = offered.filter(({ hasAddress, isScarce }) => hasAddress && isScarce);
  return {
    accepting: busy.length < offered.length,
    ...(busy.length === 0 ? {} : { busy_currencies: busy }),
    ...(scarce.length === 0
      ? {}
      : { proof_of_work: proofOfWork(donateToken, proofRules(dependencies), scarce) }),
  };
}

function proofOfWork(
  donateToken: string,
  rules: ProofRules,
  scarce: readonly { currency: Currency; extraProofBits: number }[],
): ProofOfWork {
  const { challenge, expiresAtMs } = newChallenge(donateToken, rules);
  return {
    challenge,
    difficulty: rules.difficulty + Math.max(...scarce.map(({ extraProofBits }) => extraProofBits)),
    expires_at: timestamp(expiresAtMs),
    currencies: scarce.map(({ currency }) => currency),
  };
}
