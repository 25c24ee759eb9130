import { createApiClient } from '../../infra/dev/src/stack/api-client.ts';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createMerchant } from './merchant.ts';
import { DESKTOP, type Scene } from './scene.ts';

const SMALL_PHONE = { width: 390, height: 844 };
const linkShape = z.object({ id: z.string(), url: z.string() });
const inFrame = (page: Page, testId: string) =>
  page.frameLocator('iframe').locator(`[data-testid="${testId}"]`);

/** A shop on an origin of its own sells by the payment button, on real chains. */
export function describeEmbed(sceneOf: () => Scene): void {
  let link: z.infer<typeof linkShape>;
  let shop: Server;
  let stranger: Server;

  beforeAll(async () => {
    const scene = sceneOf();
    const { receiver, url } = scene.stack;
    const call = createApiClient(url);
    const as = { session: (await createMerchant(scene, 'button@example.com')).session };
    const terms = { title: 'Concert ticket', amount: '250000', currencies: ['BTC'] };
    link = await call({ method: 'POST', path: '/v1/payment-links', body: terms, as }, linkShape);
    [shop, stranger] = await Promise.all([startShop(url, link.url), startShop(url, link.url)]);
    await call(
      { method: 'PATCH', path: '/v1/project', body: { embed_sites: [originOf(shop)] }, as },
      z.object({}),
    );
    const { secret } = await call(
      { method: 'POST', path: '/v1/webhooks', body: { url: receiver.url }, as },
      z.object({ secret: z.string() }),
    );
    receiver.setSecrets(secret);
  });
  afterAll(() => {
    for (const server of [shop, stranger]) {
      server.close();
      server.closeAllConnections();
    }
  });

  it.each([
    ['a phone', SMALL_PHONE],
    ['a desktop', DESKTOP],
  ])(
    'sells on %s: the modal shows the payment, the shop page and its webhook learn of it',
    async (_what, viewport) => {
      const { open, stack } = sceneOf();
      const page = await open({ viewport });
      await page.goto(originOf(shop));
      await page.getByRole('link', { name: 'Buy a ticket' }).click();
      // A new wallet may have no address yet: the page says so, and the buyer tries again.
      await expect
        .poll(
          async () => {
            const submit = inFrame(page, 'buy-submit');
            if (await submit.isVisible()) await submit.click();
            else if (await inFrame(page, 'try-again').isVisible()) await inFrame(page, 'try-again').click();
            return inFrame(page, 'pay').isVisible();
          },
          { interval: 1000 },
        )
        .toBe(true);
      const address = (await inFrame(page, 'address').innerText()).replaceAll(/\s/g, '');
      await stack.payers.BTC.pay(address, 250_000n);
      await page.frameLocator('iframe').locator('[data-testid=pay][data-stage=seen]').waitFor();
      expect(await page.locator('#state').innerText()).not.toContain('paid');
      await stack.payers.BTC.mine();
      await page.frameLocator('iframe').locator('[data-testid=pay][data-stage=paid]').waitFor();
      await page.locator('#state', { hasText: 'paid inv_' }).waitFor();
      const publicId = (await page.locator('#state').innerText()).replace('paid ', '');
      const { data } = await stack.receiver.waitFor(
        ({ type, data: { invoice } }) => type === 'invoice.confirmed' && invoice.public_id === publicId,
      );
      expect(data.invoice.order_id?.startsWith(link.id)).toBe(true);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(page.url()).toBe(`${originOf(shop)}/`);
      await page.context().close();
    },
  );

  it('is refused by the browser on a site that is not listed, and leads to a tab of its own', async () => {
    const { open, faults } = sceneOf();
    const page = await open({ viewport: SMALL_PHONE });
    await page.goto(originOf(stranger));
    const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
    await page.getByRole('link', { name: 'Buy a ticket' }).click();
    expect((await refused).text()).toContain(originOf(shop));
    expect(await inFrame(page, 'buy-form').count()).toBe(0);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open in a new tab' }).click();
    await (await opened).locator('[data-testid=buy-submit]').waitFor();
    expect(faults.splice(0).filter((text) => !text.includes('frame-ancestors'))).toEqual([]);
    await page.context().close();
  });
}

/** A page with a button, and a script of its own that shows what the button reports. */
async function startShop(payUrl: string, linkUrl: string): Promise<Server> {
  const script = `document.addEventListener('paywatch:paid', ({ detail }) => {
    document.querySelector('#state').textContent = 'paid ' + detail.publicId;
  });`;
  const html = `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
    <p><a href="${linkUrl}" data-paywatch>Buy a ticket</a></p><p id="state">open</p>
    <script src="${payUrl}/embed.js" async></script><script src="/shop.js"></script></html>`;
  const server = createServer(({ url }, response) => {
    const isScript = url === '/shop.js';
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? script : html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Another host name than that of the payment pages: another site for the browser. */
function originOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
