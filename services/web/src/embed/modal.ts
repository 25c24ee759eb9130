import { EMBED_STYLE } from './embed-style.ts';
import { embedTexts } from './embed-texts.ts';
import type { FrameMessage } from './frame-message.ts';

/** What the site learns; `null` before an invoice exists. */
type ModalState = { readonly publicId: string | null; readonly status: string | null };
type ModalEvent = 'opened' | 'status' | 'paid' | 'closed';
export type Notify = (event: ModalEvent, state: ModalState) => void;

/** A dialog with a payment page. While its invoice is open, closing only hides it: opening it again shows the same invoice. */
export class Modal {
  readonly #host = document.createElement('div');
  readonly #dialog = document.createElement('dialog');
  readonly #frame = document.createElement('iframe');
  readonly #link = document.createElement('a');
  #notify: Notify = () => undefined;
  #state: ModalState = { publicId: null, status: null };
  #overflow = '';

  constructor(url: URL) {
    const texts = embedTexts(url, navigator.language);
    const root = this.#host.attachShadow({ mode: 'open' });
    const style = new CSSStyleSheet();
    style.replaceSync(EMBED_STYLE);
    root.adoptedStyleSheets = [style];
    this.#dialog.setAttribute('aria-label', texts.title);
    Object.assign(this.#frame, { src: url.href, title: texts.title, allow: 'clipboard-write' });
    this.#dialog.append(this.#header(url, texts), this.#frame);
    this.#dialog.addEventListener('close', () => this.#onClose());
    // The dialog has no padding: a click whose target is the dialog itself hit the backdrop.
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
    root.append(this.#dialog);
  }

  /** Whether the modal holds an invoice that may still be paid. */
  get isOpenInvoice(): boolean {
    return this.#state.status === 'new' || this.#state.status === 'pending';
  }

  /** Whether a message came from the framed page. */
  sent(source: MessageEventSource | null): boolean {
    return source !== null && source === this.#frame.contentWindow;
  }

  /** `notify` learns what happens from now on. */
  show(notify: Notify): void {
    if (this.#dialog.open) return;
    this.#notify = notify;
    if (!this.#host.isConnected) document.body.append(this.#host);
    const { style } = document.documentElement;
    this.#overflow = style.overflow;
    style.overflow = 'hidden';
    this.#dialog.showModal();
    this.#notify('opened', this.#state);
  }

  receive(message: FrameMessage): void {
    if (message.type === 'paywatch:close') this.#dialog.close();
    if (!('status' in message)) return;
    this.#state = { publicId: message.public_id, status: message.status };
    // A second tab must not buy again.
    this.#link.pathname = `/pay/${encodeURIComponent(message.public_id)}`;
    this.#notify(message.type === 'paywatch:paid' ? 'paid' : 'status', this.#state);
  }

  /** The link works where the site is not listed, so that the browser refuses to show the page here. */
  #header(url: URL, texts: ReturnType<typeof embedTexts>): HTMLElement {
    const header = document.createElement('header');
    Object.assign(this.#link, { href: url.href, target: '_blank', rel: 'noopener', textContent: texts.open });
    const close = document.createElement('button');
    Object.assign(close, { type: 'button', textContent: '×', ariaLabel: texts.close });
    close.addEventListener('click', () => this.#dialog.close());
    header.append(this.#link, close);
    return header;
  }

  #onClose(): void {
    document.documentElement.style.overflow = this.#overflow;
    if (!this.isOpenInvoice) this.#host.remove();
    this.#notify('closed', this.#state);
  }
}
