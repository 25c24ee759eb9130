import type { Browser, CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import { loadAccount, loadPayment, reached, withPhone, type MeasuredPages } from './load-pages.ts';
import { SLOW_PHONE, type PageSpeed } from './page-speed.ts';

/** The CPU milliseconds of {@link LOOP} on the machine that a slow phone is four times slower than. */
const LOOP_MS = 130;
const TURNS = 3;

/**
 * What a slow phone would need for both pages, counted instead of timed, so that other work on the machine changes nothing: the requests
 * that wait for one another, the bytes, and the CPU time of the page, compared with that of a loop in the same browser. The answers of the
 * server count as immediate.
 */
export async function countPages(browser: Browser, pages: MeasuredPages): Promise<PageSpeed> {
  const turns: PageSpeed[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await countOnce(browser, pages));
  // What other processes do to the caches of the CPU makes a turn more expensive, never cheaper.
  return {
    readableMs: Math.min(...turns.map(({ readableMs }) => readableMs)),
    liveMs: Math.min(...turns.map(({ liveMs }) => liveMs)),
    accountMs: Math.min(...turns.map(({ accountMs }) => accountMs)),
  };
}

async function countOnce(browser: Browser, pages: MeasuredPages): Promise<PageSpeed> {
  const loopMs = await withPhone(browser, async (context) => measureLoop(await context.newPage()));
  const readableMs = await countPayment(browser, pages, { mark: 'painted', loopMs });
  const liveMs = await countPayment(browser, pages, { mark: 'live', loopMs });
  const accountMs = await withPhone(browser, async (context) => {
    const counter = new PageCounter(loopMs);
    await reached(await loadAccount(context, pages, (page) => counter.start(page)), 'painted');
    return counter.read();
  });
  return { readableMs, liveMs, accountMs };
}

/** A payer reads the page before its scripts are loaded; without them, none counts that a fast machine has loaded by then. */
async function countPayment(
  browser: Browser,
  { payUrl }: MeasuredPages,
  { mark, loopMs }: { mark: 'painted' | 'live'; loopMs: number },
): Promise<number> {
  return withPhone(browser, async (context) => {
    if (mark === 'painted') await context.route('**/*.js', (route) => route.abort());
    const counter = new PageCounter(loopMs);
    await reached(await loadPayment(context, payUrl, (page) => counter.start(page)), mark);
    return counter.read();
  });
}

/** A request, and how many others had to be answered before it could be sent. */
type Sent = { url: string; depth: number; bytes: number };

/** Counts what a page costs since {@link start}. */
class PageCounter {
  readonly #loopMs: number;
  readonly #requests = new Map<string, Sent>();
  #session: CDPSession | null = null;
  #cpuMs = 0;

  constructor(loopMs: number) {
    this.#loopMs = loopMs;
  }

  async start(page: Page): Promise<void> {
    const session = await page.context().newCDPSession(page);
    this.#session = session;
    session.on('Network.requestWillBeSent', ({ requestId, request: { url }, initiator }) => {
      const cause = initiator.url ?? initiator.stack?.callFrames[0]?.url;
      this.#requests.set(requestId, { url, depth: this.#depthOf(cause) + 1, bytes: 0 });
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const sent = this.#requests.get(requestId);
      if (sent) sent.bytes = encodedDataLength;
    });
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    this.#cpuMs = await readCpuMs(session);
  }

  /** The milliseconds of a slow phone until now. */
  async read(): Promise<number> {
    if (this.#session === null) throw new Error('the counter was not started');
    const sent = [...this.#requests.values()];
    const roundTrips = Math.max(...sent.map(({ depth }) => depth));
    const bytes = sent.reduce((sum, request) => sum + request.bytes, 0);
    const cpuMs = (await readCpuMs(this.#session)) - this.#cpuMs;
    const { cpuSlowdown, latencyMs, bytesPerSecond } = SLOW_PHONE;
    const phoneCpuMs = cpuMs * cpuSlowdown * (LOOP_MS / this.#loopMs);
    return roundTrips * latencyMs + (bytes / bytesPerSecond) * 1000 + phoneCpuMs;
  }

  #depthOf(url: string | undefined): number {
    const known = [...this.#requests.values()].find((sent) => sent.url === url);
    const [first] = this.#requests.values();
    return known?.depth ?? first?.depth ?? 0;
  }
}

async function measureLoop(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const turns: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await readCpuMs(session);
    await page.evaluate(LOOP);
    turns.push((await readCpuMs(session)) - before);
  }
  return Math.min(...turns);
}

/** As a text like the scripts of the pages, because this project is compiled without the types of browsers. */
const LOOP = `(() => {
  let text = '';
  for (let i = 0; i < 3_000_000; i += 1) text = (text + String.fromCharCode(97 + (i % 26))).slice(-40);
  return text;
})()`;

/** The CPU time of the main thread. */
async function readCpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const task = metrics.find(({ name }) => name === 'TaskDuration');
  return z.number().parse(task?.value) * 1000;
}
