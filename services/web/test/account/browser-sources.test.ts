import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { sourceDraft, sourcesIn } from '../../src/account/screens/donations/sources/source-draft.ts';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, findAccessibilityViolations, openPage, SIZES } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startMerchantServer>>;
let page: Page;
let context: BrowserContext;
let pageErrors: string[];

beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));
beforeEach(async () => {
  server.reset();
  Object.assign(server.state, { email: 'merchant@example.com', password: 'long enough' });
  ({ page, context, pageErrors } = await openPage(browser, { viewport: SIZES.desktop }));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.getByTestId(testId);
const preview = () => page.frameLocator('[data-testid=goal-preview]').locator('#page');

/** Logs in and opens the settings of the goal and the counter. */
async function open(query = ''): Promise<void> {
  await page.goto(`${server.url}/account/login${query}`);
  await at('email').fill('merchant@example.com');
  await at('password').fill('long enough');
  await at('login-submit').click();
  await page.locator('.shell').waitFor();
  await page.goto(`${server.url}/account/donations${query}`);
  await at('sources-summary').press('Enter');
  await at('goal-form').waitFor();
}

describe('the browser sources', () => {
  it('each have an address of their own, the top donors one for each period', async () => {
    await open();
    const url = server.state.me.project.overlay_url;
    for (const source of ['goal', 'counter', 'latest', 'ticker'])
      expect(await at(`source-${source}`).innerText()).toBe(`${url}?source=${source}`);
    expect(await at('source-top').innerText()).toBe(`${url}?source=top&period=month`);
    await at('top_period').selectOption('week');
    expect(await at('source-top').innerText()).toBe(`${url}?source=top&period=week`);
  });

  it('follow a goal that is set, changed and taken away', async () => {
    await open();
    await at('goal-target').fill('500,50');
    await at('goal-title').fill('New camera');
    await at('goal-since').fill('2026-11-01');
    await at('goal-added').fill('100');
    await at('counter-since').fill('2026-10-01');
    await at('goal-save').click();
    await at('goal-saved').waitFor();
    expect(server.state.sources).toEqual({
      goal: { title: 'New camera', unit: 'EUR', target: '500.50', since: '2026-11-01', added: '100' },
      counter_since: '2026-10-01',
    });
    await preview().getByText('€100.00 of €500.50').waitFor();
    await at('goal-title').fill('Another camera');
    expect(await at('goal-saved').count()).toBe(0);
    await at('goal-save').click();
    await preview().getByText('Another camera').waitFor();
    await page.reload();
    await at('sources-summary').press('Enter');
    await at('goal-title').waitFor();
    expect(await at('goal-title').inputValue()).toBe('Another camera');
    await at('goal-target').fill('');
    await at('goal-save').click();
    await page.getByTestId('goal-preview').waitFor({ state: 'detached' });
    expect(server.state.sources).toEqual({ goal: null, counter_since: '2026-10-01' });
  });

  it('have settings that say which field is wrong, and keep what was typed', async () => {
    await open();
    await at('goal-target').fill('lots');
    await at('goal-save').click();
    await at('goal-target-error').waitFor();
    expect(await at('goal-target').inputValue()).toBe('lots');
    expect(server.state.sources.goal).toBeNull();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await takeScreenshot(page, 'sources-settings-error');
    await page.goto(`${server.url}/account/donations?lang=de`);
    await at('sources-summary').press('Enter');
    await at('goal-target').fill('-1');
    await at('goal-save').click();
    await at('goal-target-error').getByText('Geben Sie einen Betrag über 0 ein').waitFor();
  });
});

const GOAL = { title: 'Neue Kamera', unit: 'EUR', target: '500', since: '2026-11-01', added: '123.45' };

it.each(['en', 'de'])('the settings of browser sources are whole and accessible: %s', async (language) => {
  await open(`?lang=${language}`);
  await at('goal-target').fill(GOAL.target);
  await at('goal-title').fill(GOAL.title);
  await at('goal-added').fill(GOAL.added);
  await at('goal-save').click();
  await preview().getByText(GOAL.title).waitFor();
  expect(await auditPage(page, `sources-settings-${language}`)).toEqual({});
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await at('sources').scrollIntoViewIfNeeded();
    await takeScreenshot(page, `sources-settings-${language}-${width}`);
    expect(await findCardOverflow(page)).toEqual([]);
  }
});

test('a draft without a target means no goal, and the fields show what was saved', () => {
  const saved = { goal: { ...GOAL, title: '', since: null, added: '0' }, counter_since: null };
  expect(sourcesIn(sourceDraft(saved))).toEqual(saved);
  expect(sourceDraft(saved)).toMatchObject({ added: '', since: '', target: '500' });
  expect(sourcesIn({ ...sourceDraft(saved), target: ' ' }).goal).toBeNull();
  expect(sourcesIn({ ...sourceDraft(saved), unit: ' btc ', target: '0,5' }).goal).toMatchObject({
    unit: 'BTC',
    target: '0.5',
  });
});
