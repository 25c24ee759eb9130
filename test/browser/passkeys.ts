import { freePort } from '@paywatch/dev/servers';
import { serviceProgram, startStackService, type StackService } from '@paywatch/dev/stack';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scene } from './scene.ts';

const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);
const PASSWORD = 'long enough for this';

/** Passkeys in the browser's virtual authenticator. An IP address has none, so a replica serves these pages on localhost. */
export function describePasskeys(sceneOf: () => Scene): void {
  let replica: StackService;
  let origin = '';
  beforeAll(async () => {
    const { folder, env } = sceneOf().stack;
    const port = await freePort();
    origin = `http://localhost:${port}`;
    replica = await startStackService({
      name: 'api-with-passkeys',
      entry: serviceProgram('api'),
      folder,
      env: { ...env, PUBLIC_URL: origin },
      address: { port, adminPort: await freePort() },
    });
  });
  afterAll(() => replica.stop());

  it('are added, log in with and without the password, allow a change, and are removed', async () => {
    const scene = sceneOf();
    const page = await scene.open();
    await addAuthenticator(page);
    const email = await register(page, origin);
    await openSettings(page, origin);
    await addPasskey(page, 'My laptop');
    await at(page, 'codes-kept').click();
    expect(await at(page, 'second-factor').innerText()).toContain('My laptop');

    await logOut(page);
    await givePassword(page, email);
    await at(page, 'second-step-passkey').click();
    await page.locator('.shell').waitFor();

    await logOut(page);
    await at(page, 'passkey-login').click();
    await page.locator('.shell').waitFor();

    await openSettings(page, origin);
    await scene.sql`
      update sessions set reauthenticated_at = now() - interval '11 minutes'
      where account_id = (select id from accounts where email = ${email})`;
    await at(page, 'rename-factor').click();
    await at(page, 'rename-form').locator('input').fill('Work laptop');
    await at(page, 'rename-submit').click();
    await at(page, 'reauthentication-passkey').click();
    await at(page, 'second-factor').locator('strong', { hasText: 'Work laptop' }).waitFor();
    await at(page, 'remove-factor').click();
    await at(page, 'remove-factor-confirm').click();
    await at(page, 'second-factor').waitFor({ state: 'detached' });

    await logOut(page);
    await at(page, 'passkey-login').click();
    await at(page, 'passkey-failed').waitFor();
    await givePassword(page, email);
    await page.locator('.shell').waitFor();
    await page.context().close();
  });

  it('that cannot verify their user are a second factor, too', async () => {
    const scene = sceneOf();
    const page = await scene.open();
    await addAuthenticator(page, { hasUserVerification: false });
    const email = await register(page, origin);
    await openSettings(page, origin);
    await addPasskey(page, 'Security key');
    await at(page, 'codes-kept').click();
    await logOut(page);
    await givePassword(page, email);
    await at(page, 'second-step-passkey').click();
    await page.locator('.shell').waitFor();
    expect(await at(page, 'login-form').count()).toBe(0);
    await page.context().close();
  });

  it('are not offered on an IP address', async () => {
    const page = await sceneOf().open();
    await page.goto(`${sceneOf().stack.url}/account/login`);
    await at(page, 'login-form').waitFor();
    expect(await at(page, 'passkey-login').count()).toBe(0);
    await page.context().close();
  });
}

/** Adds an authenticator that stores passkeys, with a user who is present. */
async function addAuthenticator(page: Page, { hasUserVerification = true } = {}): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: hasUserVerification ? 'internal' : 'usb',
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  });
}

async function register(page: Page, origin: string): Promise<string> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  await page.goto(`${origin}/account/register`);
  await at(page, 'email').fill(email);
  await at(page, 'password').fill(PASSWORD);
  await at(page, 'login-submit').click();
  await page.locator('.shell').waitFor();
  return email;
}

async function openSettings(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/account/settings`);
  await at(page, 'second-factors-state').waitFor();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await at(page, 'add-passkey').click();
  await at(page, 'passkey_name').fill(name);
  await at(page, 'passkey_password').fill(PASSWORD);
  await at(page, 'passkey-create').click();
  await at(page, 'recovery-codes').waitFor();
}

async function logOut(page: Page): Promise<void> {
  await at(page, 'menu').click();
  await at(page, 'logout').click();
  await at(page, 'login-form').waitFor();
}

async function givePassword(page: Page, email: string): Promise<void> {
  await at(page, 'email').fill(email);
  await at(page, 'password').fill(PASSWORD);
  await at(page, 'login-submit').click();
}
