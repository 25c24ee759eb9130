import { createHmac } from 'node:crypto';
import { broaderNetworks } from '../limits/client-network.ts';

const HASH_BYTES = 8;

/**
 * Pseudonym of the network of a donor, or of a buyer from the operator, for storage: a keyed hash of the site (IPv6 /48), then one of
 * the subscriber (IPv6 /56). Both are the address itself for IPv4. The network cannot be recovered without the deployment's key. Pure.
 */
export function donorNetwork(network: string, key: Buffer): Buffer {
  const [subscriber = network, site = network] = broaderNetworks(network);
  const hashOf = (text: string): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, HASH_BYTES);
  return Buffer.concat([hashOf(site), hashOf(subscriber)]);
}
