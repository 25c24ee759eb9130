import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { fetchInvoice, parseInvoice } from './fetch-public.ts';
import { isFinalStatus } from './pay-stage.ts';

/** Whether the shown invoice may be stale, and when it was last updated (local clock). */
export type Connection = { readonly isLost: boolean; readonly updatedAtMs: number };

/** Receives updates of an invoice. */
export type InvoiceListener = {
  /** `serverNowMs` is the server's clock, null for updates from the stream. */
  onInvoice: (invoice: PublicInvoiceView, serverNowMs: number | null) => void;
  onConnection: (connection: Connection) => void;
};

/** Poll intervals. While the stream works, polling only detects a stream that died silently. */
const POLL_MS = { streaming: 60_000, polling: 5_000, failing: 10_000 };
const REOPEN_STREAM_MS = 30_000;

/**
 * Follows an invoice by its event stream, and by polling where streams are blocked. Polling ends when the invoice is
 * final; the stream stays open for late payments until the server ends it. Returns a function that stops following.
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
  /** The stream has delivered a message since its last error. */
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
    // Phones suspend background pages: update immediately when the payer returns.
    const onVisible = () => {
      if (document.visibilityState === 'visible') void this.#poll();
    };
    document.addEventListener('visibilitychange', onVisible, { signal });
    window.addEventListener('online', onVisible, { signal });
    // EventSource may take minutes to notice that the network is gone.
    window.addEventListener('offline', () => this.#onStreamError(), { signal });
    this.#openStream();
    this.#schedulePoll();
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
      this.#apply(parseInvoice(message.data), null);
      this.#schedulePoll();
    });
    this.#stream.addEventListener('error', () => this.#onStreamError());
  }

  #onStreamError(): void {
    this.#isStreaming = false;
    if (this.#stream?.readyState === EventSource.CLOSED) this.#reopenLater();
    void this.#poll();
  }

  /** EventSource does not reconnect after an error response. For a final invoice the server ends the stream on purpose. */
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
    if (answer.kind !== 'invoice') this.#reportConnection(!this.#isStreaming);
    else {
      // Polling found a version that the stream has not delivered: a proxy may be buffering it, so reopen it.
      const isStreamStale = this.#latest.version === version && answer.invoice.version > version;
      if (this.#isStreaming && isStreamStale) this.#reopenLater();
      this.#apply(answer.invoice, answer.serverNowMs);
    }
    this.#schedulePoll();
  }

  #schedulePoll(): void {
    clearTimeout(this.#pollTimer);
    if (this.#isFinal) return;
    const delayMs = this.#isStreaming ? POLL_MS.streaming : this.#isLost ? POLL_MS.failing : POLL_MS.polling;
    this.#pollTimer = setTimeout(() => void this.#poll(), delayMs * (1 + Math.random() / 5));
  }

  #apply(invoice: PublicInvoiceView, serverNowMs: number | null): void {
    // Stream and polling race: an older version that arrives later must not replace a newer one.
    if (invoice.version < this.#latest.version) return;
    this.#latest = invoice;
    this.#updatedAtMs = Date.now();
    this.#listener.onInvoice(invoice, serverNowMs);
    this.#reportConnection(false);
  }

  #reportConnection(isLost: boolean): void {
    this.#isLost = isLost && !this.#isFinal;
    this.#listener.onConnection({ isLost: this.#isLost, updatedAtMs: this.#updatedAtMs });
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;
