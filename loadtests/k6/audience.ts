/**
 * Viewers in many networks follow one overlay, while test donations are sent to it and its settings change. Each viewer closes its stream
 * after every donation and resumes after the last one: it gets the settings first, every donation exactly once, and soon after its
 * confirmation. k6 itself reads no event streams: build it with `xk6 build --with github.com/phymbert/xk6-sse`.
 */
import { check } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import type { Options } from 'k6/options';
import { setTimeout } from 'k6/timers';
import sse, { type SseClient, type SseEvent } from 'k6/x/sse';
import { byMany, call, env, fromAnywhere, RELIABLE } from './shop.ts';

const received = new Counter('alerts_received');
const lost = new Counter('alerts_lost');
const repeated = new Counter('alerts_repeated');
const withoutSettings = new Counter('alerts_without_settings');
const broken = new Counter('streams_broken');
/** From the confirmation to the viewer, by the clocks of both. */
const delay = new Trend('alert_delay', true);

export const options: Options = {
  scenarios: {
    viewers: byMany(env.rate * 10, 'watch'),
    streamer: byMany(1, 'donate'),
  },
  thresholds: {
    ...RELIABLE,
    alert_delay: ['p(95)<1000', 'p(99)<3000'],
    alerts_received: ['count>0'],
    alerts_lost: ['count<1'],
    alerts_repeated: ['count<1'],
    alerts_without_settings: ['count<1'],
    streams_broken: ['count<1'],
  },
};

const OVERLAY = `/v1/public/overlay/${env.overlayToken}/events?include=settings`;
const PAUSE_MS = 500;
/** The donations have these amounts, in this order. */
const FIRST_AMOUNT = 10_001;

/** State of one viewer: k6 runs this module once for each. */
const viewer = { lastId: '0', nextAmount: FIRST_AMOUNT };
const streamer = { amount: FIRST_AMOUNT };

/** Reads the settings and one donation. */
export async function watch(): Promise<void> {
  const headers = { ...fromAnywhere(), 'Last-Event-ID': viewer.lastId };
  // The extension returns the response, its replacement in the tests a promise.
  const response = await Promise.resolve(sse.open(`${env.baseUrl}${OVERLAY}`, { headers }, takeOne));
  check(response, { 'the stream opens': ({ status }) => status === 200 });
}

function takeOne(client: SseClient): void {
  const seen = { settings: false, donation: false };
  client.on('event', (event) => {
    if (event.name === 'settings') seen.settings = true;
    // Events that arrive after the first donation belong to the next stream, which resumes before them.
    if (event.name !== 'donation' || seen.donation) return;
    seen.donation = true;
    if (!seen.settings) withoutSettings.add(1);
    takeDonation(event);
    client.close();
  });
  client.on('error', () => broken.add(1));
}

function takeDonation({ id, data }: SseEvent): void {
  const { amount, confirmed_at: confirmedAt } = JSON.parse(data) as { amount: string; confirmed_at: string };
  const skipped = Number(amount) - viewer.nextAmount;
  if (skipped > 0) lost.add(skipped);
  if (skipped < 0) repeated.add(1);
  Object.assign(viewer, { lastId: id, nextAmount: Number(amount) + 1 });
  received.add(1);
  delay.add(Date.now() - Date.parse(confirmedAt));
}

/** Sends a test donation as a moderator, and waits. */
export async function donate(): Promise<void> {
  const test = { action: 'test', currency: env.currency, amount: String(streamer.amount) };
  const sent = await call('POST', `/v1/public/control/${env.controlToken}`, test, {
    headers: fromAnywhere(),
  });
  const isSent = check(sent, { 'the test donation is shown': ({ status }) => status === 200 });
  if (isSent) streamer.amount += 1;
  await new Promise<void>((resolve) => void setTimeout(resolve, PAUSE_MS));
}
