import {
  DEFAULT_DONATION_PAGE,
  DEFAULT_OVERLAY_SETTINGS,
  uploadPath,
  type DonationLinkInfo,
  type DonationPage,
  type OverlaySettings,
} from '@paywatch/domain/contract';
import { CURRENCIES } from '@paywatch/domain/values';
import type { DonorRates } from './donor-prices.ts';
import { suggestionsOf } from './suggestions.ts';

/** What the owner changed of the donation page and of the overlay. */
type Changed = {
  page: Partial<DonationPage>;
  overlay: Partial<OverlaySettings>;
  picture: string | null;
};

/** The settings that a donor sees; what has its default is left out. Pure. */
export function linkSettings(
  { page: changedPage, overlay: changedOverlay, picture }: Changed,
  donorRates: DonorRates | null,
): Partial<DonationLinkInfo> {
  const page = { ...DEFAULT_DONATION_PAGE, ...changedPage };
  const suggestions = suggestionsOf(page, donorRates);
  return {
    ...(picture === null ? {} : { picture_url: uploadPath(picture) }),
    ...lookOf(page),
    ...(suggestions === null ? {} : { suggestions }),
    ...minimumsOf(page, { ...DEFAULT_OVERLAY_SETTINGS, ...changedOverlay }),
    ...alertOf(changedOverlay),
  };
}

/** Pure. */
function lookOf({ accent_color, text, links }: DonationPage): Partial<DonationLinkInfo> {
  return {
    ...(accent_color === null ? {} : { accent_color }),
    ...(text === '' ? {} : { text }),
    ...(links.length === 0 ? {} : { links }),
  };
}

/** From which amounts a message is shown and read aloud. A message that no overlay shows is not announced as spoken. Pure. */
function minimumsOf(page: DonationPage, overlay: OverlaySettings): Partial<DonationLinkInfo> {
  const message = {
    BTC: higher(page.min_message_btc, overlay.min_amount_btc),
    LTC: higher(page.min_message_ltc, overlay.min_amount_ltc),
  };
  const speech = {
    BTC: higher(message.BTC, overlay.speech_min_btc),
    LTC: higher(message.LTC, overlay.speech_min_ltc),
  };
  const isLimited = CURRENCIES.some((currency) => message[currency] !== '0');
  return {
    ...(isLimited && overlay.show_message ? { message_minimum: message } : {}),
    ...(overlay.speech && overlay.volume > 0 ? { speech_minimum: speech } : {}),
  };
}

function higher(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}

/** What was changed of the settings by which an alert looks. Pure. */
function alertOf({
  template,
  theme,
  sentence,
  image,
  image_upload: imageUpload,
  show_message: isMessageShown,
  tiers,
}: Partial<OverlaySettings>): Partial<DonationLinkInfo> {
  const alert = {
    ...(template === undefined ? {} : { template }),
    ...(theme === undefined ? {} : { theme }),
    ...(sentence === undefined ? {} : { sentence }),
    ...(image === undefined ? {} : { image }),
    ...(imageUpload === undefined ? {} : { image_upload: imageUpload }),
    ...(isMessageShown === undefined ? {} : { show_message: isMessageShown }),
    ...(tiers === undefined ? {} : { tiers }),
  };
  return Object.keys(alert).length === 0 ? {} : { alert };
}
