/** A key of the keypad. */
export type Key = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'point' | 'back';

/** More would be a typing error, and no field of the API is longer. */
const MAX_WHOLE_DIGITS = 9;

/** The amount after a key, such as `12.5`; a key that fits nowhere changes nothing. Pure. */
export function pressKey(amount: string, key: Key, decimals: number): string {
  if (key === 'back') return amount.slice(0, -1);
  const [whole = '', fraction] = amount.split('.');
  if (key === 'point') return decimals === 0 || fraction !== undefined ? amount : `${whole || '0'}.`;
  if (fraction !== undefined) return fraction.length < decimals ? amount + key : amount;
  if (whole === '0') return key;
  return whole.length < MAX_WHOLE_DIGITS ? amount + key : amount;
}

/** Whether there is something to pay. Pure. */
export function isAboveZero(amount: string): boolean {
  return /[1-9]/.test(amount);
}

/** The key of a keyboard; null if it is none of the keypad's. Pure. */
export function keyOf(name: string): Key | null {
  if (/^\d$/.test(name)) return name as Key;
  if (name === '.' || name === ',') return 'point';
  return name === 'Backspace' ? 'back' : null;
}

/** The decimals of a currency, or those of a coin without one. Pure. */
export function decimalsOf(priceCurrency: string | null): number {
  if (priceCurrency === null) return 8;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: priceCurrency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
