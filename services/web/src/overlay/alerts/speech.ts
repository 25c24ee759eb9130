import type { OverlayDonation } from '@paywatch/domain/contract';
import type { OverlayLook } from '../settings.ts';

/**
 * Reads the message of a donation aloud with a voice of the browser, cut off at the length limit, if its amount reaches the minimum. Ends
 * the speech of the alert before. Does nothing where the browser has no speech.
 */
export function speak(
  { donor_message: message, amount, currency, test: isTest }: OverlayDonation,
  { speech, volume }: Pick<OverlayLook, 'speech' | 'volume'>,
): void {
  stopSpeech();
  if (speech === null || message === null || volume === 0 || !canSpeak()) return;
  if (!isTest && BigInt(amount) < speech.minAmount[currency]) return;
  const text = Array.from(message).slice(0, speech.maxLength).join('');
  const { lang, rate } = speech;
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang, rate, volume }));
}

/** Ends the speech of an alert. */
export function stopSpeech(): void {
  if (canSpeak()) speechSynthesis.cancel();
}

function canSpeak(): boolean {
  return 'speechSynthesis' in window;
}
