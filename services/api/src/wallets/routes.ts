import type { WalletView } from '@paywatch/domain/contract';
import type { Wallet } from '@paywatch/store/pools';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { openAddressSearch } from './address-search.ts';
import { createWallet } from './create-wallet.ts';
import { verifyWallet } from './verify-wallet.ts';

/** The keys whose addresses a project is paid at. */
export function bindWallets(operations: OperationRouter, dependencies: Dependencies): void {
  const { store, config } = dependencies;
  const search = openAddressSearch(dependencies.closing);
  operations.handle({
    createWallet: async ({ caller, body }) => {
      const wallet = await createWallet(dependencies, caller, body);
      return { status: 201, body: walletView(wallet) };
    },

    verifyWallet: async ({ caller, params: { currency }, body: { address } }) => {
      const wallet = await verifyWallet({ store, config, search }, caller, { currency, address });
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
    // Whoever registers a key of somebody else learns nothing of its pool.
    next_index: wallet.isVerified ? wallet.nextIndex : Math.max(1, wallet.startIndex),
    gap_limit: wallet.gapLimit,
    notice: `Register an account of your wallet that receives nothing else: other money that comes in there uses up addresses. Set the gap limit of your wallet software to at least ${wallet.gapLimit} before the first invoice, or it may not find every payment.`,
  };
}
