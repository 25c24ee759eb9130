/** What an overlay can be set to, without the validator: the pages load this. */

/** The designs of an alert: a card, or outlined text without a card. */
export const OVERLAY_TEMPLATES = ['card', 'plain'] as const;
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

/** How long an alert is shown. */
export const OVERLAY_DURATION_SECONDS = { min: 1, max: 60 };

/** The settings of a project's overlay, as the API names them. */
export type OverlaySettings = {
  template: OverlayTemplate;
  theme: OverlayTheme;
  position: OverlayPosition;
  duration_seconds: number;
  /** Volume of the sound in percent; 0 is silent. */
  volume: number;
  /** Smaller donations are not shown; minimal units as decimal strings. */
  min_amount_btc: string;
  min_amount_ltc: string;
  show_message: boolean;
};

/** The settings of a project that has changed none. Silent, since a stream has its own audio. */
export const DEFAULT_OVERLAY_SETTINGS: Readonly<OverlaySettings> = {
  template: 'card',
  theme: 'dark',
  position: 'top',
  duration_seconds: 6,
  volume: 0,
  min_amount_btc: '0',
  min_amount_ltc: '0',
  show_message: true,
};
