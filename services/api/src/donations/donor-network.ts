import { createHmac } from 'node:crypto';
import { broaderNetworks } from '../middleware/client-network.ts';

const HASH_BYTES = 8;

/**
 * What stands for a donor's network where it is stored: keyed hashes of the IPv4 address or the IPv6 /48, and behind it of the
 * address or the /56. A subscriber has at least a /56, and a site a /48. Nobody without the deployment's key can find out whose
 * it is. Pure.
 */
export function donorNetwork(network: string, key: Buffer): Buffer {
  const [subscriber = network, site = network] = broaderNetworks(network);
  const hashOf = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, HASH_BYTES);
  return Buffer.concat([hashOf(site), hashOf(subscriber)]);
}
