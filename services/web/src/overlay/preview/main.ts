import '../overlay.css';
import { pageLanguage, pageRoot } from '../../ui/page-data.ts';
import { AlertBox } from '../alerts/alert-box.ts';
import { OVERLAY_TEXTS } from '../overlay-texts.ts';
import { overlayLook } from '../settings.ts';
import type { PreviewedAlert } from './previewed-alert.ts';

// An alert that the donation page around this frame previews: in the overlay's own box, in the middle, without sound.
const query = new URLSearchParams('position=center');
const stage = pageRoot();
const box = new AlertBox(stage, overlayLook(query), OVERLAY_TEXTS[pageLanguage()]);

addEventListener('message', ({ origin, source, data }: MessageEvent<PreviewedAlert | null>) => {
  // Only the page of this host around the frame, and only its alerts: anybody may send messages to a window.
  if (origin !== location.origin || source !== parent || !data?.donation) return;
  box.apply(overlayLook(query, data.settings));
  box.show(data.donation);
  // As the donor typed it, which may be without an amount.
  stage.querySelector('.alert__amount')?.replaceChildren(data.amountText);
});
parent.postMessage('ready', location.origin);
