/*
 * Currencies of prices (ISO 4217). The runtime's `Intl` knows their codes and decimals, so there is no table of our own to
 * become outdated.
 */

/** Whether the runtime knows the code as a currency. Upper case only. */
export function isFiatCurrency(code: string): boolean {
  fiatCurrencies ??= new Set(Intl.supportedValuesOf('currency'));
  return fiatCurrencies.has(code);
}

let fiatCurrencies: ReadonlySet<string> | undefined;

/** Decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD. Throws RangeError unless the code has three letters. */
export function fiatDecimals(code: string): number {
  const known = decimalsByCode.get(code);
  if (known !== undefined) return known;
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
  }).resolvedOptions();
  const decimals = maximumFractionDigits ?? 2;
  // Only known codes are kept, so that requests cannot make the map grow.
  if (isFiatCurrency(code)) decimalsByCode.set(code, decimals);
  return decimals;
}

const decimalsByCode = new Map<string, number>();

/** Parses an amount such as `19.99` into the smallest units of its currency (cents); null if it has too many decimals. */
export function parseFiat(text: string, currency: string): bigint | null {
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  const decimals = fiatDecimals(currency);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  return fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Writes the smallest units of a currency with all of its decimals: `1990n` of EUR is `19.90`. */
export function formatFiat(units: bigint, currency: string): string {
  const decimals = fiatDecimals(currency);
  const digits = units.toString().padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
