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

/** How alerts look: on a dark or a light card, or as bare outlined text. */
export const THEMES = ['dark', 'light', 'plain'] as const;
export type Theme = (typeof THEMES)[number];

/** What the address of an overlay says about its looks. */
export type OverlaySettings = {
  readonly durationMs: number;
  readonly position: Position;
  readonly theme: Theme;
  /** Loudness of the chime, 0 to 1; 0 is silence. */
  readonly volume: number;
  /** The least that is shown, in minimal units. */
  readonly minAmount: Readonly<Record<Currency, bigint>>;
  readonly isMessageShown: boolean;
  /** Seen in the account area: it shows what comes and remembers nothing. */
  readonly isPreview: boolean;
};

const DURATION_SECONDS = { least: 1, most: 60, default: 6 };
const DEFAULT_VOLUME = 0.5;

/** Reads the settings of an overlay. Pure and total: what makes no sense is as if it were not there. */
export function readSettings(query: URLSearchParams): OverlaySettings {
  return {
    durationMs: numberIn(query.get('duration'), DURATION_SECONDS) * 1000,
    position: POSITIONS.find((position) => position === query.get('position')) ?? 'top',
    theme: THEMES.find((theme) => theme === query.get('theme')) ?? 'dark',
    volume: volumeOf(query.get('sound')),
    minAmount: { BTC: leastOf(query.get('minAmount'), 'BTC'), LTC: leastOf(query.get('minAmount'), 'LTC') },
    isMessageShown: !isOff(query.get('showMessage')),
    isPreview: query.has('preview') && !isOff(query.get('preview')),
  };
}

/** `sound=on`, or its loudness in percent: `sound=80`. Silent without it: a stream has its own sounds. */
function volumeOf(text: string | null): number {
  if (text === null || isOff(text)) return 0;
  const percent = numberIn(text, { least: 0, most: 100, default: DEFAULT_VOLUME * 100 });
  return percent / 100;
}

function isOff(text: string | null): boolean {
  return text === '0' || text === 'false' || text === 'off';
}

function numberIn(text: string | null, range: { least: number; most: number; default: number }): number {
  const number = /^\d{1,4}(\.\d{1,3})?$/.test(text ?? '') ? Number(text) : range.default;
  return Math.min(range.most, Math.max(range.least, number));
}

/** `minAmount=0.001` for every coin, or one for each: `minAmount=BTC:0.0001,LTC:0.05`. In coins, as people think of it. */
function leastOf(text: string | null, currency: Currency): bigint {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  const own = parts.find((part) => part.startsWith(`${currency}:`))?.slice(currency.length + 1);
  const parsed = parseCoins(own ?? parts.find((part) => !part.includes(':')) ?? '0', currency);
  return parsed.ok ? parsed.value : 0n;
}
