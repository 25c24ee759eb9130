export { createMerchantWallet } from './merchant-wallet.ts';
export { type Payer, createPayer } from './payer.ts';
export { type Payee } from './payments.ts';
export { type Currency, scriptOf, unownedAddress } from './regtest-address.ts';
