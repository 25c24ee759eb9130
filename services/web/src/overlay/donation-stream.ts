import type { OverlayControl, OverlayDonation, OverlaySettings } from '@paywatch/domain/contract';
import type { QueuedAlert } from './alerts/alert-queue.ts';
import { fetchStreamPosition } from './fetch-stream-position.ts';

const FIRST_RETRY_MS = 3_000;
const LAST_RETRY_MS = 60_000;

type StreamHandlers = {
  onDonation: (alert: QueuedAlert) => void;
  /** Called before the first donation, and after every change in the account. */
  onSettings: (settings: OverlaySettings) => void;
  /** Called before the first donation, and after everything that moderators do. */
  onControl?: (orders: OverlayControl) => void;
  /** Called with the start position of an overlay that has none: donations after it have to be shown. */
  onStart: (position: string) => void;
};

/** The stream of confirmed donations. It reconnects without limit, since OBS may run for weeks. */
export class DonationStream {
  readonly #path: string;
  readonly #handlers: StreamHandlers;
  #source: EventSource | null = null;
  #position: string | null;
  #retryMs = FIRST_RETRY_MS;
  #isHeld = false;

  /** `position` is that of the last known donation; null starts with the next donation. */
  constructor(token: string, position: string | null, handlers: StreamHandlers) {
    this.#path = `/v1/public/overlay/${encodeURIComponent(token)}/events`;
    this.#position = position;
    this.#handlers = handlers;
  }

  /** Whether donations are ignored until the stream is opened again. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Connects and resumes after the last received donation. */
  open(): void {
    this.#source?.close();
    this.#source = null;
    this.#isHeld = false;
    if (this.#position === null) void this.#start();
    else this.#connect(this.#position);
  }

  /** Ignores donations and keeps the position. Settings and what moderators do still arrive. */
  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Fetches the start position first. EventSource exposes no position before its first message, so donations that
   * arrive while a connection is refused would be missed.
   */
  async #start(): Promise<void> {
    this.#position = await fetchStreamPosition(this.#path);
    if (this.#position === null) return this.#retry(() => this.open());
    this.#handlers.onStart(this.#position);
    this.open();
  }

  #connect(position: string): void {
    const source = new EventSource(
      `${this.#path}?include=settings&last_event_id=${encodeURIComponent(position)}`,
    );
    source.addEventListener('open', () => (this.#retryMs = FIRST_RETRY_MS));
    source.addEventListener('donation', (message: MessageEvent<string>) => this.#receive(source, message));
    source.addEventListener('settings', ({ data }: MessageEvent<string>) =>
      this.#handlers.onSettings(JSON.parse(data)),
    );
    source.addEventListener('control', ({ data }: MessageEvent<string>) =>
      this.#handlers.onControl?.(JSON.parse(data)),
    );
    source.addEventListener('error', () => this.#onError(source));
    this.#source = source;
  }

  #receive(source: EventSource, { data, lastEventId }: MessageEvent<string>): void {
    // A closed stream may still deliver a message; the next stream sends it again.
    if (source !== this.#source || this.#isHeld || lastEventId === this.#position) return;
    this.#position = lastEventId;
    const donation: unknown = JSON.parse(data);
    if (isDonation(donation)) this.#handlers.onDonation({ id: lastEventId, donation });
  }

  /** EventSource reconnects by itself, except after an error response such as 429 or a balancer's 503. */
  #onError(source: EventSource): void {
    if (source !== this.#source || source.readyState !== EventSource.CLOSED) return;
    this.#retry(() => source === this.#source && this.open());
  }

  #retry(connect: () => void): void {
    setTimeout(connect, this.#retryMs * (1 + Math.random() / 5));
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
  }
}

/** Checks only what the alert would fail on; the API's tests cover the rest of the schema. */
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
