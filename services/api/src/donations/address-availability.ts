import type { Currency, ProofOfWork } from '@paywatch/domain/contract';
import { timestamp } from '@paywatch/domain/invoices';
import { readDonationCapacity } from '@paywatch/store/donations';
import type { Dependencies } from '../dependencies.ts';
import { newChallenge, proofRules, type ProofRules } from './proof-of-work.ts';

/** The part of the response that depends on how many addresses are left. */
export type Availability = { accepting: boolean; busy_currencies?: Currency[]; proof_of_work?: ProofOfWork };

/** What a public link offers: nothing unless it accepts, otherwise these currencies of the project. */
type Offer = { projectId: bigint; isAccepting: boolean; currencies: readonly Currency[] };

/** Reads in which currencies a public link has addresses left, and whether it asks for a proof of work. */
export async function readAvailability(
  dependencies: Dependencies,
  token: string,
  { projectId, isAccepting, currencies }: Offer,
): Promise<Availability> {
  if (!isAccepting) return { accepting: false };
  const { store, invoiceSettings } = dependencies;
  const capacity = await readDonationCapacity(store.sql, projectId, invoiceSettings.quarantineSeconds);
  const offered = capacity.filter(({ currency }) => currencies.includes(currency));
  const busy = offered.filter(({ hasAddress }) => !hasAddress).map(({ currency }) => currency);
  const scarce = offered.filter(({ hasAddress, isScarce }) => hasAddress && isScarce);
  return {
    accepting: busy.length < offered.length,
    ...(busy.length === 0 ? {} : { busy_currencies: busy }),
    ...(scarce.length === 0 ? {} : { proof_of_work: proofOfWork(token, proofRules(dependencies), scarce) }),
  };
}

function proofOfWork(
  token: string,
  rules: ProofRules,
  scarce: readonly { currency: Currency; extraProofBits: number }[],
): ProofOfWork {
  const { challenge, expiresAtMs } = newChallenge(token, rules);
  return {
    challenge,
    difficulty: rules.difficulty + Math.max(...scarce.map(({ extraProofBits }) => extraProofBits)),
    expires_at: timestamp(expiresAtMs),
    currencies: scarce.map(({ currency }) => currency),
  };
}
