import ipaddr from 'ipaddr.js';
import { accept, refuse, type Checked } from '../values/checked.ts';
import { isMetadataAddress } from './metadata-addresses.ts';

/** Why a webhook target is refused. */
export type TargetProblemCode = 'not_a_url' | 'not_https' | 'credentials' | 'not_public';

/** A target with a valid form. `isAllowedHost`: the operator exempts it, so its addresses are not checked. */
export type WebhookTarget = { url: URL; hostname: string; port: number; isAllowedHost: boolean };

/** Hosts that the operator exempts from the guard, for development: `host` or `host:port`, in the form of a URL's host. */
export type AllowedHosts = ReadonlySet<string>;

/**
 * Checks everything about a webhook target that its text shows: https, no credentials, and no address or name of an internal
 * network; any port is allowed. The addresses of a name are checked when the connection is made.
 */
export function checkWebhookTarget(
  text: string,
  allowedHosts: AllowedHosts = new Set(),
): Checked<WebhookTarget, TargetProblemCode> {
  // The URL parser resolves every notation of an address: 2130706433, 0x7f.1, 0177.0.0.1, full-width digits, ::ffff:7f00:1.
  const url = URL.parse(text);
  if (url === null) return refuse('not_a_url', 'Must be an absolute URL.');
  if (url.protocol !== 'https:') return refuse('not_https', 'Must begin with https://.');
  if (url.username !== '' || url.password !== '')
    return refuse('credentials', 'Must not contain a user name or password.');
  const hostname = bareHostname(url.hostname);
  const port = url.port === '' ? 443 : Number(url.port);
  if (allowedHosts.has(hostname) || allowedHosts.has(`${hostname}:${port}`))
    return accept({ url, hostname, port, isAllowedHost: true });
  const inner = describeInnerHost(hostname);
  if (inner !== null) return refuse('not_public', `Must be at a public address; this is ${inner}.`);
  return accept({ url, hostname, port, isAllowedHost: false });
}

/** Reads entries `host` or `host:port` (IPv6 in brackets). Throws TypeError on one that is neither. */
export function parseAllowedHosts(entries: readonly string[]): AllowedHosts {
  return new Set(entries.map(parseAllowedHost));
}

function parseAllowedHost(entry: string): string {
  const url = URL.parse(`https://${entry}`);
  if (url === null || /[/?#@\\]/.test(entry)) throw new TypeError(`not a host or host:port: ${entry}`);
  // The parser drops the default port :443, although the entry means this port only.
  const port = /:0*443$/.test(entry) ? '443' : url.port;
  return bareHostname(url.hostname) + (port === '' ? '' : `:${port}`);
}

/** A URL's host without IPv6 brackets and without the trailing dot of an absolute name. */
function bareHostname(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Names that stand for this machine or an internal network by their standard: RFC 6761, 6762, 8375, 7686, ICANN's `internal`. */
const INNER_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'onion'];

function describeInnerHost(hostname: string): string | null {
  if (ipaddr.isValid(hostname)) return describeNonPublicAddress(hostname);
  // A resolver completes a single label with the search domains of our own network.
  if (!hostname.includes('.')) return 'a name without a domain';
  const suffix = INNER_SUFFIXES.find((name) => hostname.endsWith(`.${name}`));
  return suffix === undefined ? null : `a name under .${suffix}, which is for inner networks`;
}

/**
 * Describes why an IP address is not a public unicast one; null for a public one. An unreadable address is not public. The
 * description never contains the address, because the merchant must not learn what a name resolves to here.
 */
export function describeNonPublicAddress(address: string): string | null {
  if (!ipaddr.isValid(address)) return 'no IP address';
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? describeIpv4(parsed) : describeIpv6(parsed);
}

function describeIpv4(address: ipaddr.IPv4): string | null {
  const range = address.range();
  if (range !== 'unicast') return describeRange(range);
  return isMetadataAddress(address.toString()) ? 'the metadata address of a cloud' : null;
}

/** Parts of 2000::/3 that are not public, or reach an unchecked IPv4 address. */
const SPECIAL_IPV6 = [
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

function describeIpv6(address: ipaddr.IPv6): string | null {
  const range = address.range();
  if (range !== 'unicast') return describeRange(range);
  // Everything outside is unassigned, embeds IPv4 (::/96, both NAT64 prefixes), or is site-local (fec0::/10).
  if (!address.match(GLOBAL_UNICAST)) return 'not a global address';
  if (SPECIAL_IPV6.some((special) => address.match(special))) return describeRange('reserved');
  return isIsatap(address) ? 'an address that leads to an inner IPv4 network' : null;
}

/** RFC 5214: the last 64 bits are 0000:5efe or 0200:5efe and an IPv4 address, behind any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return (high & ~0x0200) === 0 && low === 0x5efe;
}

const RANGE_WORDS: Readonly<Record<string, string>> = {
  private: 'a private address',
  uniqueLocal: 'a private address',
  loopback: 'a loopback address',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'an address shared by a carrier',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'an unspecified address',
  ipv4Mapped: 'an IPv4 address in the form of IPv6',
  rfc6145: 'an IPv4 address in the form of IPv6',
  rfc6052: 'an IPv4 address in the form of IPv6',
  '6to4': 'an IPv4 address in the form of IPv6',
  teredo: 'an IPv4 address in the form of IPv6',
};

function describeRange(range: string): string {
  return RANGE_WORDS[range] ?? 'a reserved address';
}

/** Removes query and fragment from an endpoint's URL: some merchants put secrets there. Pure. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
