/** What an overlay can be set to, without the validator: the pages load this. */

/** The designs of an alert. `plain` is outlined text without a ground. */
export const OVERLAY_TEMPLATES = ['card', 'banner', 'bubble', 'neon', 'plain'] as const;
export type OverlayTemplate = (typeof OVERLAY_TEMPLATES)[number];

/** Each design is dark or light. */
export const OVERLAY_THEMES = ['dark', 'light'] as const;
export type OverlayTheme = (typeof OVERLAY_THEMES)[number];

/** Where alerts appear. */
export const OVERLAY_POSITIONS = [
  'top-left',
  'top',
  'top-right',
  'center',
  'bottom-left',
  'bottom',
  'bottom-right',
] as const;
export type OverlayPosition = (typeof OVERLAY_POSITIONS)[number];

/** The pictures beside the text. */
export const OVERLAY_IMAGES = ['none', 'coin', 'heart', 'rocket', 'star'] as const;
export type OverlayImage = (typeof OVERLAY_IMAGES)[number];

/** The sounds. The overlay synthesizes them, so no file is loaded. */
export const OVERLAY_SOUNDS = ['chime', 'coin', 'bell', 'fanfare'] as const;
export type OverlaySound = (typeof OVERLAY_SOUNDS)[number];

/** What the amount of an alert is written in. */
export const OVERLAY_AMOUNTS = ['coins', 'fiat', 'both'] as const;
export type OverlayAmounts = (typeof OVERLAY_AMOUNTS)[number];

/** How long an alert is shown. */
export const OVERLAY_DURATION_SECONDS = { min: 1, max: 60 };

/**
 * Ids of uploads that take the place of the built-in picture and sound; null for none. The built-in ones are kept beside them, for pages
 * that were opened before there were uploads, and for an upload that is deleted.
 */
export type OverlayUploads = { image_upload: string | null; sound_upload: string | null };

/** What donations above an amount look and sound like. A donation belongs to the highest tier that it reaches. */
export type OverlayTier = OverlayUploads & {
  /** Minimal units as decimal strings. */
  min_amount_btc: string;
  min_amount_ltc: string;
  template: OverlayTemplate;
  image: OverlayImage;
  sound: OverlaySound;
  duration_seconds: number;
};

/** The settings of a project's overlay, as the API names them. */
export type OverlaySettings = OverlayUploads & {
  template: OverlayTemplate;
  theme: OverlayTheme;
  position: OverlayPosition;
  /** With `{name}` and `{amount}`, each at most once. */
  sentence: string;
  image: OverlayImage;
  sound: OverlaySound;
  /** Volume of sound and speech in percent; 0 is silent. */
  volume: number;
  duration_seconds: number;
  /** Coins, `fiat_currency`, or both. Without a rate the coins alone. */
  amounts: OverlayAmounts;
  /** ISO 4217. */
  fiat_currency: string;
  /** Smaller donations are not shown; minimal units as decimal strings. */
  min_amount_btc: string;
  min_amount_ltc: string;
  show_message: boolean;
  /** Whether the browser reads the message aloud. */
  speech: boolean;
  /** BCP 47; empty for the language of the browser. */
  speech_language: string;
  /** In percent of the normal speed. */
  speech_rate: number;
  /** Messages of smaller donations are not read aloud; minimal units as decimal strings. */
  speech_min_btc: string;
  speech_min_ltc: string;
  /** Longer messages are cut off when they are read aloud. Unicode code points. */
  speech_max_length: number;
  /** At most five. */
  tiers: OverlayTier[];
};

/** The settings of a project that has changed none. Silent, since a stream has its own audio. */
export const DEFAULT_OVERLAY_SETTINGS: Readonly<OverlaySettings> = {
  template: 'card',
  theme: 'dark',
  position: 'top',
  sentence: '{name} {amount}',
  image: 'none',
  image_upload: null,
  sound: 'chime',
  sound_upload: null,
  volume: 0,
  duration_seconds: 6,
  amounts: 'coins',
  fiat_currency: 'EUR',
  min_amount_btc: '0',
  min_amount_ltc: '0',
  show_message: true,
  speech: false,
  speech_language: '',
  speech_rate: 100,
  speech_min_btc: '0',
  speech_min_ltc: '0',
  speech_max_length: 200,
  tiers: [],
};

/** The browser sources beside the alerts, by their name in the address. */
export const OVERLAY_SOURCES = ['latest', 'ticker', 'goal', 'top', 'counter'] as const;
export type OverlaySource = (typeof OVERLAY_SOURCES)[number];

/** How many donations the list of the latest and the ticker show. */
export const LATEST_DONATIONS = 5;
