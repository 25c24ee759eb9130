/** The currencies that markets have; the API accepts others. */
const FIAT_CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'AUD', 'JPY'];

/** The options of a select of currencies, with the one that is set. */
export function fiatOptions(current: string | null): (readonly [string, string])[] {
  const codes = new Set([...FIAT_CURRENCIES, ...(current === null ? [] : [current])]);
  return [...codes].map((code) => [code, code] as const);
}
