import type { OVERLAY_TEXTS } from '../overlay-texts.ts';
import type { Language } from '../../ui/language.ts';
import { AlertBox } from './alert-box.ts';
import { AlertPlayer } from './alert-player.ts';
import { isFull, isLow } from './alert-queue.ts';
import { DonationStream } from '../donation-stream.ts';
import { openPositionStore } from './position-store.ts';
import { sampleDonation } from './sample-donation.ts';
import { overlayLook } from '../settings.ts';

/** Shows each new donation as an alert, one at a time. */
export function showAlerts(
  stage: HTMLElement,
  token: string,
  query: URLSearchParams,
  texts: (typeof OVERLAY_TEXTS)[Language],
): void {
  const look = overlayLook(query);
  const box = new AlertBox(stage, look, texts);
  const positions = openPositionStore(token, look.isPreview);
  const player = new AlertPlayer({
    box,
    query,
    positions,
    onShorter: (queue) => {
      if (stream.isHeld && isLow(queue)) stream.open();
    },
  });
  const stream = new DonationStream(token, positions.read(), {
    onStart: positions.write,
    onSettings: (settings) => player.apply(settings),
    onControl: (orders) => player.obey(orders),
    onDonation: (alert) => {
      if (isFull(player.add(alert))) stream.hold();
    },
  });
  stream.open();
  // The preview shows a sample immediately, so that a change of the settings is visible.
  if (look.isPreview) box.show(sampleDonation(texts.sample));
}
