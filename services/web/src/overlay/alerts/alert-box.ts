import type { OverlayDonation } from '@paywatch/domain/contract';
import { IMAGE_URLS, loadTemplate, uploadUrl } from './alert-assets.ts';
import { alertStyle } from './alert-style.ts';
import { amountText } from './amount-text.ts';
import type { OVERLAY_TEXTS } from '../overlay-texts.ts';
import type { Language } from '../../ui/language.ts';
import type { AlertStyle, OverlayLook } from '../settings.ts';

type OverlayTexts = (typeof OVERLAY_TEXTS)[Language];

/** The alert element of the page. It is created once and reused, so that the DOM does not grow with each alert. */
export class AlertBox {
  readonly #box = element('div', 'alert');
  readonly #badge = element('span', 'alert__test');
  readonly #image = element('img', 'alert__image');
  readonly #head = element('p', 'alert__head');
  readonly #name = element('bdi', 'alert__name');
  readonly #amount = element('bdi', 'alert__amount');
  readonly #message = element('p', 'alert__message');
  readonly #stage: HTMLElement;
  readonly #texts: OverlayTexts;
  #look: OverlayLook;
  #shown: OverlayDonation | null = null;

  constructor(stage: HTMLElement, look: OverlayLook, texts: OverlayTexts) {
    this.#stage = stage;
    this.#look = look;
    this.#texts = texts;
    const text = element('div', 'alert__text');
    text.append(this.#head, this.#message);
    this.#box.append(this.#badge, this.#image, text);
    this.#box.dataset['testid'] = 'alert';
    this.#image.alt = '';
    // An upload that cannot be loaded, or not be decoded.
    this.#image.addEventListener('error', () => this.#draw(IMAGE_URLS[this.#style().image]));
    this.#amount.dir = 'ltr';
    this.#message.dir = 'auto';
    this.#badge.textContent = texts.test;
    stage.replaceChildren(this.#box);
    addEventListener('resize', () => this.#fit());
    this.hide();
    this.apply(look);
  }

  /** Changes the look, also of an alert that is shown. */
  apply(look: OverlayLook): void {
    const { theme, position, sentence, isMessageShown } = look;
    this.#look = look;
    Object.assign(this.#stage.dataset, { theme, position });
    this.#stage.classList.toggle('without-message', !isMessageShown);
    const parts = { '{name}': this.#name, '{amount}': this.#amount };
    this.#head.replaceChildren(
      ...sentence.split(/(\{name\}|\{amount\})/).map((part) => parts[part as keyof typeof parts] ?? part),
    );
    for (const { template, imageUpload } of [look, ...look.tiers]) {
      loadTemplate(template, () => this.#fit());
      // Before the first alert that shows it, since it may be large.
      new Image().src = uploadUrl(imageUpload) ?? '';
    }
    this.#dress();
  }

  /** Uses textContent only: donors choose these texts. */
  show(donation: OverlayDonation): void {
    const { donor_name: name, donor_message: message, currency, test } = donation;
    this.#shown = donation;
    this.#name.textContent = name ?? this.#texts.anonymous;
    this.#message.textContent = message ?? '';
    this.#message.hidden = message === null;
    this.#badge.hidden = !test;
    this.#box.dataset['currency'] = currency;
    this.#dress();
    this.#box.dataset['shown'] = 'true';
  }

  /** That of the tier of the shown donation. */
  #style(): AlertStyle {
    return this.#shown === null ? this.#look : alertStyle(this.#look, this.#shown);
  }

  #dress(): void {
    const { template, image, imageUpload } = this.#style();
    this.#stage.dataset['template'] = template;
    if (this.#shown !== null)
      this.#amount.textContent = amountText(this.#shown, this.#look.amounts, document.documentElement.lang);
    this.#draw(uploadUrl(imageUpload) ?? IMAGE_URLS[image]);
    this.#fit();
  }

  /** Does not set the same picture again: one that cannot be loaded would be tried forever. */
  #draw(url = ''): void {
    this.#image.hidden = url === '';
    if (this.#image.getAttribute('src') !== url) this.#image.src = url;
  }

  /** Chooses the largest text with which the whole alert is inside the browser source. */
  #fit(): void {
    for (const size of innerWidth < LARGE_PX ? SIZES : [LARGEST, ...SIZES]) {
      this.#box.style.setProperty('--size', String(size));
      // The padding of the box would hide an amount that is a little too long.
      const isHeadWhole = this.#head.scrollWidth <= this.#head.clientWidth;
      if (isHeadWhole && isInside(this.#box, this.#stage)) return;
    }
  }

  hide(): void {
    this.#shown = null;
    this.#box.dataset['shown'] = 'false';
  }
}

/** A browser source of this width covers a whole scene, where the usual text would be small. */
const LARGE_PX = 1600;
const LARGEST = 1.75;
/** The sizes of the text as factors, largest first. */
const SIZES = [1, 0.8, 0.6, 0.42];

/** Whether a child is inside its parent. Offsets ignore the transform with which an alert enters. */
function isInside(
  { offsetTop, offsetHeight, scrollWidth, clientWidth }: HTMLElement,
  parent: HTMLElement,
): boolean {
  return offsetTop >= 0 && offsetTop + offsetHeight <= parent.clientHeight && scrollWidth <= clientWidth;
}

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), { className });
}
