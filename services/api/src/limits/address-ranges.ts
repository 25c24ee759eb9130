import ipaddr from 'ipaddr.js';

/**
 * Parses an IPv4 or IPv6 address or CIDR range into the canonical text of its range, such as `10.0.0.0/8`. An IPv4 range mapped into
 * IPv6 becomes IPv4. Null for everything else, short notations like `10.1` included.
 */
export function parseAddressRange(text: string): string | null {
  const [address = '', prefix, ...more] = text.trim().split('/');
  if (more.length > 0 || !isAddress(address) || address.includes('%')) return null;
  const parsed = ipaddr.parse(address);
  const whole = parsed.kind() === 'ipv4' ? 32 : 128;
  const bits = prefix === undefined ? whole : readBits(prefix, whole);
  if (bits === null) return null;
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress();
  if (isMapped && bits >= 96) return rangeText(parsed.toIPv4Address(), bits - 96);
  return rangeText(parsed, bits);
}

/** Whether an address is in one of the ranges, which `parseAddressRange` has returned. An unknown address (null) is in none. */
export function isInRanges(address: string | null, ranges: readonly string[]): boolean {
  if (address === null) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => {
    const [base, bits] = ipaddr.parseCIDR(range);
    return parsed.kind() === base.kind() && parsed.match(base, bits);
  });
}

function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function readBits(text: string, most: number): number | null {
  return /^\d{1,3}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** The bits of the host are cleared: two texts of the same range must be equal. */
function rangeText(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * index));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
