import type { OverlayDonation } from '@paywatch/domain/contract';
import { coinText } from '../money/amounts.ts';
import type { OVERLAY_TEXTS } from './overlay-texts.ts';
import type { Language } from '../ui/language.ts';
import type { OverlayLook } from './settings.ts';

type OverlayTexts = (typeof OVERLAY_TEXTS)[Language];

/** The alert element of the page. It is created once and reused, so that the DOM does not grow with each alert. */
export class AlertBox {
  readonly #box = element('div', 'alert');
  readonly #badge = element('span', 'alert__test');
  readonly #name = element('bdi', 'alert__name');
  readonly #amount = element('bdi', 'alert__amount');
  readonly #message = element('p', 'alert__message');
  readonly #stage: HTMLElement;
  readonly #texts: OverlayTexts;

  constructor(stage: HTMLElement, texts: OverlayTexts) {
    this.#stage = stage;
    this.#texts = texts;
    const head = element('p', 'alert__head');
    head.append(this.#name, ' ', this.#amount);
    this.#box.append(this.#badge, head, this.#message);
    this.#box.dataset['testid'] = 'alert';
    this.#amount.dir = 'ltr';
    this.#message.dir = 'auto';
    this.#badge.textContent = texts.test;
    stage.replaceChildren(this.#box);
    this.hide();
  }

  /** Changes the look, also of an alert that is shown. */
  apply({ template, theme, position, isMessageShown }: OverlayLook): void {
    Object.assign(this.#stage.dataset, { template, theme, position });
    this.#stage.classList.toggle('without-message', !isMessageShown);
    this.#fit();
  }

  /** Uses textContent only: donors choose these texts. */
  show({ donor_name: name, donor_message: message, amount, currency, test }: OverlayDonation): void {
    this.#name.textContent = name ?? this.#texts.anonymous;
    this.#amount.textContent = coinText(amount, currency);
    this.#message.textContent = message ?? '';
    this.#message.hidden = message === null;
    this.#badge.hidden = !test;
    this.#box.dataset['currency'] = currency;
    this.#fit();
    this.#box.dataset['shown'] = 'true';
  }

  /** Chooses the largest text with which the whole alert is inside the browser source. */
  #fit(): void {
    for (const size of SIZES) {
      this.#box.style.setProperty('--size', String(size));
      if (isInside(this.#box, this.#stage)) return;
    }
  }

  hide(): void {
    this.#box.dataset['shown'] = 'false';
  }
}

/** The sizes of the text as factors, largest first. */
const SIZES = [1, 0.8, 0.6, 0.42];

/** Whether a child is inside its parent. Offsets ignore the transform with which an alert enters. */
function isInside(
  { offsetTop, offsetHeight, scrollWidth, clientWidth }: HTMLElement,
  parent: HTMLElement,
): boolean {
  return offsetTop >= 0 && offsetTop + offsetHeight <= parent.clientHeight && scrollWidth <= clientWidth;
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  return made;
}
