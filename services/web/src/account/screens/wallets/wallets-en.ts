/** English texts of the wallets screen. */
export const walletsEn = {
  heading: 'Wallets',
  add: 'Add a wallet',
  replace:
    'A new wallet takes over once you verify it, after a delay if you were paid lately. Until then, the current one stays active.',
  empty: 'No wallet yet. Add one to receive payments into it.',
  currency: 'Currency',
  xpub: 'Extended public key',
  xpubHint: 'Starts with xpub, ypub, zpub, Ltub or Mtub. Never paste a private key or seed phrase.',
  secrets: {
    private_key:
      'That was a private key. The field was cleared and nothing was sent. Never paste a private key anywhere. If its wallet holds money, move the money to a new wallet now.',
    seed_phrase:
      'That looked like a seed phrase. The field was cleared and nothing was sent. Never paste a seed phrase anywhere. If its wallet holds money, move the money to a new wallet now.',
  },
  ownAccount:
    'Use a wallet account that receives nothing else. If your wallet allows it, create a new account for Paywatch.',
  scriptType: 'Address type',
  scriptTypes: {
    auto: 'Detect from the key',
    p2pkh: 'Legacy (1…, L…)',
    p2sh_p2wpkh: 'Nested SegWit (3…, M…)',
    p2wpkh: 'Native SegWit (bc1q…, ltc1q…)',
  },
  path: 'Derivation path',
  pathHint: "For example m/84'/0'/0'. Your wallet shows it next to the key.",
  gapLimit: 'Gap limit',
  gapHint: 'How many unused addresses in a row your wallet scans. Raise it in your wallet first.',
  advanced: 'Advanced settings',
  register: 'Add wallet',
  verified: 'Verified',
  unverified: 'Not verified',
  waiting: 'Waiting',
  verifyWhy: 'One address from your wallet proves that payments arrive there.',
  compare: 'The first address that Paywatch derived (index 0) is:',
  compareWhy:
    'If your wallet shows another first address, the key, address type or derivation path does not match it.',
  paste: 'Receiving address from your wallet',
  pasteHint: 'Open your wallet, choose “Receive” and copy the address from there, not from this page.',
  verifyButton: 'Verify wallet',
  active: (currency: string) => `Your ${currency} wallet is verified and active.`,
  scheduled: (currency: string) =>
    `Your ${currency} wallet is verified. It waits before payments go to it, because you were paid lately.`,
  index: 'Next index',
  address: 'Address at index 0',
  changes: 'Change history',
  actions: {
    registered: 'added',
    verified: 'verified',
    replaced: 'replaced',
    change_scheduled: 'verified, waiting',
    change_cancelled: 'change cancelled',
    change_applied: 'took effect',
  },
  gapLimitChange: 'Change the gap limit',
  gapLimitSave: 'Save gap limit',
  gapLimitSaved: (limit: number) =>
    `The gap limit is ${limit}. Your wallet software needs a gap limit of at least ${limit}, or it may not find every payment.`,
  gapLimitSet: (limit: number) => `gap limit set to ${limit}`,
  bySession: 'in the account area',
  byOperator: 'by the operator',
  bySystem: 'by Paywatch',
  byKey: (key: string) => `with API key ${key}`,
  unassigned: {
    heading: 'Payments without an invoice',
    why: 'These payments reached addresses of your wallet before an invoice used them, so they count towards no invoice. To avoid this, use a wallet account that receives nothing else.',
    address: 'Address',
  },
};
/** The shape that every other language has to fill. */
export type WalletsTexts = typeof walletsEn;
