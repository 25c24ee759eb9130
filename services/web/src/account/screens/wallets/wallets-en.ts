/** What stands on the screen of wallets, in English. */
export const walletsEn = {
  heading: 'Wallets',
  add: 'Register a wallet',
  replace: 'A new wallet takes over once it is verified; until then the old one serves.',
  empty: 'No wallet yet. Register one to receive payments into it.',
  currency: 'Currency',
  xpub: 'Extended public key',
  xpubHint: 'Begins with xpub, ypub, zpub, Ltub or Mtub. Never paste a private key or seed words.',
  secrets: {
    private_key:
      'That was a private key. The field was emptied and nothing was sent. Never paste a private key anywhere: if its wallet holds money, move the money to a new wallet now.',
    seed_phrase:
      'Those looked like seed words. The field was emptied and nothing was sent. Never paste seed words anywhere: if their wallet holds money, move the money to a new wallet now.',
  },
  ownAccount:
    'Use an account of your wallet that receives nothing else. Create a new one for Paywatch if your wallet allows it.',
  scriptType: 'Address type',
  scriptTypes: {
    auto: 'From the key',
    p2pkh: 'Legacy (1…, L…)',
    p2sh_p2wpkh: 'Nested SegWit (3…, M…)',
    p2wpkh: 'Native SegWit (bc1q…, ltc1q…)',
  },
  path: 'Derivation path',
  pathHint: "Such as m/84'/0'/0'. Your wallet shows it beside the key.",
  gapLimit: 'Gap limit',
  gapHint: 'How many unused addresses in a row your wallet looks through. Raise it in your wallet first.',
  advanced: 'More settings',
  register: 'Register',
  verified: 'Verified',
  unverified: 'Not verified',
  compare: 'Compare this address with the first one that your wallet shows for receiving (index 0):',
  compareWhy:
    'If they differ, the key, the address type or the path is not that of your wallet, and payments would not show up there.',
  paste: 'Receiving address from your wallet',
  pasteHint:
    'Open your wallet, choose “Receive”, and copy the address from there. Do not copy it from this page.',
  verifyButton: 'Verify this wallet',
  serving: (currency: string) => `The ${currency} wallet is verified and serves.`,
  index: 'Next index',
  address: 'Address at index 0',
  changes: 'Changes',
  actions: { registered: 'registered', verified: 'verified', replaced: 'replaced' },
  bySession: 'in the account area',
  byKey: (key: string) => `with the API key ${key}`,
  unassigned: {
    heading: 'Payments without an invoice',
    why: 'This money came to addresses of your wallet before an invoice held them, so it counts for none. Use an account of your wallet that nothing else receives on.',
    address: 'Address',
  },
};
/** Every language has to fill its shape. */
export type WalletsTexts = typeof walletsEn;
