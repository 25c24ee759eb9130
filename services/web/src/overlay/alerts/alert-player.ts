import type { OverlaySettings } from '@paywatch/domain/contract';
import type { AlertBox } from './alert-box.ts';
import { enqueue, takeNext, type AlertQueue, type QueuedAlert } from './alert-queue.ts';
import { alertStyle } from './alert-style.ts';
import { isCleared, isSkipped, lastReplay, newReplays, type Orders } from './orders.ts';
import type { PositionStore } from './position-store.ts';
import { overlayLook, type OverlayLook } from '../settings.ts';
import { createPlayer } from './sounds.ts';
import { speak, stopSpeech } from './speech.ts';

/** The pause between two alerts. */
const PAUSE_MS = 500;

type Options = {
  box: AlertBox;
  query: URLSearchParams;
  positions: PositionStore;
  /** Called after alerts were taken from the queue or dropped. */
  onShorter: (queue: AlertQueue) => void;
};

/** Shows queued alerts one at a time, as the account has set it and moderators want it. */
export class AlertPlayer {
  readonly #options: Options;
  readonly #sounds = createPlayer();
  #look: OverlayLook;
  #orders: Orders = null;
  #queue: AlertQueue = [];
  #shown: QueuedAlert | null = null;
  #shownAtMs = 0;
  /** Set while an alert is shown, and during the pause after it. */
  #timer: number | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#look = overlayLook(options.query);
  }

  /** Returns the queue with the alert. */
  add(alert: QueuedAlert): AlertQueue {
    if (!isCleared(alert, this.#orders)) this.#queue = enqueue(this.#queue, alert);
    this.#showNext();
    return this.#queue;
  }

  apply(settings: OverlaySettings): void {
    this.#look = overlayLook(this.#options.query, settings);
    this.#options.box.apply(this.#look);
  }

  /** Does what moderators want, each skip and replay once. */
  obey(orders: Orders): void {
    const { positions, onShorter } = this.#options;
    const known = positions.replay.read() ?? lastReplay(orders);
    this.#orders = orders;
    this.#queue = [...this.#queue, ...newReplays(orders, known)].filter((alert) => !isCleared(alert, orders));
    positions.replay.write(Math.max(known, lastReplay(orders)));
    if (this.#shown !== null && this.#isUnwanted(this.#shown)) this.#end();
    if (orders?.volume === 0) this.#silence();
    onShorter(this.#queue);
    this.#showNext();
  }

  #isUnwanted(alert: QueuedAlert): boolean {
    return isCleared(alert, this.#orders) || isSkipped(performance.now() - this.#shownAtMs, this.#orders);
  }

  /** Shows the next queued alert for its duration, pauses, and continues until the queue is empty or paused. */
  #showNext(): void {
    if (this.#timer !== undefined || this.#orders?.paused) return;
    const { alert, passed, rest } = takeNext(this.#queue, this.#look);
    this.#queue = rest;
    // Stored when the alert appears, not when it ends: a reload in between must not show it twice.
    if (passed !== null) this.#options.positions.write(passed);
    this.#options.onShorter(rest);
    if (alert !== null) this.#show(alert);
  }

  #show(alert: QueuedAlert): void {
    const style = alertStyle(this.#look, alert.donation);
    const volume = (this.#look.volume * (this.#orders?.volume ?? 100)) / 100;
    this.#shown = alert;
    this.#shownAtMs = performance.now();
    this.#options.box.show(alert.donation);
    this.#sounds.play(style, volume);
    speak(alert.donation, { ...this.#look, volume });
    this.#timer = window.setTimeout(() => this.#hide(), style.durationMs);
  }

  #hide(): void {
    this.#shown = null;
    this.#options.box.hide();
    this.#timer = window.setTimeout(() => {
      this.#timer = undefined;
      this.#showNext();
    }, PAUSE_MS);
  }

  /** Ends the shown alert early, with its sound and speech. */
  #end(): void {
    clearTimeout(this.#timer);
    this.#silence();
    this.#hide();
  }

  #silence(): void {
    this.#sounds.stop();
    stopSpeech();
  }
}
