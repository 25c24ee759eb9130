import type { OverlaySource } from '@paywatch/domain/overlay';
import type { OverlaySummary } from '@paywatch/domain/contract';
import type { Language } from '../../ui/language.ts';

type Period = keyof OverlaySummary['top'];

const en = {
  titles: {
    latest: 'Latest donations',
    ticker: 'Latest donations',
    goal: 'Donation goal',
    top: 'Top donors',
    counter: 'Donations',
  } satisfies Record<OverlaySource, string> as Record<OverlaySource, string>,
  anonymous: 'Anonymous',
  goal: 'Goal',
  of: (reached: string, target: string) => `${reached} of ${target}`,
  top: {
    day: 'Top donors today',
    week: 'Top donors this week',
    month: 'Top donors this month',
    all: 'Top donors',
  } satisfies Record<Period, string> as Record<Period, string>,
  donations: (count: number): string => (count === 1 ? 'donation' : 'donations'),
  since: (day: string) => `since ${day}`,
};
/** The shape that every other language has to fill. */
export type SourceTexts = typeof en;

const de: SourceTexts = {
  titles: {
    latest: 'Neueste Spenden',
    ticker: 'Neueste Spenden',
    goal: 'Spendenziel',
    top: 'Top-Spender',
    counter: 'Spenden',
  },
  anonymous: 'Anonym',
  goal: 'Ziel',
  of: (reached, target) => `${reached} von ${target}`,
  top: {
    day: 'Top-Spender heute',
    week: 'Top-Spender dieser Woche',
    month: 'Top-Spender dieses Monats',
    all: 'Top-Spender',
  },
  donations: (count) => (count === 1 ? 'Spende' : 'Spenden'),
  since: (day) => `seit ${day}`,
};

/** The texts of the browser sources beside the alerts, by language. */
export const SOURCE_TEXTS: Readonly<Record<Language, SourceTexts>> = { en, de };
