/** Formats minimal units as coins without trailing zeros: 250000 is 0.0025. */
export function formatCoins(amount: bigint | string): string {
  const digits = BigInt(amount).toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
}
