import type { CreateWalletBody } from '@paywatch/domain/contract';
import {
  deriveReceiveAddress,
  fieldOfWalletKeyProblem,
  parseWalletKey,
  type WalletKey,
} from '@paywatch/domain/keys';
import { byRecentProof } from '@paywatch/store/accounts';
import { registerWallet } from '@paywatch/store/pools';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import { assertCurrencyOffered } from '../offered-currency.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { walletView } from './wallet-view.ts';

/** Registers an extended public key, which must then be verified. A private key is refused before it is stored anywhere. */
export function createWallet({ store, config }: Dependencies): OperationHandler<'createWallet'> {
  return async ({ caller, body, context }) => {
    const key = parseKey(config, body);
    const wallet = await registerWallet(store, byRecentProof(caller, context.address), {
      projectId: caller.projectId,
      currency: key.currency,
      keyId: key.identity,
      xpub: key.xpub,
      scriptType: key.scriptType,
      branch: key.branch,
      derivationPath: key.derivationPath,
      verificationAddress: deriveReceiveAddress(key, 0).address,
      gapLimit: body.gap_limit ?? config.env.DEFAULT_GAP_LIMIT,
      startIndex: body.start_index ?? 0,
    });
    return { status: 201, body: walletView(wallet) };
  };
}

/** Throws AppError `validation_error`. Its message does not quote the key. */
function parseKey(config: ApiConfig, body: CreateWalletBody): WalletKey {
  const { currency, xpub, script_type: scriptType, derivation_path: derivationPath } = body;
  assertCurrencyOffered(config, currency);
  const input = {
    currency,
    xpub,
    scriptType: scriptType ?? undefined,
    derivationPath: derivationPath ?? undefined,
  };
  const parsed = parseWalletKey(input, config.networks[currency]);
  if (parsed.ok) return parsed.value;
  const { code, message } = parsed.problem;
  throw invalidField(`body.${fieldOfWalletKeyProblem(code)}`, message);
}
