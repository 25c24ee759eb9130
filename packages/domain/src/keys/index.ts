export {
  type AddressMatch,
  type ReceiveAddress,
  type ReceiveKey,
  deriveReceiveAddress,
  deriveReceiveAddresses,
  findAddress,
  receiveAddresses,
} from './receive-address.ts';
export { type WalletKey, fieldOfWalletKeyProblem, parseWalletKey } from './wallet-key.ts';
