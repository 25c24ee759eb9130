import type { OVERLAY_TEXTS } from './overlay-texts.ts';
import type { Language } from '../ui/language.ts';
import { AlertBox } from './alert-box.ts';
import { enqueue, isFull, isLow, takeNext, type AlertQueue } from './alert-queue.ts';
import { alertStyle } from './alert-style.ts';
import { DonationStream } from './donation-stream.ts';
import { openPositionStore } from './position-store.ts';
import { sampleDonation } from './sample-donation.ts';
import { overlayLook } from './settings.ts';
import { createPlayer } from './sounds.ts';
import { speak } from './speech.ts';

/** The pause between two alerts. */
const PAUSE_MS = 500;

/** Shows each new donation as an alert, one at a time. */
export function showAlerts(
  stage: HTMLElement,
  token: string,
  query: URLSearchParams,
  texts: (typeof OVERLAY_TEXTS)[Language],
): void {
  let look = overlayLook(query);
  let queue: AlertQueue = [];
  let isShowing = false;
  const box = new AlertBox(stage, look, texts);
  const play = createPlayer();
  const positions = openPositionStore(token, look.isPreview);
  const stream = new DonationStream(token, positions.read(), {
    onStart: positions.write,
    onSettings: (settings) => {
      look = overlayLook(query, settings);
      box.apply(look);
    },
    onDonation: (alert) => {
      queue = enqueue(queue, alert);
      if (isFull(queue)) stream.close();
      if (!isShowing) showNext();
    },
  });
  stream.open();
  // The preview shows a sample immediately, so that a change of the settings is visible.
  if (look.isPreview) box.show(sampleDonation(texts.sample));

  /** Shows the next queued alert for its duration, pauses, and continues until the queue is empty. */
  function showNext(): void {
    const { alert, passed, rest } = takeNext(queue, look);
    queue = rest;
    // Stored when the alert appears, not when it ends: a reload in between must not show it twice.
    if (passed !== null) positions.write(passed);
    if (!stream.isOpen && isLow(queue)) stream.open();
    isShowing = alert !== null;
    if (alert === null) return;
    const { sound, durationMs } = alertStyle(look, alert.donation);
    box.show(alert.donation);
    play(sound, look.volume);
    speak(alert.donation.donor_message, look);
    setTimeout(() => {
      box.hide();
      setTimeout(showNext, PAUSE_MS);
    }, durationMs);
  }
}
