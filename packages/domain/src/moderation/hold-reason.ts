import type { HoldMode, HoldReason } from '../contract/resources/donations/moderation.ts';
import { containsLink } from './links.ts';
import { containsListedWord } from './listed-words.ts';

/** Which donations a project holds for its moderators. */
export type HoldRule = { readonly hold: HoldMode; readonly words: readonly string[] };

/** What decides whether a donation is held. */
export type ModeratedDonation = {
  readonly donorName: string | null;
  readonly donorMessage: string | null;
  /** A donation with this name was shown before. */
  readonly isKnownDonor: boolean;
};

/** Why a donation is held until a moderator decides; null: it is shown immediately. Pure. */
export function holdReason({ hold, words }: HoldRule, donation: ModeratedDonation): HoldReason | null {
  const { donorName, donorMessage, isKnownDonor } = donation;
  const texts = [donorName, donorMessage].filter((text) => text !== null);
  switch (hold) {
    case 'none':
      return null;
    case 'all':
      return 'all';
    case 'links_and_words':
      if (texts.some(containsLink)) return 'link';
      return texts.some((text) => containsListedWord(text, words)) ? 'word' : null;
    case 'first_time':
      // A donation without text shows nothing that a donor chose.
      return texts.length === 0 || isKnownDonor ? null : 'first_time';
    default:
      return hold satisfies never;
  }
}
