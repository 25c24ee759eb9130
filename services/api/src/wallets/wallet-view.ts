import type { WalletView } from '@paywatch/domain/contract';
import type { Wallet } from '@paywatch/store/pools';

/** A wallet as its project sees it. */
export function walletView(wallet: Wallet): WalletView {
  return {
    currency: wallet.currency,
    script_type: wallet.scriptType,
    derivation_path: wallet.derivationPath,
    verified: wallet.isVerified,
    serving: wallet.isServing,
    effective_at: wallet.effectiveAt?.toISOString() ?? null,
    verification_address: wallet.verificationAddress,
    // Before the verification the key may belong to somebody else, whose pool must not be revealed.
    next_index: wallet.isVerified ? wallet.nextIndex : Math.max(1, wallet.startIndex),
    gap_limit: wallet.gapLimit,
    notice: `Register an account of your wallet that receives nothing else: other money that comes in there uses up addresses. Set the gap limit of your wallet software to at least ${wallet.gapLimit} before the first invoice, or it may not find every payment.`,
  };
}
