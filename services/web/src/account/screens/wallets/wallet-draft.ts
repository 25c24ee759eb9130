import type { CreateWalletInput, Currency, ScriptType } from '@paywatch/domain/contract';

/** The form for a new wallet, as typed. */
export type WalletDraft = {
  readonly currency: Currency;
  readonly xpub: string;
  readonly scriptType: ScriptType | 'auto';
  readonly path: string;
  readonly gapLimit: string;
};

export const EMPTY_WALLET_DRAFT: WalletDraft = {
  currency: 'BTC',
  xpub: '',
  scriptType: 'auto',
  path: '',
  gapLimit: '',
};

/** The address types on offer; `auto` lets the API derive the type from the key's prefix. */
export const SCRIPT_TYPES = ['auto', 'p2wpkh', 'p2sh_p2wpkh', 'p2pkh'] as const;

/** The API request for a draft; empty fields are left out. */
export function walletRequest({
  currency,
  xpub,
  scriptType,
  path,
  gapLimit,
}: WalletDraft): CreateWalletInput {
  return {
    currency,
    xpub,
    ...(scriptType === 'auto' ? {} : { script_type: scriptType }),
    ...(path.trim() === '' ? {} : { derivation_path: path.trim() }),
    ...(gapLimit.trim() === '' ? {} : { gap_limit: Number(gapLimit) }),
  };
}
