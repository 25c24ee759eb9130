import { Transaction, p2wpkh } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import type { Coin, Output } from './coin-selection.ts';

/**
 * Signs a transaction that spends P2WPKH coins of one key. Only for a payer's regtest coins. `replaceable` signals BIP 125; without it
 * nodes that require the signal reject a replacement.
 */
export function signTransaction(request: {
  key: Uint8Array;
  coins: readonly Coin[];
  outputs: readonly Output[];
  replaceable: boolean;
}): { txid: string; rawHex: string } {
  const { script } = p2wpkh(pubECDSA(request.key));
  const sequence = request.replaceable ? 0xfffffffd : 0xffffffff;
  const transaction = new Transaction({ allowUnknownOutputs: true });
  for (const { txid, vout, amount } of request.coins) {
    transaction.addInput({ txid, index: vout, sequence, witnessUtxo: { script, amount } });
  }
  for (const output of request.outputs) transaction.addOutput(output);
  transaction.sign(request.key);
  transaction.finalize();
  return { txid: transaction.id, rawHex: transaction.hex };
}
