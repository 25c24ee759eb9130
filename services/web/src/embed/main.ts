import { readMessage } from './frame-message.ts';
import { Modal, type Notify } from './modal.ts';

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
  const modals = new Map<string, Modal>();
  // For `openPayment` of the client.
  Object.defineProperty(window, mark, {
    value: { open: (url: string, notify: Notify) => show(modals, url, notify) },
  });
  document.addEventListener('click', (event) => {
    const link = isPlainClick(event) ? paymentLink(event, origin) : undefined;
    if (link === undefined) return;
    event.preventDefault();
    showAt(modals, link);
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

function showAt(modals: Map<string, Modal>, link: HTMLAnchorElement): void {
  show(modals, link.href, (event, state) => {
    if (event === 'closed') link.focus();
    const at = link.isConnected ? link : document;
    at.dispatchEvent(new CustomEvent(`paywatch:${event}`, { bubbles: true, detail: state }));
  });
}

/** Shows the modal of a link; that of an open invoice is shown again. */
function show(modals: Map<string, Modal>, href: string, notify: Notify): void {
  const modal = modals.get(href) ?? new Modal(new URL(href));
  modals.set(href, modal);
  modal.show((event, state) => {
    if (event === 'closed' && !modal.isOpenInvoice) modals.delete(href);
    notify(event, state);
  });
}
