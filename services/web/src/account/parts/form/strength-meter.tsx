import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import type { Language } from '../../../ui/language.ts';
import { useAccount } from '../../app/account-context.ts';

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** By score, from 0 to 4. */
const LABELS: Readonly<Record<Language, readonly string[]>> = {
  en: ['Very weak', 'Weak', 'Fair', 'Good', 'Strong'],
  de: ['Sehr schwach', 'Schwach', 'Mittel', 'Gut', 'Stark'],
};
const MAX_SCORE = 4;
/** The estimate takes longer with each character, and more say nothing new. */
const MAX_CHARACTERS = 64;

/** The strength of a password as a bar and in words, which screen readers announce. */
export function StrengthMeter({ password }: { password: string }) {
  const { language } = useAccount();
  const { score } = zxcvbn.check(password.slice(0, MAX_CHARACTERS));
  const label = LABELS[language][score];
  return (
    <p class="quiet" role="status" data-testid="strength" data-score={score}>
      <meter min={0} max={MAX_SCORE} value={score} aria-hidden="true" /> {label}
    </p>
  );
}
