import type { Browser, Page } from 'playwright-core';
import { median } from '../shared/median.ts';
import { loadAccount, loadPayment, reached, withPhone, type MeasuredPages } from './load-pages.ts';

/** A slow phone: four times less CPU than this machine, 400 ms latency and 400 kbit/s in both directions. */
export const SLOW_PHONE = { cpuSlowdown: 4, latencyMs: 400, bytesPerSecond: 50_000 } as const;
const TURNS = 5;

/** Milliseconds from the navigation with an empty cache. */
export type PageSpeed = {
  /** Amount, address and the complete QR code are painted. */
  readableMs: number;
  /** The first message of the status stream has arrived. */
  liveMs: number;
  /** A merchant with a session sees the overview with its statistics. */
  accountMs: number;
};

/** Measures both pages as a slow phone loads them: the medians of five turns. */
export async function measurePages(browser: Browser, pages: MeasuredPages): Promise<PageSpeed> {
  const turns: PageSpeed[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await measureOnce(browser, pages));
  return {
    readableMs: median(turns.map(({ readableMs }) => readableMs)),
    liveMs: median(turns.map(({ liveMs }) => liveMs)),
    accountMs: median(turns.map(({ accountMs }) => accountMs)),
  };
}

async function measureOnce(browser: Browser, pages: MeasuredPages): Promise<PageSpeed> {
  const [readableMs, liveMs] = await withPhone(browser, async (context) => {
    const page = await loadPayment(context, pages.payUrl, slowDown);
    return Promise.all([reached(page, 'painted'), reached(page, 'live')]);
  });
  const accountMs = await withPhone(browser, async (context) =>
    reached(await loadAccount(context, pages, slowDown), 'painted'),
  );
  return { readableMs, liveMs, accountMs };
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { cpuSlowdown, latencyMs, bytesPerSecond } = SLOW_PHONE;
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
}
