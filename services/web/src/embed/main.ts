import { readMessage } from './frame-message.ts';
import { Modal, type ModalEvent, type ModalState } from './modal.ts';

/*
 * The script of the payment button: links with `data-paywatch` open in a modal. Without it, or where the browser is too old, they stay
 * ordinary links. The site learns what happens by events at the link; see docs/guides/sell-without-code.md.
 */

const script = document.currentScript;
// A classic script has an address. Links to another deployment stay links: messages are taken from this origin only.
if (script instanceof HTMLScriptElement && script.src !== '' && 'adoptedStyleSheets' in document)
  start(new URL(script.src).origin);

function start(origin: string): void {
  const mark = Symbol.for(`paywatch ${origin}`);
  // A second copy would open a second modal.
  if (mark in window) return;
  Object.defineProperty(window, mark, { value: true });
  const modals = new Map<string, Modal>();
  document.addEventListener('click', (event) => {
    const link = isPlainClick(event) ? paymentLink(event, origin) : undefined;
    if (link === undefined) return;
    event.preventDefault();
    show(modals, link);
  });
  addEventListener('message', (event) => {
    if (event.origin !== origin) return;
    const message = readMessage(event.data);
    const modal = [...modals.values()].find((shown) => shown.sent(event.source));
    if (message !== null) modal?.receive(message);
  });
}

/** Whether a click asks for nothing else than to follow the link: no new tab, no download, not handled by the site. */
function isPlainClick(event: MouseEvent): boolean {
  const { button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event;
  return button === 0 && !(defaultPrevented || metaKey || ctrlKey || shiftKey || altKey);
}

function paymentLink(event: MouseEvent, origin: string): HTMLAnchorElement | undefined {
  return event
    .composedPath()
    .find(
      (element): element is HTMLAnchorElement =>
        element instanceof HTMLAnchorElement &&
        'paywatch' in element.dataset &&
        element.origin === origin &&
        /^\/(l|pay)\//.test(element.pathname),
    );
}

function show(modals: Map<string, Modal>, link: HTMLAnchorElement): void {
  const { href } = link;
  const modal = modals.get(href) ?? new Modal(new URL(href), notify);
  modals.set(href, modal);
  modal.show();

  function notify(event: ModalEvent, state: ModalState): void {
    if (event === 'closed') {
      if (!modal.isOpenInvoice) modals.delete(href);
      link.focus();
    }
    const at = link.isConnected ? link : document;
    at.dispatchEvent(new CustomEvent(`paywatch:${event}`, { bubbles: true, detail: state }));
  }
}
