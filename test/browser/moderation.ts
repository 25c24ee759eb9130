import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { createApiClient } from '../../infra/dev/src/stack/api-client.ts';
import { z } from 'zod';
import { changeSettings, type Merchant } from './merchant.ts';
import { launchBrowser, PHONE, type Scene } from './scene.ts';

/** A donation waits for a moderator, who decides in another browser. */
export function describeModeration(sceneOf: () => Scene, merchantOf: () => Merchant): void {
  it('a held donation that is approved in another browser is shown once, and a dismissed one never', async () => {
    const scene = sceneOf();
    await holdAll(scene, merchantOf(), 'all');
    await changeSettings(scene, merchantOf(), '/v1/donation-page', { show_latest: true });
    const overlay = await openOverlay(scene, merchantOf());
    await using moderator = await openControlPage(scene, merchantOf());
    const { page: control } = moderator;
    await donate(scene, merchantOf(), 'Held Hanna');
    await donate(scene, merchantOf(), 'Dismissed Dora');
    const heldOf = (name: string) => control.getByTestId('held-donation').filter({ hasText: name });
    await heldOf('Held Hanna').waitFor();
    await heldOf('Dismissed Dora').waitFor();
    expect(await shownNames(overlay)).toEqual([]);
    expect(await listedNames(scene, merchantOf())).toEqual([]);
    await heldOf('Dismissed Dora').getByTestId('dismissed').click();
    await heldOf('Dismissed Dora').waitFor({ state: 'detached' });
    await heldOf('Held Hanna').getByTestId('approved').click();
    await overlay.locator('[data-testid=alert][data-shown=true]', { hasText: 'Held Hanna' }).waitFor();
    await heldOf('Held Hanna').waitFor({ state: 'detached' });
    // A donation that nobody holds is the next alert: nothing else was in between, before or after a reload.
    await holdAll(scene, merchantOf(), 'none');
    await overlay.reload();
    await donate(scene, merchantOf(), 'Last Lena');
    await overlay.locator('[data-testid=alert][data-shown=true]', { hasText: 'Last Lena' }).waitFor();
    expect(await shownNames(overlay)).toEqual(['Held Hanna', 'Last Lena']);
    expect(await listedNames(scene, merchantOf())).toEqual(['Last Lena', 'Held Hanna']);
    await overlay.context().close();
  });
}

async function holdAll(scene: Scene, merchant: Merchant, hold: 'all' | 'none'): Promise<void> {
  await changeSettings(scene, merchant, '/v1/overlay/moderation', { hold });
}

/** The donors of this story, whom the list of the donation page names. */
async function listedNames(scene: Scene, { donateUrl }: Merchant): Promise<string[]> {
  const page = await scene.open();
  await page.goto(donateUrl);
  await page.getByTestId('donate-form').waitFor();
  const names = await page.getByTestId('latest-donations').locator('bdi').allInnerTexts();
  await page.context().close();
  return names.filter((name) => /Hanna|Dora|Lena/.test(name));
}

/** Runs in the overlay's page: keeps the name of every alert that appears. */
const KEEP_SHOWN = `
  const names = JSON.parse(sessionStorage.getItem('shown') ?? '[]');
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.dataset?.shown !== 'true') continue;
      names.push(target.querySelector('.alert__name')?.textContent ?? '');
      sessionStorage.setItem('shown', JSON.stringify(names));
    }
  }).observe(document, { subtree: true, attributeFilter: ['data-shown'] });`;

/** Opens the overlay; every alert that it shows is kept over reloads. */
async function openOverlay(scene: Scene, { overlayUrl }: Merchant): Promise<Page> {
  const page = await scene.open({ viewport: { width: 800, height: 300 } });
  await page.addInitScript({ content: KEEP_SHOWN });
  const connected = page.waitForResponse(/overlay\/.+\/events\?include/);
  await page.goto(`${overlayUrl}?duration=2`);
  await connected;
  return page;
}

function shownNames(overlay: Page): Promise<string[]> {
  return overlay.evaluate(`JSON.parse(sessionStorage.getItem('shown') ?? '[]')`);
}

/** Opens the control page on a phone with a browser of its own, which knows nothing but the link. */
async function openControlPage(
  { stack }: Scene,
  { session }: Merchant,
): Promise<AsyncDisposable & { page: Page }> {
  const call = createApiClient(stack.url);
  const { url } = await call(
    { method: 'POST', path: '/v1/project/tokens/control/rotate', as: { session } },
    z.object({ url: z.string() }),
  );
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: PHONE, locale: 'en-US' });
  await page.goto(url);
  await page.getByTestId('held').waitFor();
  return { page, [Symbol.asyncDispose]: () => browser.close() };
}

/** Donates, pays and confirms. */
async function donate({ stack }: Scene, { donateUrl }: Merchant, name: string): Promise<void> {
  const call = createApiClient(stack.url);
  const path = new URL(donateUrl).pathname.replace('/donate/', '/v1/public/donate/');
  const body = { currency: 'BTC', amount: '50000', donor_name: name, donor_message: 'Good luck!' };
  const { public_id: id } = await call({ method: 'POST', path, body }, z.object({ public_id: z.string() }));
  const { address } = await call(
    { method: 'GET', path: `/v1/public/invoices/${id}` },
    z.object({ address: z.string() }),
  );
  await stack.payers.BTC.pay(address, 50_000n);
  await stack.payers.BTC.mine();
}
