import type { OverlayDonation } from '@paywatch/domain/contract';
import type { QueuedAlert } from './alert-queue.ts';
import { fetchStreamPosition } from './fetch-stream-position.ts';

const FIRST_RETRY_MS = 3_000;
const LAST_RETRY_MS = 60_000;

type Hears = {
  onDonation: (alert: QueuedAlert) => void;
  /** Where a stream without a position has begun: donations from here on are its own, shown or not. */
  onBegin: (position: string) => void;
};

/** The stream of confirmed donations, for as long as OBS runs. */
export class DonationStream {
  readonly #path: string;
  readonly #hears: Hears;
  #source: EventSource | null = null;
  #position: string | null;
  #retryMs = FIRST_RETRY_MS;

  /** `position` is that of the last donation that is known; null begins with what comes next. */
  constructor(token: string, position: string | null, hears: Hears) {
    this.#path = `/v1/public/overlay/${encodeURIComponent(token)}/events`;
    this.#position = position;
    this.#hears = hears;
  }

  get isOpen(): boolean {
    return this.#source !== null;
  }

  /** Connects, from after the last donation that was received. */
  open(): void {
    this.close();
    if (this.#position === null) void this.#begin();
    else this.#connect(this.#position);
  }

  /** Lets go of the stream; the position stays. */
  close(): void {
    this.#source?.close();
    this.#source = null;
  }

  /** An EventSource tells no position before its first message: what came while it was refused would be missed. */
  async #begin(): Promise<void> {
    this.#position = await fetchStreamPosition(this.#path);
    if (this.#position === null) return this.#later(() => this.open());
    this.#hears.onBegin(this.#position);
    this.open();
  }

  #connect(position: string): void {
    const source = new EventSource(`${this.#path}?last_event_id=${encodeURIComponent(position)}`);
    source.addEventListener('open', () => (this.#retryMs = FIRST_RETRY_MS));
    source.addEventListener('donation', (message: MessageEvent<string>) => this.#receive(source, message));
    source.addEventListener('error', () => this.#onError(source));
    this.#source = source;
  }

  #receive(source: EventSource, { data, lastEventId }: MessageEvent<string>): void {
    // What a stream that was closed had under way is sent again by the next one.
    if (source !== this.#source || lastEventId === this.#position) return;
    this.#position = lastEventId;
    const donation: unknown = JSON.parse(data);
    if (isDonation(donation)) this.#hears.onDonation({ id: lastEventId, donation });
  }

  /** A browser reconnects by itself, but gives up for good after an answer that is no stream: a limit, or a balancer's 503. */
  #onError(source: EventSource): void {
    if (source !== this.#source || source.readyState !== EventSource.CLOSED) return;
    this.#later(() => source === this.#source && this.open());
  }

  #later(retry: () => void): void {
    setTimeout(retry, this.#retryMs * (1 + Math.random() / 5));
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
