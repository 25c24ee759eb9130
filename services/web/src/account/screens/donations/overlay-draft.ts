import type { Currency, OverlaySettings } from '@paywatch/domain/contract';
import { countCharacters, plainText } from '@paywatch/domain/visible-text';
import { OVERLAY_DURATION_SECONDS } from '@paywatch/domain/overlay';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import { formatCoins, parseCoins } from '@paywatch/domain/money';

/** The fields of the overlay settings that are typed, as typed. */
export type OverlayDraft = {
  readonly sentence: string;
  readonly duration: string;
  readonly minBtc: string;
  readonly minLtc: string;
};

type TypedSettings = Pick<
  OverlaySettings,
  'sentence' | 'duration_seconds' | 'min_amount_btc' | 'min_amount_ltc'
>;

/** The typed fields of settings; empty where there is no minimum. Pure. */
export function overlayDraft(settings: TypedSettings): OverlayDraft {
  return {
    sentence: settings.sentence,
    duration: String(settings.duration_seconds),
    minBtc: typedCoins(settings.min_amount_btc),
    minLtc: typedCoins(settings.min_amount_ltc),
  };
}

/** Minimal units in coins; empty where there is no minimum. Pure. */
export function typedCoins(units: string): string {
  return units === '0' ? '' : formatCoins(BigInt(units));
}

/** What the typed fields change, and the fields that are invalid. Pure. */
export function readOverlayDraft({ sentence, duration, minBtc, minLtc }: OverlayDraft): {
  change: Partial<TypedSettings>;
  invalid: readonly (keyof OverlayDraft)[];
} {
  const { min, max } = OVERLAY_DURATION_SECONDS;
  const seconds = /^\d{1,3}$/.test(duration.trim()) ? Number(duration) : Number.NaN;
  const [btc, ltc] = [unitsOf(minBtc, 'BTC'), unitsOf(minLtc, 'LTC')];
  const isSentenceValid = isSentence(sentence);
  const isTimeValid = seconds >= min && seconds <= max;
  return {
    change: {
      ...(isSentenceValid ? { sentence } : {}),
      ...(isTimeValid ? { duration_seconds: seconds } : {}),
      ...(btc === null ? {} : { min_amount_btc: btc }),
      ...(ltc === null ? {} : { min_amount_ltc: ltc }),
    },
    invalid: [
      ...(isSentenceValid ? [] : ['sentence' as const]),
      ...(isTimeValid ? [] : ['duration' as const]),
      ...(btc === null ? ['minBtc' as const] : []),
      ...(ltc === null ? ['minLtc' as const] : []),
    ],
  };
}

/** The rule of the API. */
function isSentence(text: string): boolean {
  const length = countCharacters(plainText(text));
  const isOnce = ['{name}', '{amount}'].every((part) => text.split(part).length <= 2);
  return length >= 1 && length <= SETTING_LIMITS.sentence.maxLength && isOnce;
}

/** Minimal units as text; a comma counts as the decimal sign. Null if the text is no amount. */
export function unitsOf(text: string, currency: Currency): string | null {
  const parsed = parseCoins(text.trim().replace(',', '.') || '0', currency);
  return parsed.ok ? String(parsed.value) : null;
}
