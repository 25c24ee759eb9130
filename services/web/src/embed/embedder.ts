import type { PublicInvoiceView } from '@paywatch/domain/contract';
import type { FrameMessage } from './frame-message.ts';

/** The page that frames this document. It gets the public id and the status of an invoice, which are no secrets, and nothing else. */
export type Embedder = {
  /** Reports a changed status. */
  report(invoice: Pick<PublicInvoiceView, 'public_id' | 'status' | 'reversed'>): void;
};

/** Starts talking to the framing page. Messages go to the given origins only; the browser drops those for others. */
export function openEmbedder(sites: readonly string[]): Embedder {
  // Firefox and some privacy settings hide the origin of the framing page.
  const [framing = ''] = location.ancestorOrigins ?? [];
  const targets = sites.includes(framing) ? [framing] : sites;
  const send = (message: FrameMessage) => {
    for (const target of targets) parent.postMessage(message, target);
  };
  closeOnEscape(send);
  send({ type: 'paywatch:ready' });
  return { report: reporter(send) };
}

/** The framing page does not see keys that are pressed in here. */
function closeOnEscape(send: (message: FrameMessage) => void): void {
  addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) send({ type: 'paywatch:close' });
  });
}

function reporter(send: (message: FrameMessage) => void): Embedder['report'] {
  let last = '';
  return ({ public_id, status, reversed }) => {
    const isPaid = status === 'confirmed' && !reversed;
    const state = `${public_id} ${status} ${isPaid}`;
    if (state === last) return;
    last = state;
    send({ type: 'paywatch:status', public_id, status });
    if (isPaid) send({ type: 'paywatch:paid', public_id, status });
  };
}
