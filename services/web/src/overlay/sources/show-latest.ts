import type { OverlayDonation } from '@paywatch/domain/contract';
import { coinText } from '../../money/amounts.ts';
import { addLatest } from './latest-donations.ts';
import { followLatest } from './latest-stream.ts';
import { overlayLook } from '../settings.ts';
import type { SourceTexts } from './source-texts.ts';

/** Shows the newest donations, as a list or as a ticker. */
export function showLatest(
  stage: HTMLElement,
  token: string,
  query: URLSearchParams,
  texts: SourceTexts,
): void {
  let look = overlayLook(query);
  let latest: readonly OverlayDonation[] = [];
  let isDrawn = true;
  // Once a frame: a resumed stream may bring many donations at once.
  const redraw = () => {
    if (isDrawn) requestAnimationFrame(draw);
    isDrawn = false;
  };
  const draw = () => {
    isDrawn = true;
    const { theme, position } = look;
    Object.assign(stage.dataset, { theme, position, source: query.get('source') });
    const list = latestList(latest, texts.anonymous);
    // The copy lets the ticker run without a gap.
    const copy = list.cloneNode(true);
    stage.replaceChildren(list, copy);
    stage.hidden = latest.length === 0;
  };
  followLatest(token, query, {
    onSettings: (settings) => {
      look = overlayLook(query, settings);
      redraw();
    },
    onDonation: (donation) => {
      latest = addLatest(latest, donation, look);
      redraw();
    },
  });
}

/** Uses textContent only: donors choose these texts. */
function latestList(latest: readonly OverlayDonation[], anonymous: string): HTMLElement {
  const list = document.createElement('ul');
  list.className = 'latest';
  for (const { donor_name: name, amount, currency } of latest) {
    const row = document.createElement('li');
    const [donor, coins] = [document.createElement('bdi'), document.createElement('b')];
    donor.textContent = name ?? anonymous;
    coins.textContent = coinText(amount, currency);
    coins.dir = 'ltr';
    row.dataset['currency'] = currency;
    row.append(donor, ' ', coins);
    list.append(row);
  }
  return list;
}
