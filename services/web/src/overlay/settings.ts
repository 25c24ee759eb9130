import {
  DEFAULT_OVERLAY_SETTINGS,
  OVERLAY_DURATION_SECONDS,
  OVERLAY_POSITIONS,
  OVERLAY_TEMPLATES,
  OVERLAY_THEMES,
  type OverlayAmounts,
  type OverlayImage,
  type OverlayPosition,
  type OverlaySettings,
  type OverlaySound,
  type OverlayTemplate,
  type OverlayTheme,
  type OverlayTier,
} from '@paywatch/domain/overlay';
import { parseCoins } from '@paywatch/domain/money';
import type { Currency } from '@paywatch/domain/contract';

/** What differs between the tiers of donations. */
export type AlertStyle = {
  readonly template: OverlayTemplate;
  readonly image: OverlayImage;
  readonly sound: OverlaySound;
  /** Uploads in place of these. */
  readonly imageUpload: string | null;
  readonly soundUpload: string | null;
  readonly durationMs: number;
};

/** How an overlay looks and sounds: the settings of the account, and the parameters of its URL, which take precedence. */
export type OverlayLook = AlertStyle & {
  readonly position: OverlayPosition;
  readonly theme: OverlayTheme;
  /** With `{name}` and `{amount}`. */
  readonly sentence: string;
  readonly amounts: OverlayAmounts;
  /** Volume of sound and speech, 0 (silent) to 1. */
  readonly volume: number;
  /** Null if messages are not read aloud. `lang` is empty for the browser's own. */
  readonly speech: {
    readonly lang: string;
    readonly rate: number;
    readonly maxLength: number;
    readonly minAmount: Readonly<Record<Currency, bigint>>;
  } | null;
  readonly tiers: readonly (AlertStyle & { readonly minAmount: Readonly<Record<Currency, bigint>> })[];
  /** Smaller donations are not shown; minimal units. */
  readonly minAmount: Readonly<Record<Currency, bigint>>;
  readonly isMessageShown: boolean;
  /** Preview in the account area: shows donations but stores no position. */
  readonly isPreview: boolean;
};

/** The volume of `sound=on`, in percent. */
const MEDIUM_VOLUME = 50;

/** Combines the settings of the account with the parameters of the URL. Pure; invalid parameters count as missing. */
export function overlayLook(query: URLSearchParams, saved: Partial<OverlaySettings> = {}): OverlayLook {
  // A replica of an earlier release, or the donation page, sends only some settings.
  const account = { ...DEFAULT_OVERLAY_SETTINGS, ...saved };
  const template = templateOf(query);
  const duration = query.get('duration');
  const styleOf = (style: OverlayTier | OverlaySettings): AlertStyle => ({
    template: template ?? style.template,
    image: style.image,
    sound: style.sound,
    imageUpload: style.image_upload,
    soundUpload: style.sound_upload,
    durationMs: numberIn(duration, OVERLAY_DURATION_SECONDS, style.duration_seconds) * 1000,
  });
  const minAmount = amountsOf(account.min_amount_btc, account.min_amount_ltc);
  return {
    ...styleOf(account),
    position: oneOf(OVERLAY_POSITIONS, query.get('position')) ?? account.position,
    theme: oneOf(OVERLAY_THEMES, query.get('theme')) ?? account.theme,
    sentence: account.sentence,
    amounts: account.amounts,
    volume: volumeOf(query.get('sound'), account.volume) / 100,
    speech: account.speech
      ? {
          lang: account.speech_language,
          rate: account.speech_rate / 100,
          maxLength: account.speech_max_length,
          minAmount: amountsOf(account.speech_min_btc, account.speech_min_ltc),
        }
      : null,
    minAmount: {
      BTC: minimumOf(query.get('minAmount'), 'BTC') ?? minAmount.BTC,
      LTC: minimumOf(query.get('minAmount'), 'LTC') ?? minAmount.LTC,
    },
    isMessageShown: isOn(query.get('showMessage')) ?? account.show_message,
    isPreview: isOn(query.get('preview')) ?? false,
    tiers: account.tiers.map((tier) => ({
      ...styleOf(tier),
      minAmount: amountsOf(tier.min_amount_btc, tier.min_amount_ltc),
    })),
  };
}

function amountsOf(btc: string, ltc: string): Readonly<Record<Currency, bigint>> {
  return { BTC: BigInt(btc), LTC: BigInt(ltc) };
}

/** `theme=plain` is the name that URLs of earlier releases contain. */
function templateOf(query: URLSearchParams): OverlayTemplate | undefined {
  return oneOf(OVERLAY_TEMPLATES, query.get('template') ?? query.get('theme'));
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((value) => value === text);
}

/** In percent. `sound=on`, or the volume: `sound=80`. */
function volumeOf(text: string | null, otherwise: number): number {
  const isWanted = isOn(text);
  if (isWanted === undefined) return otherwise;
  return isWanted ? numberIn(text, { min: 0, max: 100 }, MEDIUM_VOLUME) : 0;
}

/** Undefined without the parameter. */
function isOn(text: string | null): boolean | undefined {
  return text === null ? undefined : !['0', 'false', 'off'].includes(text);
}

function numberIn(
  text: string | null,
  { min, max }: { min: number; max: number },
  otherwise: number,
): number {
  return /^\d{1,4}(\.\d{1,3})?$/.test(text ?? '') ? Math.min(max, Math.max(min, Number(text))) : otherwise;
}

/** The minimum that an address names. `minAmount=0.001` for every currency, or per currency: `minAmount=BTC:0.0001,LTC:0.05`. In coins. */
export function minimumOf(text: string | null, currency: Currency): bigint | undefined {
  const parts = (text ?? '').split(',').map((part) => part.trim());
  const own = parts.find((part) => part.startsWith(`${currency}:`))?.slice(currency.length + 1);
  const parsed = parseCoins(own ?? parts.find((part) => !part.includes(':')) ?? '', currency);
  return parsed.ok ? parsed.value : undefined;
}
