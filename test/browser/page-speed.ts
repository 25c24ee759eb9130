import { printFigures } from '@paywatch/dev/commands';
import { countPages } from '@paywatch/loadtests/count-pages';
import { expect, it } from 'vitest';
import type { Merchant } from './merchant.ts';
import type { Scene } from './scene.ts';

const REACH = { readableMs: 2000, liveMs: 3000, accountMs: 4000 } as const;

/** The payment page and the account area on a slow phone, counted; `bench -- pages` times them. */
export function describeSpeed(sceneOf: () => Scene, merchantOf: () => Merchant): void {
  it('a payer reads the payment page within 2 s and follows it within 3 s; a merchant uses the account area within 4 s', async () => {
    const { stack, browser } = sceneOf();
    const { email, password, order } = merchantOf();
    const invoice = await order('BTC', '300000');
    const pages = { payUrl: invoice.pay_url, accountUrl: `${stack.url}/account`, email, password };
    const speed = await countPages(browser, pages);
    const figures = (['readableMs', 'liveMs', 'accountMs'] as const).map((name) => ({
      name,
      value: speed[name],
      reach: { atMost: REACH[name] },
    }));
    printFigures(figures);
    for (const { name, value, reach } of figures) expect(value, name).toBeLessThanOrEqual(reach.atMost);
  });
}
