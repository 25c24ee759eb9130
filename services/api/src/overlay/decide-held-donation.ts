import { AppError } from '@paywatch/domain/requests';
import { decideHeldDonation as decide } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishOverlayDonations } from '@paywatch/store/redis';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Decides about a held donation. The first decision stands. */
export function decideHeldDonation({ store }: Dependencies): OperationHandler<'decideHeldDonation'> {
  return async ({ params: { token }, body: { held_id: heldId, decision } }) => {
    const decided = await inTransaction(store, (tx) => decide(tx, token, BigInt(heldId), decision));
    if (decided === null) throw new AppError('not_found');
    await publishOverlayDonations(store, [decided]);
    return { status: 200, body: { held_id: heldId, decision: decided.decision } };
  };
}
