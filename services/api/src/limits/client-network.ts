import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether the X-Forwarded-For header of this peer is trusted. */
export type TrustedProxies = (address: Address) => boolean;

/** Parses addresses and CIDR ranges. Throws Error with the first entry that is neither. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  const ranges = entries.map(parseRange);
  return (address) =>
    ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}

function parseRange(entry: string): [Address, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  if (!ipaddr.isValid(entry)) throw new Error(`"${entry}" is neither an address nor a CIDR range`);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** The client of a request: its address, null if unknown, and the network by which limits count it: the IPv4 address or IPv6 /64. */
export type Client = { readonly address: string | null; readonly network: string };

/**
 * Returns the client of a request: the rightmost address that belongs to no trusted proxy. Addresses to its left can be forged by the
 * client and are never used. Limits count a /64, since a subscriber gets at least that.
 */
export function clientOf(request: IncomingMessage, isTrusted: TrustedProxies): Client {
  let client = readPeer(request.socket.remoteAddress ?? '');
  for (const hop of forwardedHops(request).toReversed()) {
    if (client === null || !isTrusted(client.address)) break;
    const next = readPeer(hop);
    if (next === null) break; // A trusted proxy wrote no valid address: count the proxy itself.
    client = next;
  }
  return client === null
    ? { address: null, network: 'unknown' }
    : { address: client.text, network: client.network };
}

/** Returns the /56 and the /48 around an IPv6 /64, and nothing for IPv4. Their owner has 256 or 65,536 networks to send requests from. */
export function broaderNetworks(network: string): readonly string[] {
  if (!network.endsWith('/64')) return [];
  const bytes = ipaddr.parse(network.slice(0, -'/64'.length)).toByteArray();
  return [56, 48].map((bits) => {
    const masked = bytes.map((byte, index) => (index < bits / 8 ? byte : 0));
    return `${ipaddr.fromByteArray(masked).toString()}/${bits}`;
  });
}

function forwardedHops(request: IncomingMessage): string[] {
  const header = request.headers['x-forwarded-for'];
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text === '' ? [] : text.split(',');
}

/** An address, its text without an IPv6 zone, which names an interface of ours, and the network that limits count for it. */
type Peer = { readonly address: Address; readonly text: string; readonly network: string };

/** Parsing an address costs as much as routing a request, and the same clients and proxies send many requests. */
const cache = new Map<string, Peer | null>();
const MAX_CACHED = 10_000;
/** Longer than any address with a port. Longer texts are not cached, so that a client cannot fill the memory with them. */
const MAX_CACHED_LENGTH = 64;

function readPeer(text: string): Peer | null {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const address = parseAddress(text);
  const peer = address && {
    address,
    text: address.toString().replace(/%.*$/, ''),
    network: networkOf(address),
  };
  if (cache.size >= MAX_CACHED) cache.clear();
  if (text.length <= MAX_CACHED_LENGTH) cache.set(copyOf(text), peer);
  return peer;
}

/** A substring of a header would keep the whole header in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Some proxies append a port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. An IPv4 address mapped into IPv6 counts as IPv4. */
function parseAddress(text: string): Address | null {
  const trimmed = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare);
  return isPlain ? ipaddr.process(bare) : null;
}

function networkOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const bytes = address.toByteArray();
  return `${ipaddr.fromByteArray([...bytes.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
