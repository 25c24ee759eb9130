import type { OverlayLook } from '../settings.ts';

/**
 * Reads a message aloud with a voice of the browser, cut off at the length limit. Ends the speech of the alert before. Does nothing where
 * the browser has no speech.
 */
export function speak(
  message: string | null,
  { speech, volume }: Pick<OverlayLook, 'speech' | 'volume'>,
): void {
  if (!('speechSynthesis' in window)) return;
  speechSynthesis.cancel();
  if (speech === null || message === null || volume === 0) return;
  const text = Array.from(message).slice(0, speech.maxLength).join('');
  const { lang, rate } = speech;
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang, rate, volume }));
}
