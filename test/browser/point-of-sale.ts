import { waitUntil } from '@paywatch/dev/testing';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createApiClient } from '../../infra/dev/src/stack/api-client.ts';
import { createMerchant } from './merchant.ts';
import { payShown, stage } from './payments.ts';
import type { Scene } from './scene.ts';

const PHONE = { width: 390, height: 844 };
const linkShape = z.object({ id: z.string(), pos_url: z.string() });
const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);
/** Runs before the page's own scripts: counts the notes that it plays. */
const COUNT_NOTES = `
  const start = OscillatorNode.prototype.start;
  window.notes = 0;
  OscillatorNode.prototype.start = function (...args) {
    window.notes += 1;
    return start.apply(this, args);
  };`;

/** The point of sale on a phone, on real chains. */
export function describePointOfSale(sceneOf: () => Scene): void {
  it('takes 12.50 EUR: QR code, a tone when the payment is seen, paid; and continues after a moment offline', async () => {
    const scene = sceneOf();
    const { payers, url } = scene.stack;
    const call = createApiClient(url);
    const as = { session: (await createMerchant(scene, 'kiosk@example.com')).session };
    const terms = { title: 'Kiosk', price: { amount: null, currency: 'EUR' } };
    const link = await call({ method: 'POST', path: '/v1/payment-links', body: terms, as }, linkShape);
    const page = await scene.open({ viewport: PHONE, isMobile: true, hasTouch: true });
    await page.addInitScript(COUNT_NOTES);
    // A new wallet may have no address yet, and the rate may be missing: the seller tries again.
    const isOpen = async () => {
      await page.goto(link.pos_url);
      return at(page, 'pos').isVisible();
    };
    await waitUntil(isOpen, { what: 'a free address', everyMs: 500 });
    await type(page, '12.50');
    await at(page, 'note').fill('Table 4');
    const isShown = async () => {
      await at(page, 'charge-BTC').click();
      await page.locator('[data-testid=sale], [data-testid=pos-failure]').waitFor();
      return at(page, 'sale').isVisible();
    };
    await waitUntil(isShown, { what: 'a sale', everyMs: 500 });
    await stage(page, 'waiting');
    expect(await at(page, 'qr').isVisible()).toBe(true);
    expect(await at(page, 'sale').innerText()).toContain('12.50\u00a0EUR');
    expect(await page.evaluate('window.notes')).toBe(0);

    await page.context().setOffline(true);
    await at(page, 'reconnecting').waitFor();
    await payShown(page, payers.BTC);
    await page.context().setOffline(false);
    await stage(page, 'seen');
    expect(await page.evaluate('window.notes')).toBe(2);
    await payers.BTC.mine(2);
    await stage(page, 'paid');
    await at(page, 'new-sale').click();
    expect(await at(page, 'last-sales').innerText()).toMatch(/12\.50 EUR · Table 4\s+Paid/);

    await page.context().setOffline(true);
    await type(page, '7');
    await at(page, 'charge-LTC').click();
    await at(page, 'pos-offline').waitFor();
    await page.context().setOffline(false);
    await stage(page, 'waiting');
    const listed = await call(
      { method: 'GET', path: '/v1/invoices', as },
      z.object({ data: z.array(z.object({ currency: z.string(), order_id: z.string() })) }),
    );
    expect(listed.data.map(({ currency }) => currency)).toEqual(['LTC', 'BTC']);
    expect(listed.data[1]?.order_id).toMatch(new RegExp(`^${link.id}\\.[\\w-]{36} Table 4$`));
    await page.context().close();
  });
}

async function type(page: Page, amount: string): Promise<void> {
  for (const key of amount) await at(page, `key-${key === '.' ? 'point' : key}`).click();
}
