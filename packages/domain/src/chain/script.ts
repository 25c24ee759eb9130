import { payments, type Network as BitcoinjsNetwork, type Payment } from 'bitcoinjs-lib';
import { CHAINS, type Currency, type Network, type ScriptType } from './chains.ts';

/** How a compressed public key is paid at an address of this type (BIP 44, 49, 84): `output` is the scriptPubKey. */
export function publicKeyPayment(
  scriptType: ScriptType,
  pubkey: Uint8Array,
  network?: BitcoinjsNetwork,
): Payment {
  return PAYMENT_OF_KEY[scriptType]({ pubkey, ...(network && { network }) });
}

const PAYMENT_OF_KEY: Readonly<Record<ScriptType, (key: Payment) => Payment>> = {
  p2pkh: (key) => payments.p2pkh(key),
  p2sh_p2wpkh: (key) => payments.p2sh({ ...key, redeem: payments.p2wpkh(key) }),
  p2wpkh: (key) => payments.p2wpkh(key),
};

/** The address prefixes of a network in the form of bitcoinjs-lib. Private keys do not exist here, so their versions are zero. */
export function bitcoinjsNetwork(currency: Currency, network: Network): BitcoinjsNetwork {
  const { pubKeyHashVersion, scriptHashVersions, bech32Hrp } = CHAINS[currency].networks[network];
  return {
    messagePrefix: '',
    bech32: bech32Hrp,
    bip32: { public: 0, private: 0 },
    pubKeyHash: pubKeyHashVersion,
    scriptHash: scriptHashVersions[0],
    wif: 0,
  };
}
