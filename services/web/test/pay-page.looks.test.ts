import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBrowser, openPage } from './support/browser.ts';
import { everyState } from './support/invoices.ts';
import { lookAt } from './support/looks.ts';
import { startPayerServer } from './support/payer-side.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startPayerServer>>;
let opened: Awaited<ReturnType<typeof openPage>>;
beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startPayerServer()]);
  opened = await openPage(browser);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

describe('the payment page', () => {
  it.each(Object.keys(everyState()))('has no barrier and no sideways scrolling when %s', async (name) => {
    const state = everyState(Date.now())[name];
    if (state === undefined) throw new Error(name);
    server.put({ ...state, public_id: 'inv_look' });
    const { page, faults } = opened;
    await page.goto(`${server.url}/pay/inv_look`);
    await page.locator('[data-testid=pay]').waitFor();
    expect(await lookAt(page, `pay-${name}`)).toEqual({});
    expect(faults).toEqual([]);
  });
});
