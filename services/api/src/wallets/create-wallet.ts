import {
  deriveReceiveAddress,
  fieldOfWalletKeyProblem,
  parseWalletKey,
  type WalletKey,
} from '@paywatch/domain/keys';
import type { CreateWalletBody } from '@paywatch/domain/contract';
import { byCredential } from '@paywatch/store/accounts';
import { registerWallet, type Wallet } from '@paywatch/store/pools';
import type { Credential } from '@paywatch/store/redis';
import { actorOf } from '../caller.ts';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../validation-problem.ts';

/**
 * Registers an extended public key; it serves once it is verified. Throws AppError `validation_error`; a private key is
 * refused before anything keeps it, and no message quotes what was pasted.
 */
export async function createWallet(
  { store, config }: Dependencies,
  caller: Credential,
  body: CreateWalletBody,
): Promise<Wallet> {
  const key = parseKey(config, body);
  return registerWallet(store, byCredential(caller), {
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
    actor: actorOf(caller),
  });
}

function parseKey(config: ApiConfig, body: CreateWalletBody): WalletKey {
  const { currency, xpub, script_type: scriptType, derivation_path: derivationPath } = body;
  if (!config.offered.includes(currency)) {
    throw invalidField('body.currency', `${currency} is not offered here.`);
  }
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
