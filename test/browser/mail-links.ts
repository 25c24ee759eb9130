import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Scene } from './scene.ts';

const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);
const EMAIL = 'mail.story@example.com';
const OTHER = 'mail.story.new@example.com';
const PASSWORD = 'long enough for now';
const NEW_PASSWORD = 'a longer one than before';

async function logIn(page: Page, { stack }: Scene, email: string, password: string): Promise<void> {
  await page.goto(`${stack.url}/account/login`);
  await at(page, 'email').fill(email);
  await at(page, 'password').fill(password);
  await at(page, 'login-submit').click();
}

/** Opens the link of the mail as its reader does, in a new page without a session. */
async function openMail(scene: Scene, to: string, subject: string): Promise<Page> {
  const mail = await scene.stack.mail.waitFor((one) => one.to === to && one.subject.startsWith(subject));
  const page = await scene.open();
  await page.goto(mail.link ?? '');
  return page;
}

/** The account of one person, from the registration to a new password and a new email, by real mails. */
export function describeMailLinks(sceneOf: () => Scene): void {
  it('verifies an address, resets a password and changes an email by the links of mails', async () => {
    const scene = sceneOf();
    const page = await scene.open();
    await page.goto(`${scene.stack.url}/account/register`);
    await at(page, 'email').fill(EMAIL);
    await at(page, 'password').fill(PASSWORD);
    await at(page, 'login-submit').click();
    await at(page, 'start').waitFor();
    await page.goto(`${scene.stack.url}/account/settings`);
    await at(page, 'email-unverified').waitFor();

    const verification = await openMail(scene, EMAIL, 'Verify');
    await at(verification, 'password').fill(PASSWORD);
    expect(verification.url()).not.toContain('#');
    await at(verification, 'verify-submit').click();
    await at(verification, 'email-verified').waitFor();
    await page.reload();
    await at(page, 'email-form').waitFor();
    expect(await at(page, 'email-unverified').count()).toBe(0);

    const forgetful = await scene.open();
    await forgetful.goto(`${scene.stack.url}/account/login`);
    await at(forgetful, 'forgot').click();
    await at(forgetful, 'email').fill(EMAIL);
    await at(forgetful, 'forgot-submit').click();
    await at(forgetful, 'link-sent').waitFor();
    const reset = await openMail(scene, EMAIL, 'Reset');
    await at(reset, 'new_password').fill('mail.story');
    await at(reset, 'reset-submit').click();
    await at(reset, 'new_password-error').waitFor();
    await at(reset, 'new_password').fill(NEW_PASSWORD);
    await at(reset, 'reset-submit').click();
    await at(reset, 'end-reason').waitFor();
    await page.reload();
    await at(page, 'login').waitFor();
    await logIn(page, scene, EMAIL, PASSWORD);
    await at(page, 'problem').waitFor();
    await logIn(page, scene, EMAIL, NEW_PASSWORD);
    await at(page, 'start').waitFor();
    const used = await openMail(scene, EMAIL, 'Reset');
    await at(used, 'new_password').fill(NEW_PASSWORD);
    await at(used, 'reset-submit').click();
    await at(used, 'problem').getByText('already used').waitFor();

    await page.goto(`${scene.stack.url}/account/settings`);
    await at(page, 'new_email').fill(OTHER);
    await at(page, 'email_password').fill(NEW_PASSWORD);
    await at(page, 'email-change').click();
    await at(page, 'email-pending').getByText(OTHER).waitFor();
    const oldMailbox = await openMail(scene, EMAIL, 'Confirm');
    await at(oldMailbox, 'confirm-submit').click();
    await at(oldMailbox, 'email-confirmed').waitFor();
    const newMailbox = await openMail(scene, OTHER, 'Confirm');
    await at(newMailbox, 'confirm-submit').click();
    await at(newMailbox, 'email-changed').waitFor();
    await scene.stack.mail.waitFor(({ to, subject }) => to === EMAIL && subject.includes('was changed'));
    await logIn(newMailbox, scene, OTHER, NEW_PASSWORD);
    await at(newMailbox, 'start').waitFor();
    for (const one of [page, verification, forgetful, reset, used, oldMailbox, newMailbox])
      await one.context().close();
  });
}
