import { COINS } from '@paywatch/domain/coins';
import { formatCoins } from '@paywatch/domain/money';
import type { Currency } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';

/** Writes minimal units from the wire as coins without trailing zeros, with their currency: `0.0005 BTC`. */
export function coinText(units: string, currency: Currency): string {
  return `${formatCoins(BigInt(units))}\u00a0${currency}`;
}

/** A number of coins with all eight decimals, split where its trailing zeros begin, so that they can step back. */
export function coinDigits(units: string): { significant: string; zeros: string } {
  const padded = BigInt(units)
    .toString()
    .padStart(DECIMALS + 1, '0');
  const digits = `${padded.slice(0, -DECIMALS)}.${padded.slice(-DECIMALS)}`;
  const significant = digits.replace(/\.?0+$/, '');
  return { significant, zeros: digits.slice(significant.length) };
}

const DECIMALS = 8;

/** Writes minimal units with their name and with digits in groups of three: `123,400 sat`. */
export function unitText(units: string, currency: Currency, language: Language): string {
  return `${groupDigits(units, language)}\u00a0${COINS[currency].minimalUnit}`;
}

/** Groups the digits of a whole number. Its own rule and not the browser's, so that server and browser agree. */
export function groupDigits(digits: string, language: Language): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, GROUP_SEPARATOR[language]);
}

// A dot beside coins, which are written with a decimal point in every wallet, would be read as one.
const GROUP_SEPARATOR: Readonly<Record<Language, string>> = { en: ',', de: '\u202f' };
