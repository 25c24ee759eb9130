import type { Currency, DonationDraft, DonationLinkInfo } from '@paywatch/domain/contract';
import { coinText } from '../../money/amounts.ts';
import type { DonateTexts } from '../texts/donate-en.ts';
import { askedUnits } from './donation-draft.ts';

/** Whether overlays show the message of a donation of this amount; an amount that is not typed yet counts as enough. Pure. */
export function isMessageShown(link: DonationLinkInfo, draft: DonationDraft, currency: Currency): boolean {
  const { message_minimum: minimum } = link;
  const units = askedUnits(draft, currency, link);
  return minimum === undefined || units === null || units === undefined || units >= BigInt(minimum[currency]);
}

/** What a donor has to know about the message before paying: from which amounts it is shown and read aloud. Pure. */
export function messageNotes(
  link: DonationLinkInfo,
  draft: DonationDraft,
  currency: Currency,
  texts: DonateTexts,
): string[] {
  const { message_minimum: shown, speech_minimum: spoken } = link;
  const notes = [];
  if (shown !== undefined && shown[currency] !== '0') {
    const note = isMessageShown(link, draft, currency) ? texts.messageFrom : texts.belowMessage;
    notes.push(note(coinText(shown[currency], currency)));
  }
  if (spoken !== undefined) {
    const minimum = spoken[currency];
    notes.push(texts.speechFrom(minimum === '0' ? null : coinText(minimum, currency)));
  }
  return notes;
}
