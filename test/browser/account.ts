import { createMerchantWallet } from '../../infra/dev/src/wallet/merchant-wallet.ts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { stage } from './payments.ts';
import { DESKTOP, type Scene } from './scene.ts';

const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);
const account = { email: 'first@example.com', password: 'long enough' };

async function enter(page: Page, scene: Scene, { email, password } = account): Promise<void> {
  await page.goto(`${scene.stack.url}/account/login`);
  await at(page, 'email').fill(email);
  await at(page, 'password').fill(password);
  await at(page, 'login-submit').click();
}

/** Opens a screen through the navigation, which is behind a menu button on phones. */
async function goTo(page: Page, way: string): Promise<void> {
  await at(page, way).waitFor({ state: 'attached' });
  if (await at(page, 'menu').isVisible()) await at(page, 'menu').click();
  await at(page, way).click();
}

/** The account area on the real API. The tests use one account, in order, from its registration on. */
export function describeAccount(sceneOf: () => Scene): void {
  it('guides from registration to the first webhook', async () => {
    const scene = sceneOf();
    const { receiver, payers, url } = scene.stack;
    const wallet = createMerchantWallet('BTC');
    const page = await scene.open({ viewport: DESKTOP });
    await page.goto(url);
    await at(page, 'login-other').click();
    await at(page, 'email').fill(account.email);
    await at(page, 'password').fill('short');
    await at(page, 'login-submit').click();
    await at(page, 'password-error').waitFor();
    await at(page, 'password').fill(account.password);
    await at(page, 'login-submit').click();

    await at(page, 'start-key').waitFor();
    await at(page, 'key-create').click();
    const key = await at(page, 'api-key-token').innerText();
    expect(key).toMatch(/^pw_\w+_\S+$/);
    await at(page, 'next-step').click();
    expect(await page.content()).not.toContain(key);

    await at(page, 'xpub').fill(
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    );
    await at(page, 'wallet-register').click();
    await at(page, 'xpub-error').waitFor();
    expect(await at(page, 'xpub-error').innerText()).toMatch(/private key/i);
    await at(page, 'xpub').fill(wallet.xpub);
    await page.locator('details.more summary').press('Enter');
    await at(page, 'script_type').selectOption(wallet.scriptType);
    await at(page, 'derivation_path').fill(wallet.derivationPath);
    await at(page, 'wallet-register').click();

    await at(page, 'own-address').fill(createMerchantWallet('BTC').addressAt(0));
    // The page must not contain the address that it asks for.
    expect((await at(page, 'start-verify').innerText()).replaceAll(/\s/g, '')).not.toContain(
      wallet.addressAt(0),
    );
    await at(page, 'verify-submit').click();
    await at(page, 'problem').waitFor();
    const shown = at(page, 'verification-address');
    await shown.waitFor();
    expect((await shown.innerText()).replaceAll(/\s/g, '')).toBe(wallet.addressAt(0));
    // Large enough to compare character by character.
    const { height } = (await shown.locator('code').boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(24);
    await at(page, 'own-address').fill(wallet.addressAt(0));
    await at(page, 'verify-submit').click();
    await at(page, 'verified').waitFor();
    await at(page, 'next-step').click();

    await at(page, 'url').fill(receiver.url);
    await at(page, 'webhook-set').click();
    const secret = await at(page, 'webhook-secret').innerText();
    receiver.setSecrets(secret);
    await at(page, 'test-event-send').click();
    await page.locator('[data-testid=event-outcome]', { hasText: 'HTTP 200' }).waitFor();
    await at(page, 'next-step').click();
    expect(await page.content()).not.toContain(secret);

    await at(page, 'expected_amount').fill('0.0025');
    await at(page, 'order_id').fill('order-1001');
    // The first addresses of a new wallet may not be derived yet: the page waits for them.
    await at(page, 'invoice-create').click();
    await at(page, 'invoice-created').waitFor();
    const payer = await scene.open();
    await payer.goto((await at(page, 'pay-url').innerText()).trim());
    await stage(payer, 'waiting');
    const address = (await at(payer, 'address').innerText()).replaceAll(/\s/g, '');
    await payers.BTC.pay(address, 250_000n);
    await stage(payer, 'seen');
    await payers.BTC.mine();
    await stage(payer, 'paid');
    const { data } = await receiver.waitFor(
      ({ type, data: { invoice } }) => type === 'invoice.confirmed' && invoice.order_id === 'order-1001',
    );
    expect(data.invoice.received_amount).toBe('250000');

    await at(page, 'all-done').waitFor();
    await goTo(page, 'nav-overview');
    await at(page, 'accepted-BTC').locator('.figure', { hasText: '0.0025' }).waitFor();
    expect(await at(page, 'chart-BTC').locator('svg').count()).toBe(1);
    expect(await at(page, 'nav-start').count()).toBe(0);
    await payer.context().close();
    await page.context().close();
  });

  it('shows an invoice with its timeline, finds it by filters, and explains empty lists', async () => {
    const scene = sceneOf();
    const page = await scene.open();
    await enter(page, scene);
    await goTo(page, 'nav-invoices');
    await at(page, 'filters').locator('summary').press('Enter');
    await at(page, 'status').and(page.locator('select')).selectOption('expired');
    await at(page, 'filter-apply').click();
    await at(page, 'empty').waitFor();
    expect(page.url()).toContain('status=expired');
    await at(page, 'filter-clear').click();
    await at(page, 'invoice-table').getByRole('link').first().click();
    await at(page, 'timeline').getByText('Invoice confirmed').waitFor();
    expect(await at(page, 'payment-table').innerText()).toContain('0.0025');
    await goTo(page, 'nav-donations');
    await at(page, 'empty').waitFor();
    await page.context().close();
  });

  it('shows each attempt of a webhook and redelivers it', async () => {
    const scene = sceneOf();
    const { receiver } = scene.stack;
    const page = await scene.open({ viewport: DESKTOP });
    await enter(page, scene);
    await goTo(page, 'nav-webhooks');
    receiver.script({ status: 500, body: 'the database is down' }, { status: 500 });
    await at(page, 'test-event-send').click();
    await page.locator('[data-testid=event-outcome]', { hasText: 'HTTP 500' }).waitFor();
    await at(page, 'event-link').click();
    await at(page, 'attempt').first().waitFor();
    expect(await at(page, 'attempts').innerText()).toContain('HTTP 500');
    receiver.script();
    await at(page, 'redeliver').click();
    await at(page, 'redelivered').waitFor();
    await at(page, 'attempts').getByText('HTTP 200').waitFor();
    await page.context().close();
  });

  it('shows a marked test alert on the open overlay, which follows changed settings', async () => {
    const scene = sceneOf();
    const page = await scene.open({ viewport: DESKTOP });
    await enter(page, scene);
    await goTo(page, 'nav-donations');
    const overlay = await scene.open({ viewport: DESKTOP });
    const connected = overlay.waitForResponse(/overlay\/.+\/events/);
    await overlay.goto(`${await at(page, 'overlay-url').innerText()}?duration=60`);
    await connected;
    await at(page, 'test-alert').click();
    const alert = overlay.locator('[data-testid=alert][data-shown=true]');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/^test\b/i);
    await at(page, 'overlay-settings-summary').press('Enter');
    await at(page, 'template').selectOption('plain');
    await overlay.locator('[data-template=plain]').waitFor();
    await overlay.context().close();
    await page.context().close();
  });

  it('revokes a key only after its name is confirmed, and lists it as revoked', async () => {
    const scene = sceneOf();
    const page = await scene.open();
    await enter(page, scene);
    await goTo(page, 'nav-keys');
    const revoke = page.locator('[data-testid^=revoke-]').first();
    const name = (await revoke.getAttribute('data-testid'))?.slice('revoke-'.length) ?? '';
    await revoke.click();
    const dialog = at(page, `revoke-${name}-dialog`);
    expect(await dialog.innerText()).toContain(name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await revoke.click();
    await at(page, `revoke-${name}-confirm`).click();
    await at(page, 'key-table').getByText('Revoked').waitFor();
    await page.context().close();
  });

  it('login and logout work with the keyboard alone, in German', async () => {
    const scene = sceneOf();
    const page = await scene.open({ locale: 'de-DE' });
    await page.goto(`${scene.stack.url}/account/login`);
    await at(page, 'email').focus();
    await page.keyboard.type(account.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await at(page, 'problem').waitFor();
    expect(await at(page, 'problem').innerText()).toBe('E-Mail-Adresse oder Passwort ist falsch.');
    await at(page, 'password').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(account.password);
    await page.keyboard.press('Enter');
    await at(page, 'overview').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.locator('h1').innerText()).toBe('Übersicht');
    await at(page, 'menu').focus();
    await page.keyboard.press('Enter');
    await at(page, 'logout').focus();
    await page.keyboard.press('Enter');
    await at(page, 'login').waitFor();
    await page.context().close();
  });

  it('a new tab is logged in, and a logout in one tab ends the session in both', async () => {
    const scene = sceneOf();
    const page = await scene.open({ viewport: DESKTOP });
    await enter(page, scene);
    await at(page, 'overview').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${scene.stack.url}/account/settings`);
    expect(await at(tab, 'account-email').innerText()).toBe(account.email);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const kept = 'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])';
    expect(await tab.evaluate(kept)).not.toMatch(new RegExp(`ses_|${cookie?.value}`));
    await goTo(tab, 'logout');
    await at(tab, 'login').waitFor();
    await at(page, 'login').waitFor();
    // The API must reject the cookie of the ended session.
    const headers = { cookie: `${cookie?.name}=${cookie?.value}`, 'x-paywatch-page': 'account' };
    expect((await fetch(`${scene.stack.url}/v1/me`, { headers })).status).toBe(401);
    await page.context().close();
  });

  it('"log out everywhere" and a password change end every session', async () => {
    const scene = sceneOf();
    const [here, there] = [await scene.open(), await scene.open()];
    await enter(here, scene);
    await enter(there, scene);
    await at(there, 'overview').waitFor();
    await goTo(here, 'nav-account');
    await expect.poll(() => at(here, 'subscription').innerText()).toContain('Active until');
    await at(here, 'logout-all').click();
    await at(here, 'logout-all-confirm').click();
    await at(here, 'end-reason').waitFor();
    await goTo(there, 'nav-invoices');
    await at(there, 'end-reason').waitFor();

    await enter(here, scene);
    await goTo(here, 'nav-account');
    await at(here, 'current_password').fill('wrong password');
    await at(here, 'new_password').fill('longer than before');
    await at(here, 'password-change').click();
    await at(here, 'current_password-error').waitFor();
    await at(here, 'current_password').fill(account.password);
    await at(here, 'password-change').click();
    await at(here, 'end-reason').waitFor();
    await enter(here, scene);
    await at(here, 'problem').waitFor();
    await enter(here, scene, { ...account, password: 'longer than before' });
    await at(here, 'overview').waitFor();
    await here.context().close();
    await there.context().close();
  });
}
