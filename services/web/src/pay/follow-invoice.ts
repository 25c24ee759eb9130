import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { fetchInvoice, parseInvoice } from './fetch-public.ts';
import { isFinalStatus } from './pay-stage.ts';

/** How well we hear of the invoice: lost means that what is shown may be old, updatedAtMs when it was true (local clock). */
export type Connection = { readonly isLost: boolean; readonly updatedAtMs: number };

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
 * Returns what stops it.
 */
export function followInvoice(known: PublicInvoiceView, listener: InvoiceListener): () => void {
  const follower = new Follower(known, listener);
  follower.start();
  return () => follower.stop();
}

class Follower {
  readonly #listener: InvoiceListener;
  readonly #stopped = new AbortController();
  #latest: PublicInvoiceView;
  #updatedAtMs = Date.now();
  /** The stream has spoken since it was last cut off. */
  #isStreaming = false;
  #isLost = false;
  #stream: EventSource | null = null;
  #pollTimer: Timer;
  #reopenTimer: Timer;

  constructor(known: PublicInvoiceView, listener: InvoiceListener) {
    this.#latest = known;
    this.#listener = listener;
  }

  start(): void {
    const { signal } = this.#stopped;
    // Phones stop pages in the background: what is shown on return must be of now.
    const onReturn = () => {
      if (document.visibilityState === 'visible') void this.#poll();
    };
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('online', onReturn, { signal });
    // A stream may take minutes to notice.
    window.addEventListener('offline', () => this.#onStreamError(), { signal });
    this.#openStream();
    this.#planPoll();
  }

  stop(): void {
    this.#stopped.abort();
    this.#closeStream();
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#reopenTimer);
  }

  get #isFinal(): boolean {
    return isFinalStatus(this.#latest.status);
  }

  #openStream(): void {
    this.#stream = new EventSource(`/v1/public/invoices/${this.#latest.public_id}/events`);
    this.#stream.addEventListener('status', (message: MessageEvent<string>) => {
      this.#isStreaming = true;
      this.#hear(parseInvoice(message.data), null);
      this.#planPoll();
    });
    this.#stream.addEventListener('error', () => this.#onStreamError());
  }

  #onStreamError(): void {
    this.#isStreaming = false;
    if (this.#stream?.readyState === EventSource.CLOSED) this.#reopenLater();
    void this.#poll();
  }

  /** A browser gives up for good after an answer that is no stream. After an outcome that is what the server means by it. */
  #reopenLater(): void {
    this.#closeStream();
    clearTimeout(this.#reopenTimer);
    if (!this.#isFinal) this.#reopenTimer = setTimeout(() => this.#openStream(), REOPEN_STREAM_MS);
  }

  #closeStream(): void {
    this.#stream?.close();
    this.#stream = null;
    this.#isStreaming = false;
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#pollTimer);
    if (this.#isFinal) return;
    const { version, public_id: publicId } = this.#latest;
    const answer = await fetchInvoice(publicId);
    if (this.#stopped.signal.aborted) return;
    if (answer.kind !== 'invoice') this.#tell(!this.#isStreaming);
    else {
      // The stream was silent about a change: it is held up somewhere on its way, so it is opened anew.
      const isHeldUp = this.#latest.version === version && answer.invoice.version > version;
      if (this.#isStreaming && isHeldUp) this.#reopenLater();
      this.#hear(answer.invoice, answer.serverNowMs);
    }
    this.#planPoll();
  }

  #planPoll(): void {
    clearTimeout(this.#pollTimer);
    if (this.#isFinal) return;
    const delayMs = this.#isStreaming ? POLL_MS.streaming : this.#isLost ? POLL_MS.failing : POLL_MS.alone;
    this.#pollTimer = setTimeout(() => void this.#poll(), delayMs * (1 + Math.random() / 5));
  }

  #hear(invoice: PublicInvoiceView, serverNowMs: number | null): void {
    // Two ways bring news: what left earlier may arrive later, and must not turn the page back.
    if (invoice.version < this.#latest.version) return;
    this.#latest = invoice;
    this.#updatedAtMs = Date.now();
    this.#listener.onInvoice(invoice, serverNowMs);
    this.#tell(false);
  }

  #tell(isLost: boolean): void {
    this.#isLost = isLost && !this.#isFinal;
    this.#listener.onConnection({ isLost: this.#isLost, updatedAtMs: this.#updatedAtMs });
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;
