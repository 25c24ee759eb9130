import { byRecentProof } from '@paywatch/store/accounts';
import { changeWalletDelay } from '@paywatch/store/pools';
import type { Dependencies } from '../dependencies.ts';
import { readMe } from '../me/get-me.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Changes how long changes of the project's wallets wait. A shorter delay waits itself. */
export function updateWalletChangeDelay(
  dependencies: Dependencies,
): OperationHandler<'updateWalletChangeDelay'> {
  const { store, config } = dependencies;
  return async ({ caller, body: { seconds }, context }) => {
    await changeWalletDelay(store, byRecentProof(caller, context.address), caller.projectId, {
      seconds,
      deploymentSeconds: config.env.WALLET_CHANGE_DELAY,
    });
    return { status: 200, body: (await readMe(dependencies, caller)).project };
  };
}
