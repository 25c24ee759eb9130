import { timestamp } from '@paywatch/domain/invoices';
import type { Currency, ProofOfWork } from '@paywatch/domain/contract';
import { readDonationCapacity } from '@paywatch/store/donations';
import type { DonationLink } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import { newChallenge, type ProofRules } from './donation-proof.ts';

/** What of a link's info depends on the addresses that are left. */
type Availability = { accepting: boolean; busy_currencies?: Currency[]; proof_of_work?: ProofOfWork };

/** Whether a donation could be started now, and what it costs. `currencies`: those that the link offers. */
export async function readAvailability(
  { store }: Pick<Dependencies, 'store'>,
  rules: ProofRules,
  { donateToken, link, currencies }: { donateToken: string; link: DonationLink; currencies: Currency[] },
  quarantineSeconds: number,
): Promise<Availability> {
  if (!link.isAccepting) return { accepting: false };
  const capacity = await readDonationCapacity(store.sql, link.projectId, quarantineSeconds);
  const offered = capacity.filter(({ currency }) => currencies.includes(currency));
  const busy = offered.filter(({ hasAddress }) => !hasAddress).map(({ currency }) => currency);
  const scarce = offered.filter(({ hasAddress, isScarce }) => hasAddress && isScarce);
  return {
    accepting: busy.length < offered.length,
    ...(busy.length === 0 ? {} : { busy_currencies: busy }),
    ...(scarce.length === 0 ? {} : { proof_of_work: proofOfWork(donateToken, rules, scarce) }),
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
