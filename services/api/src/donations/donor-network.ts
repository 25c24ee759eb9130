import { createHmac } from 'node:crypto';
import { broaderNetworks } from '../middleware/client-network.ts';

const HASH_BYTES = 16;

/**
 * What stands for a donor's network where it is stored: a keyed hash of the IPv4 address or the IPv6 /56, of which a subscriber
 * has at least one. Nobody without the deployment's key can find out whose it is. Pure.
 */
export function donorNetwork(network: string, key: Buffer): Buffer {
  const [widened = network] = broaderNetworks(network);
  return createHmac('sha256', key).update(widened).digest().subarray(0, HASH_BYTES);
}
