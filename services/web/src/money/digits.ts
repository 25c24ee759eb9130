import { COINS } from '@paywatch/domain/coins';
import type { Currency } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';

/** Formats minimal units as coins with eight decimals, split so that the trailing zeros can be shown dimmed. */
export function coinDigits(units: string): { significant: string; zeros: string } {
  const padded = BigInt(units)
    .toString()
    .padStart(DECIMALS + 1, '0');
  const digits = `${padded.slice(0, -DECIMALS)}.${padded.slice(-DECIMALS)}`;
  const significant = digits.replace(/\.?0+$/, '');
  return { significant, zeros: digits.slice(significant.length) };
}

const DECIMALS = 8;

/** Formats minimal units with the name of the unit and grouped digits: `123,400 sat`. */
export function unitText(units: string, currency: Currency, language: Language): string {
  return `${groupDigits(units, language)}\u00a0${COINS[currency].minimalUnit}`;
}

/** Groups the digits of a whole number. Does not use Intl, whose output may differ between server and browser. */
export function groupDigits(digits: string, language: Language): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, GROUP_SEPARATOR[language]);
}

// German normally groups with a dot, which readers would take for the decimal point of the coin amount next to it.
const GROUP_SEPARATOR: Readonly<Record<Language, string>> = { en: ',', de: '\u202f' };
