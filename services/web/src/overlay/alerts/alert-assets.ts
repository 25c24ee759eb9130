import type { OverlayImage, OverlayTemplate } from '@paywatch/domain/overlay';
import bannerUrl from '../../design/alerts/banner.css?url';
import bubbleUrl from '../../design/alerts/bubble.css?url';
import neonUrl from '../../design/alerts/neon.css?url';
import plainUrl from '../../design/alerts/plain.css?url';
import coinUrl from './images/coin.svg';
import heartUrl from './images/heart.svg';
import rocketUrl from './images/rocket.svg';
import starUrl from './images/star.svg';

/** The built-in pictures; each is loaded when an alert first shows it. */
export const IMAGE_URLS: Readonly<Partial<Record<OverlayImage, string>>> = {
  coin: coinUrl,
  heart: heartUrl,
  rocket: rocketUrl,
  star: starUrl,
};

/** Where an uploaded picture or sound is; undefined for none, which a replica of an earlier release leaves out. */
export function uploadUrl(id: string | null | undefined): string | undefined {
  return id ? `/v1/public/uploads/${id}` : undefined;
}

/** The style sheets of the designs that are not part of the page's own. */
const STYLE_URLS: Readonly<Partial<Record<OverlayTemplate, string>>> = {
  banner: bannerUrl,
  bubble: bubbleUrl,
  neon: neonUrl,
  plain: plainUrl,
};

const requested = new Set<string>();

/** Loads the style sheet of a design, once. Calls `onLoad` if it had to be loaded. */
export function loadTemplate(template: OverlayTemplate, onLoad: () => void): void {
  const href = STYLE_URLS[template];
  if (href === undefined || requested.has(href)) return;
  requested.add(href);
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  link.addEventListener('load', onLoad);
  document.head.append(link);
}
