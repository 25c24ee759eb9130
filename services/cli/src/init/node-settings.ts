import { secureRandomBytes } from '@paywatch/runtime/security';
import { createHmac } from 'node:crypto';

/** bitcoin.conf or litecoin.conf: contains a salted hash of the RPC password. All else is in the command of compose.yaml. */
export function nodeSettings(password: string, salt = secureRandomBytes(16).toString('hex')): string {
  const hash = createHmac('sha256', salt).update(password).digest('hex');
  return ['server=1', 'rest=1', `rpcauth=paywatch:${salt}$${hash}`].join('\n');
}
