import { AppError } from '@paywatch/domain/requests';
import { byRecentProof } from '@paywatch/store/accounts';
import { changeGapLimit, findServingWallet } from '@paywatch/store/pools';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { walletView } from './wallet-view.ts';

/** Changes how far past the last used index a verified wallet gives out addresses. Watchers derive the new ones. */
export function updateWallet({ store }: Dependencies): OperationHandler<'updateWallet'> {
  return async ({ caller, params: { currency }, body, context }) => {
    const { projectId } = caller;
    const change = { projectId, currency, gapLimit: body.gap_limit };
    const changed = await changeGapLimit(store, byRecentProof(caller, context.address), change);
    const wallet = changed && (await findServingWallet(store, projectId, currency));
    if (!wallet) throw new AppError('wallet_not_found');
    return { status: 200, body: walletView(wallet) };
  };
}
