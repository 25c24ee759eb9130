import type { Position, Theme } from '../../../overlay/settings.ts';

/** The overlay settings form, as typed. */
export type OverlayAppearance = {
  readonly duration: string;
  readonly position: Position;
  readonly theme: Theme;
  readonly isSoundOn: boolean;
  readonly minBtc: string;
  readonly minLtc: string;
  readonly isMessageShown: boolean;
};

/** The settings of an overlay without query parameters. */
export const DEFAULT_APPEARANCE: OverlayAppearance = {
  duration: '6',
  position: 'top',
  theme: 'dark',
  isSoundOn: false,
  minBtc: '',
  minLtc: '',
  isMessageShown: true,
};

/** The URL of an overlay with these settings; defaults are left out. Pure. */
export function overlayUrl(baseUrl: string, appearance: OverlayAppearance): string {
  const minimums = [
    appearance.minBtc.trim() === '' ? null : `BTC:${appearance.minBtc.trim().replace(',', '.')}`,
    appearance.minLtc.trim() === '' ? null : `LTC:${appearance.minLtc.trim().replace(',', '.')}`,
  ].filter((part) => part !== null);
  const query = [
    ...(appearance.duration.trim() === DEFAULT_APPEARANCE.duration || appearance.duration.trim() === ''
      ? []
      : [['duration', appearance.duration.trim()]]),
    ...(appearance.position === DEFAULT_APPEARANCE.position ? [] : [['position', appearance.position]]),
    ...(appearance.theme === DEFAULT_APPEARANCE.theme ? [] : [['theme', appearance.theme]]),
    ...(appearance.isSoundOn ? [['sound', 'on']] : []),
    ...(minimums.length === 0 ? [] : [['minAmount', minimums.join(',')]]),
    ...(appearance.isMessageShown ? [] : [['showMessage', '0']]),
  ].map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`);
  return query.length === 0 ? baseUrl : `${baseUrl}?${query.join('&')}`;
}
