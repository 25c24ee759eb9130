import type { Currency } from '@paywatch/domain/contract';
import { parseCoins } from '@paywatch/domain/money';

/** Where alerts appear. */
export const POSITIONS = [
  'top-left',
  'top',
  'top-right',
  'center',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const;
export type Position = (typeof POSITIONS)[number];

/** The look of alerts: a dark card, a light card, or outlined text without a card. */
export const THEMES = ['dark', 'light', 'plain'] as const;
export type Theme = (typeof THEMES)[number];

/** The settings in the query string of an overlay URL. */
export type OverlaySettings = {
  readonly durationMs: number;
  readonly position: Position;
  readonly theme: Theme;
  /** Volume of the chime, 0 (silent) to 1. */
  readonly volume: number;
  /** Smaller donations are not shown; minimal units. */
  readonly minAmount: Readonly<Record<Currency, bigint>>;
  readonly isMessageShown: boolean;
  /** Preview in the account area: shows donations but stores no position. */
  readonly isPreview: boolean;
};

const DURATION_SECONDS = { min: 1, max: 60, default: 6 };
const DEFAULT_VOLUME = 0.5;

/** Parses the settings of an overlay URL. Pure; invalid values count as missing. */
export function readSettings(query: URLSearchParams): OverlaySettings {
  return {
    durationMs: numberIn(query.get('duration'), DURATION_SECONDS) * 1000,
    position: POSITIONS.find((position) => position === query.get('position')) ?? 'top',
    theme: THEMES.find((theme) => theme === query.get('theme')) ?? 'dark',
    volume: volumeOf(query.get('sound')),
    minAmount: {
      BTC: minimumOf(query.get('minAmount'), 'BTC'),
      LTC: minimumOf(query.get('minAmount'), 'LTC'),
    },
    isMessageShown: !isOff(query.get('showMessage')),
    isPreview: query.has('preview') && !isOff(query.get('preview')),
  };
}

/** `sound=on`, or the volume in percent: `sound=80`. Silent by default, since a stream has its own audio. */
function volumeOf(text: string | null): number {
  if (text === null || isOff(text)) return 0;
  const percent = numberIn(text, { min: 0, max: 100, default: DEFAULT_VOLUME * 100 });
  return percent / 100;
}

function isOff(text: string | null): boolean {
  return text === '0' || text === 'false' || text === 'off';
}

function numberIn(text: string | null, range: { min: number; max: number; default: number }): number {
  const number = /^\d{1,4}(\.\d{1,3})?$/.test(text ?? '') ? Number(text) : range.default;
  return Math.min(range.max, Math.max(range.min, number));
}

/** `minAmount=0.001` for every currency, or per currency: `minAmount=BTC:0.0001,LTC:0.05`. In coins. */
function minimumOf(text: string | null, currency: Currency): bigint {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  const own = parts.find((part) => part.startsWith(`${currency}:`))?.slice(currency.length + 1);
  const parsed = parseCoins(own ?? parts.find((part) => !part.includes(':')) ?? '0', currency);
  return parsed.ok ? parsed.value : 0n;
}
