import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Decides whether a peer's X-Forwarded-For is believed. */
export type TrustedProxies = (address: Address) => boolean;

/** Parses addresses and CIDR ranges. Throws Error naming the first entry that is neither. */
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

/**
 * Where a request comes from, as limits count it: the IPv4 address or the IPv6 /64, since one subscriber gets at least
 * that. It is the rightmost address that no trusted proxy has: whatever a client writes into the header itself stands
 * left of the one that the outermost trusted proxy saw, so it is never read.
 */
export function clientNetwork(request: IncomingMessage, isTrusted: TrustedProxies): string {
  let client = readPeer(request.socket.remoteAddress ?? '');
  for (const hop of forwardedHops(request).toReversed()) {
    if (client === null || !isTrusted(client.address)) break;
    const next = readPeer(hop);
    if (next === null) break; // A proxy of ours wrote no address: the proxy itself is all that is known.
    client = next;
  }
  return client === null ? 'unknown' : client.network;
}

/**
 * The /56 and the /48 around an IPv6 /64, none for IPv4: whoever has one of those has 256 or 65,536 networks to come from, and limits
 * give each a budget of its own.
 */
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

/** An address, and the network that limits count it under. */
type Peer = { readonly address: Address; readonly network: string };

/** To read an address costs as much as to find the route of its request, and the same clients and proxies come again and again. */
const known = new Map<string, Peer | null>();
const MOST_KNOWN = 10_000;
/** What is longer than any address with its port is not kept: it is somebody's invention. */
const LONGEST_KEPT = 64;

function readPeer(text: string): Peer | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const address = parseAddress(text);
  const peer = address && { address, network: networkOf(address) };
  if (known.size >= MOST_KNOWN) known.clear();
  if (text.length <= LONGEST_KEPT) known.set(copyOf(text), peer);
  return peer;
}

/** A part of a header would keep the whole of it in memory. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** Some proxies append a port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. IPv4 mapped into IPv6 counts as IPv4. */
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
