import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { fetchInvoice, parseInvoice } from './fetch-public.ts';
import { isFinalStatus } from './pay-stage.ts';

/** How well we hear of the invoice: lost means that what is shown may be old, heardAtMs when it was true (local clock). */
export type Connection = { readonly isLost: boolean; readonly heardAtMs: number };

/** What a follower is told. */
export type InvoiceListener = {
  /** `serverNowMs` is the server's clock where the answer told it. */
  onInvoice: (invoice: PublicInvoiceView, serverNowMs: number | null) => void;
  onConnection: (connection: Connection) => void;
};

/** How often is asked: while the stream speaks, only to notice that it was cut off without a word. */
const POLL_MS = { streaming: 60_000, alone: 5_000, failing: 10_000 };
const REOPEN_STREAM_MS = 30_000;

/**
 * Follows an invoice until it is stopped: by its stream, and by asking where streams do not get through. Nothing is
 * asked once the invoice is final; the stream stays open for what may come late, until the server ends it.
 */
export function followInvoice(known: PublicInvoiceView, listener: InvoiceListener): () => void {
  let latest = known;
  let heardAtMs = Date.now();
  let isStreaming = false;
  let isLost = false;
  let stream: EventSource | null = null;
  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;

  const tell = (lost: boolean) => {
    isLost = lost && !isFinalStatus(latest.status);
    listener.onConnection({ isLost, heardAtMs });
  };
  const hear = (invoice: PublicInvoiceView, serverNowMs: number | null) => {
    // Two ways bring news: what left earlier may arrive later, and must not turn the page back.
    if (invoice.version < latest.version) return;
    latest = invoice;
    heardAtMs = Date.now();
    listener.onInvoice(invoice, serverNowMs);
    tell(false);
  };

  const openStream = () => {
    stream = new EventSource(`/v1/public/invoices/${latest.public_id}/events`);
    stream.addEventListener('status', (message: MessageEvent<string>) => {
      isStreaming = true;
      hear(parseInvoice(message.data), null);
      planPoll();
    });
    stream.addEventListener('error', () => {
      isStreaming = false;
      if (stream?.readyState === EventSource.CLOSED) planReopening();
      void poll();
    });
  };
  const closeStream = () => {
    stream?.close();
    stream = null;
    isStreaming = false;
  };
  // A browser gives up for good after an answer that is no stream. After an outcome that is what the server means by it.
  const planReopening = () => {
    closeStream();
    clearTimeout(reopenTimer);
    if (!isFinalStatus(latest.status)) reopenTimer = setTimeout(openStream, REOPEN_STREAM_MS);
  };

  const poll = async () => {
    clearTimeout(pollTimer);
    if (isFinalStatus(latest.status)) return;
    const version = latest.version;
    const answer = await fetchInvoice(latest.public_id);
    if (isStopped) return;
    if (answer.kind === 'invoice') {
      // The stream was silent about a change: it is held up somewhere on its way, so it is opened anew.
      if (isStreaming && latest.version === version && answer.invoice.version > version) planReopening();
      hear(answer.invoice, answer.serverNowMs);
    } else if (!isStreaming) tell(true);
    planPoll();
  };
  const planPoll = () => {
    clearTimeout(pollTimer);
    if (isFinalStatus(latest.status)) return;
    const delayMs = isStreaming ? POLL_MS.streaming : isLost ? POLL_MS.failing : POLL_MS.alone;
    pollTimer = setTimeout(() => void poll(), delayMs * (1 + Math.random() / 5));
  };
  // Phones stop pages in the background: what is shown on return must be of now.
  const onReturn = () => {
    if (document.visibilityState === 'visible') void poll();
  };

  let isStopped = false;
  openStream();
  planPoll();
  document.addEventListener('visibilitychange', onReturn);
  window.addEventListener('online', onReturn);
  return () => {
    isStopped = true;
    closeStream();
    clearTimeout(pollTimer);
    clearTimeout(reopenTimer);
    document.removeEventListener('visibilitychange', onReturn);
    window.removeEventListener('online', onReturn);
  };
}
