import { AppError } from '@paywatch/domain/requests';
import { isIP } from 'node:net';
import type { ApiConfig } from '../config.ts';

/** What passkeys are bound to: the host of the deployment, and the origin of its pages. */
export type RelyingParty = { id: string; origin: string };

/** The relying party of a deployment. Throws AppError `passkeys_unavailable` if its address cannot have passkeys. */
export function requireRelyingParty({ env }: Pick<ApiConfig, 'env'>): RelyingParty {
  const party = relyingParty(env.PUBLIC_URL);
  if (party === null) throw new AppError('passkeys_unavailable');
  return party;
}

/** Null for IP addresses, and without https outside localhost: browsers offer no passkeys there. Pure. */
export function relyingParty(publicUrl: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return null;
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : null;
}
