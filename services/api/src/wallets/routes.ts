import type { WalletView } from '@paywatch/domain/contract';
import type { Wallet } from '@paywatch/store';
import { actorOf } from '../caller.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { createWallet } from './create-wallet.ts';
import { verifyWallet } from './verify-wallet.ts';

/** The keys whose addresses a project is paid at. */
export function bindWallets(operations: OperationRouter, dependencies: Dependencies): void {
  operations.handle({
    createWallet: async ({ caller, body }) => {
      const wallet = await createWallet(dependencies, caller.projectId, body, actorOf(caller));
      return { status: 201, body: walletView(wallet) };
    },

    verifyWallet: async ({ caller, params: { currency }, body: { address } }) => {
      const { projectId } = caller;
      const wallet = await verifyWallet(dependencies, { projectId, currency, address }, actorOf(caller));
      return { status: 200, body: walletView(wallet) };
    },
  });
}

function walletView(wallet: Wallet): WalletView {
  return {
    currency: wallet.currency,
    script_type: wallet.scriptType,
    derivation_path: wallet.derivationPath,
    verified: wallet.isVerified,
    verification_address: wallet.verificationAddress,
    next_index: wallet.nextIndex,
    gap_limit: wallet.gapLimit,
    notice: `Set the gap limit of your wallet software to at least ${wallet.gapLimit} before the first invoice, or it may not find every payment.`,
  };
}
