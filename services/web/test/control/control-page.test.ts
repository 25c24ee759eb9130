import type { RecentDonation } from '@paywatch/domain/contract';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectBrowser, findAccessibilityViolations, openPage } from '../support/browser.ts';
import { heldDonation, startControlServer } from '../support/apis/control-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startControlServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

beforeAll(async () => {
  browser = await connectBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startControlServer();
  ({ page, context, pageErrors } = await openPage(browser, { viewport: PHONE }));
});
afterEach(async () => {
  await context.close();
  await server.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

async function open(query = ''): Promise<void> {
  await page.goto(`${server.url}/control/tok_control${query}`);
  await page.getByTestId('held').waitFor();
}

function recent(change: Partial<RecentDonation> = {}): RecentDonation {
  const { reason: _reason, ...shown } = heldDonation({
    id: '7',
    donor_name: 'Grace',
    donor_message: 'Well played!',
  });
  return { ...shown, test: false, ...change };
}

const calls = async (count: number) => {
  while (server.state.calls.length < count) await page.waitForTimeout(10);
  return server.state.calls;
};

describe('a moderator', () => {
  it.each(['approved', 'text_blocked', 'dismissed'])(
    'decides about a held donation: %s',
    async (decision) => {
      await open();
      server.change({ held: [heldDonation(), heldDonation({ id: '2', donor_name: 'Bob' })], held_count: 2 });
      await page.getByTestId('held-donation').nth(1).waitFor();
      await page.getByTestId(decision).first().click();
      expect(await calls(1)).toEqual([{ held_id: '1', decision }]);
      await page.getByText('Mallory').waitFor({ state: 'detached' });
      expect(await page.getByTestId('held-count').textContent()).toBe('1');
    },
  );

  it('pauses, resumes, skips, clears after a question, replays, sets the volume and mutes', async () => {
    server.change({ recent: [recent()] });
    await open();
    await page.getByTestId('pause').click();
    await page.getByTestId('paused').waitFor();
    await page.getByTestId('pause').click();
    await page.getByTestId('paused').waitFor({ state: 'detached' });
    await page.getByTestId('skip').click();
    await page.getByTestId('clear').click();
    await page.getByTestId('clear-confirm').click();
    await page.getByTestId('replay').click();
    await page.getByTestId('volume').fill('35');
    await calls(6);
    await page.getByTestId('mute').click();
    expect(await calls(7)).toEqual([
      { action: 'pause' },
      { action: 'resume' },
      { action: 'skip' },
      { action: 'clear' },
      { action: 'replay', donation_id: '7' },
      { action: 'volume', volume: 35 },
      { action: 'volume', volume: 0 },
    ]);
  });

  it('sends a test alert; a comma works as a decimal sign, and an error vanishes when it is corrected', async () => {
    await open();
    const amount = page.getByLabel('Amount');
    await amount.fill('much');
    await page.getByTestId('send-test').click();
    await page.getByText('Enter an amount such as').waitFor();
    await amount.fill('0,25');
    await page.getByText('Enter an amount such as').waitFor({ state: 'detached' });
    await page.getByLabel('Currency').selectOption('LTC');
    await page.getByTestId('send-test').click();
    await page.getByTestId('test-sent').waitFor();
    expect(await calls(1)).toEqual([{ action: 'test', currency: 'LTC', amount: '25000000' }]);
  });

  it('works with the keyboard alone, and keys do nothing while text is typed or shortcuts are off', async () => {
    server.change({ held: [heldDonation()], held_count: 1, recent: [recent()] });
    await open();
    for (const key of ['p', 's', 'r', 'a']) await page.keyboard.press(key);
    const seen = [...(await calls(4))];
    expect(seen).toEqual([
      { action: 'pause' },
      { action: 'skip' },
      { action: 'replay', donation_id: '7' },
      { held_id: '1', decision: 'approved' },
    ]);
    await page.getByLabel('Amount').focus();
    await page.keyboard.press('s');
    await page.getByTestId('use-shortcuts').uncheck();
    await page.keyboard.press('s');
    await page.keyboard.press('Control+s');
    await page.getByTestId('skip').click();
    await calls(5);
    expect(server.state.calls).toHaveLength(5);
    await page.reload();
    expect(await page.getByTestId('use-shortcuts').isChecked()).toBe(false);
  });

  it('is told when a request fails and when the link was replaced', async () => {
    await open();
    server.state.answer = { status: 503, body: {} };
    await page.getByTestId('skip').click();
    await page.getByText('That did not work').waitFor();
    server.state.answer = server.gone;
    server.drop();
    await page.getByTestId('replaced').waitFor();
    expect(await page.getByTestId('skip').count()).toBe(0);
  });

  it('sees the newest state again after a lost connection', async () => {
    await open();
    server.drop();
    server.change({ held: [heldDonation()], held_count: 1 });
    await page.getByText('Mallory').waitFor();
    expect(await page.getByTestId('connection').textContent()).toBe('Live');
  });
});

it('donor text is shown as text', async () => {
  await open();
  server.change({ held: [heldDonation({ donor_name: '<img src=x onerror=alert(1)>' })], held_count: 1 });
  await page.getByText('<img src=x').waitFor();
  expect(await page.locator('img').count()).toBe(0);
});

const long = { donor_name: 'W'.repeat(50), donor_message: 'ä'.repeat(200) };
const STATES = {
  empty: {},
  held: {
    held: [
      heldDonation(),
      heldDonation({ id: '2', reason: 'first_time', currency: 'LTC', ...long }),
      heldDonation({ id: '3', reason: 'all', donor_name: null, donor_message: null }),
    ],
    held_count: 1000,
    recent: [recent(), recent({ id: '6', donor_name: null, test: true }), recent({ id: '5', ...long })],
  },
  paused: { paused: true, volume: 0, recent: [recent()], project_name: null },
} as const;

describe.each(Object.entries({ phone: PHONE, desktop: DESKTOP, narrow: { width: 320, height: 640 } }))(
  'on a %s',
  (size, viewport) => {
    it.each(Object.entries(STATES))(
      '%s fits, in both languages and themes, without violations',
      async (name, view) => {
        server.change(view as Parameters<typeof server.change>[0]);
        await page.setViewportSize(viewport);
        for (const lang of ['en', 'de'])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            await open(`?lang=${lang}`);
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
              viewport.width,
            );
            expect(await findAccessibilityViolations(page)).toEqual([]);
            await takeScreenshot(page, `control-${name}-${size}-${lang}-${colorScheme}`);
          }
      },
    );
  },
);
