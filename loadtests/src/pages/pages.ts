import type { Measure } from '@paywatch/dev/commands';
import { createApiClient, openMerchant, startStack, type Stack } from '@paywatch/dev/stack';
import { chromiumOptions, waitUntil } from '@paywatch/dev/testing';
import { chromium } from 'playwright-core';
import { z } from 'zod';
import type { MeasuredPages } from './load-pages.ts';
import { measurePages } from './page-speed.ts';

/** Measures how soon a payer can read and follow the payment page on a slow phone, and a merchant use the account area. */
export const run: Measure = async ({ terminal }) => {
  await using parts = new AsyncDisposableStack();
  const env = { LOG_LEVEL: 'warn', LOGIN_LIMIT_POINTS: '1000' };
  const stack = await terminal.step('Starting everything', () => startStack({ ownServers: true, env }));
  parts.defer(stack.stop);
  const pages = await terminal.step('A merchant creates an order', () => openPages(stack));
  const browser = await terminal.step('Starting Chromium', () => chromium.launch(chromiumOptions()));
  parts.defer(() => browser.close());
  const speed = await terminal.step('Loading each page five times', () => measurePages(browser, pages));
  return [
    { name: 'readable_ms', value: speed.readableMs, reach: { atMost: 2000 }, aim: { atMost: 1200 } },
    { name: 'live_ms', value: speed.liveMs, reach: { atMost: 3000 }, aim: { atMost: 2000 } },
    { name: 'account_usable_ms', value: speed.accountMs, reach: { atMost: 4000 } },
  ];
};

async function openPages({ url }: Stack): Promise<MeasuredPages> {
  const call = createApiClient(url);
  const merchant = await openMerchant(call, { number: 1, currency: 'BTC', gapLimit: 100 });
  const body = { currency: 'BTC', type: 'order', expected_amount: '123400' };
  const as = { apiKey: merchant.apiKey };
  const answer = z.object({ pay_url: z.string() });
  const order = await waitUntil(
    () => call({ method: 'POST', path: '/v1/invoices', body, as }, answer).catch(() => null),
    { what: 'an address of the wallet' },
  );
  const { email, password } = merchant;
  return { payUrl: order.pay_url, accountUrl: `${url}/account`, email, password };
}
