import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectBrowser, findAccessibilityViolations, openPage } from '../support/browser.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import { takeScreenshot } from '../support/screenshots.ts';

let browser: Browser;
let server: Awaited<ReturnType<typeof startMerchantServer>>;
let page: Page;
beforeAll(async () => {
  [browser, server] = await Promise.all([connectBrowser(), startMerchantServer()]);
});
afterAll(() => Promise.all([browser.close(), server.close()]));

/** More than the tab stops of any screen. */
const MAX_TAB_STOPS = 90;

/** The focused element, and whether its focus is visible. */
function focusOf(): { testId: string; tag: string; text: string; isSeen: boolean } {
  const focused = document.activeElement ?? document.body;
  const { top, bottom, width, height } = focused.getBoundingClientRect();
  const isInView = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
  const isMarked = getComputedStyle(focused).outlineStyle !== 'none';
  return {
    testId: focused.getAttribute('data-testid') ?? '',
    tag: focused.tagName.toLowerCase(),
    text: focused.textContent.trim(),
    isSeen: focused === document.body || (isInView && isMarked),
  };
}
const focused = () => page.evaluate(focusOf);

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);

/** Presses Tab until the control has the focus; every control on the way must show its focus. */
async function tabTo(testId: string): Promise<void> {
  // A screen that is still loading would move the focus.
  await at(testId).first().waitFor();
  const passed: string[] = [];
  for (let stops = 0; stops < MAX_TAB_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const stop = await focused();
    expect(stop, `what follows ${passed.at(-1)}`).toMatchObject({ isSeen: true });
    if (stop.testId === testId) return;
    passed.push(stop.testId || stop.tag);
  }
  throw new Error(`${testId} was not reached: ${passed.join(', ')}`);
}

async function press(testId: string): Promise<void> {
  await tabTo(testId);
  await page.keyboard.press('Enter');
}

async function write(testId: string, text: string): Promise<void> {
  await tabTo(testId);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

async function expectFocus(wanted: { testId?: string; tag?: string; text?: string }): Promise<void> {
  await expect.poll(focused).toMatchObject(wanted);
}
/** Waits for a screen: its heading has the focus. */
const arrive = (title: string) => expectFocus({ tag: 'h1', text: title });

async function goTo(name: string, title: string): Promise<void> {
  await press('menu');
  if (name === 'keys') await expectAccessible('menu');
  await press(`nav-${name}`);
  await arrive(title);
}

/** Checks the accessibility of a state that appears only after an action, in light and dark. */
async function expectAccessible(state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Dark mode changes colors only.
    const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
    expect(await findAccessibilityViolations(page, rules), `${state}, ${colorScheme}`).toEqual([]);
    await takeScreenshot(page, `account-act-${state}-${colorScheme}`);
  }
}

/** Confirms a destructive action, after checking that Escape cancels it and returns the focus. */
async function confirm(testId: string): Promise<void> {
  await press(testId);
  await page.keyboard.press('Escape');
  await expectFocus({ testId });
  await page.keyboard.press('Enter');
  await press(`${testId}-confirm`);
}

it('every screen of the account area can be used with the keyboard only, and the focus is never lost', async () => {
  const opened = await openPage(browser);
  page = opened.page;
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  server.state.email = '';
  await page.goto(`${server.url}/account/register`);
  await at('register').waitFor();

  await write('email', 'merchant@example.com');
  await write('password', 'short');
  await page.keyboard.press('Enter');
  await at('password-error').waitFor();
  await expectFocus({ testId: 'password' });
  await expectAccessible('register-error');
  await page.keyboard.type(' no longer');
  await page.keyboard.press('Enter');
  await arrive('Get started');

  await page.reload();
  await at('key-create').waitFor();
  await page.keyboard.press('Tab');
  await expectFocus({ text: 'Skip to content' });
  await page.keyboard.press('Enter');
  await expectFocus({ tag: 'main' });

  await press('key-create');
  await expectFocus({ tag: 'div', text: expect.stringContaining('Copy this now') });
  await expectAccessible('key-secret');
  await press('api-key-token-copy');
  await at('api-key-token-copy').and(page.locator('[data-copied=true]')).waitFor();
  await press('next-step');
  await arrive('Get started');

  await write('xpub', 'x');
  await page.keyboard.press('Control+A');
  // A private key pasted by mistake: test vector 1 of BIP 32.
  await page.keyboard.insertText(
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  );
  await at('xpub-error').waitFor();
  await expectFocus({ testId: 'xpub' });
  await page.keyboard.press('Control+A');
  await page.keyboard.type('zpub of somebody');
  await press('wallet-register');
  await at('own-address').waitFor();
  expect(await at('verification-address').count()).toBe(0);
  await write('own-address', 'bc1qnothing');
  await page.keyboard.press('Enter');
  await at('problem').waitFor();
  await expectFocus({ testId: 'own-address' });
  await expectAccessible('verify-mismatch');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(server.state.me.project.wallets[0]?.verification_address ?? '');
  await page.keyboard.press('Enter');
  await expectFocus({ tag: 'div', text: expect.stringContaining('is verified') });
  await expectAccessible('verified');
  await press('next-step');
  await arrive('Get started');

  await write('url', 'https://shop.example/hook');
  await page.keyboard.press('Enter');
  await expectFocus({ tag: 'div', text: expect.stringContaining('Signing secret') });
  await press('test-event-send');
  await at('event-outcome').waitFor();
  await expectFocus({ testId: 'test-event-send' });
  await expectAccessible('webhook-secret');
  await press('next-step');
  await arrive('Get started');
  await write('expected_amount', 'a lot');
  await page.keyboard.press('Enter');
  await expectFocus({ testId: 'expected_amount' });
  await write('order_id', 'order-1');
  await page.keyboard.press('Shift+Tab');
  await expectFocus({ testId: 'expected_amount' });
  await page.keyboard.press('Control+A');
  await page.keyboard.type('0.0015');
  await page.keyboard.press('Enter');
  await expectFocus({ tag: 'div', text: expect.stringContaining('Your first invoice is ready') });
  await expectAccessible('invoice-created');
  await press('invoice-link');
  await expectFocus({ tag: 'h1', text: expect.stringContaining('inv_newA') });

  await confirm('extend');
  await at('extend').waitFor({ state: 'detached' });
  await expectFocus({ tag: 'h2' });
  await goTo('invoices', 'Invoices');
  await press('filters-summary');
  await tabTo('status');
  await page.keyboard.type('Exp');
  await press('filter-apply');
  await at('empty').waitFor();
  await expectFocus({ testId: 'filter-apply' });
  expect(page.url()).toContain('status=expired');
  await expectAccessible('filters');
  await press('filter-clear');
  await tabTo('inv_newA');

  await goTo('webhooks', 'Webhooks');
  await press(`event-${server.state.events[0]?.id}`);
  await expectFocus({ tag: 'h1', text: expect.stringContaining('evt_') });
  await press('redeliver');
  await at('redelivered').waitFor();
  await expectFocus({ testId: 'redeliver' });
  await tabTo('event-body');

  await goTo('overview', 'Overview');
  await press('chart-BTC-summary');
  await at('chart-BTC').getByRole('table').waitFor();
  await goTo('donations', 'Donations');
  await confirm('rotate-donate');
  await at('rotated-donate').waitFor();
  await expectFocus({ testId: 'rotate-donate' });
  await press('test-alert');
  await at('test-alert-sent').waitFor();
  await expectFocus({ testId: 'test-alert' });
  await press('overlay-settings-summary');
  await tabTo('show_message');

  await goTo('wallets', 'Wallets');
  await write('xpub', 'zpub of another');
  await press('wallet-register');
  await expectFocus({ tag: 'h2', text: 'BTC' });
  await goTo('keys', 'API keys');
  await confirm('revoke-7Hq2VxN9');
  await at('key-table').getByText('Revoked').waitFor();
  await expectFocus({ tag: 'h2', text: 'API keys' });

  await goTo('members', 'Members');
  await write('invite_email', 'colleague@example.com');
  await tabTo('invite_role-support');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await at('invited').waitFor();
  await expectFocus({ testId: 'invite_role-accountant' });
  await confirm('invitation-cancel');
  await at('no-invitations').waitFor();
  await expectFocus({ tag: 'h2', text: 'Invitations' });

  await goTo('account', 'Account');
  await write('project_name', '\u3164');
  await at('project_name-error').waitFor();
  await write('project_name', 'Ada plays chess');
  await at('project_name-error').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await at('project-saved').waitFor();
  await expectFocus({ testId: 'project_name' });
  await tabTo('new_password');
  await press('logout-all');
  await expectAccessible('dialog');
  await press('logout-all-confirm');
  await at('end-reason').waitFor();
  await arrive('Log in');
  expect(opened.pageErrors).toEqual([]);
  await opened.context.close();
});
