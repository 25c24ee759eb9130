import type { OverlayDonation } from '@paywatch/domain/contract';
import type { QueuedAlert } from './alert-queue.ts';

const FIRST_RETRY_MS = 3_000;
const LAST_RETRY_MS = 60_000;

/** The stream of confirmed donations, for as long as OBS runs. */
export class DonationStream {
  readonly #token: string;
  readonly #onDonation: (alert: QueuedAlert) => void;
  #source: EventSource | null = null;
  #position: string | null;
  #retryMs = FIRST_RETRY_MS;

  /** `position` is that of the last donation that is known; null begins with what comes next. */
  constructor(token: string, position: string | null, onDonation: (alert: QueuedAlert) => void) {
    this.#token = token;
    this.#position = position;
    this.#onDonation = onDonation;
  }

  get isOpen(): boolean {
    return this.#source !== null;
  }

  /** Connects, from after the last donation that was received. */
  open(): void {
    this.close();
    const after = this.#position === null ? '' : `?last_event_id=${encodeURIComponent(this.#position)}`;
    const source = new EventSource(`/v1/public/overlay/${encodeURIComponent(this.#token)}/events${after}`);
    source.addEventListener('open', () => (this.#retryMs = FIRST_RETRY_MS));
    source.addEventListener('donation', (message: MessageEvent<string>) => this.#receive(source, message));
    source.addEventListener('error', () => this.#onError(source));
    this.#source = source;
  }

  /** Lets go of the stream; the position stays. */
  close(): void {
    this.#source?.close();
    this.#source = null;
  }

  #receive(source: EventSource, { data, lastEventId }: MessageEvent<string>): void {
    // What a stream that was closed had under way is sent again by the next one.
    if (source !== this.#source || lastEventId === this.#position) return;
    this.#position = lastEventId;
    const donation: unknown = JSON.parse(data);
    if (isDonation(donation)) this.#onDonation({ id: lastEventId, donation });
  }

  /** A browser reconnects by itself, but gives up for good after an answer that is no stream: a limit, or a balancer's 503. */
  #onError(source: EventSource): void {
    if (source !== this.#source || source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => source === this.#source && this.open(), this.#retryMs * (1 + Math.random() / 5));
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
  }
}

/** Enough to show it without a fault; that it follows the contract is the server's promise. */
function isDonation(value: unknown): value is OverlayDonation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'amount' in value &&
    typeof value.amount === 'string' &&
    /^\d+$/.test(value.amount) &&
    'currency' in value &&
    (value.currency === 'BTC' || value.currency === 'LTC')
  );
}
