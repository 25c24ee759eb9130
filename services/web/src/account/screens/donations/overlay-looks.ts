import type { Position, Theme } from '../../../overlay/settings.ts';

/** What the form of the overlay holds, as typed. */
export type OverlayLooks = {
  readonly duration: string;
  readonly position: Position;
  readonly theme: Theme;
  readonly isSounding: boolean;
  readonly minBtc: string;
  readonly minLtc: string;
  readonly isMessageShown: boolean;
};

/** What an overlay does when its address says nothing. */
export const DEFAULT_LOOKS: OverlayLooks = {
  duration: '6',
  position: 'top',
  theme: 'dark',
  isSounding: false,
  minBtc: '',
  minLtc: '',
  isMessageShown: true,
};

/** The address of an overlay with these looks; what is as by default is left out. Pure. */
export function overlayUrl(baseUrl: string, looks: OverlayLooks): string {
  const minimums = [
    looks.minBtc.trim() === '' ? null : `BTC:${looks.minBtc.trim().replace(',', '.')}`,
    looks.minLtc.trim() === '' ? null : `LTC:${looks.minLtc.trim().replace(',', '.')}`,
  ].filter((part) => part !== null);
  const query = [
    ...(looks.duration.trim() === DEFAULT_LOOKS.duration || looks.duration.trim() === ''
      ? []
      : [['duration', looks.duration.trim()]]),
    ...(looks.position === DEFAULT_LOOKS.position ? [] : [['position', looks.position]]),
    ...(looks.theme === DEFAULT_LOOKS.theme ? [] : [['theme', looks.theme]]),
    ...(looks.isSounding ? [['sound', 'on']] : []),
    ...(minimums.length === 0 ? [] : [['minAmount', minimums.join(',')]]),
    ...(looks.isMessageShown ? [] : [['showMessage', '0']]),
  ].map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`);
  return query.length === 0 ? baseUrl : `${baseUrl}?${query.join('&')}`;
}
