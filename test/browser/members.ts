import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { DESKTOP, type Scene } from './scene.ts';

const at = (page: Page, testId: string) => page.locator(`[data-testid="${testId}"]`);
const OWNER = 'members.owner@example.com';
const COLLEAGUE = 'members.colleague@example.com';
const PASSWORD = 'long enough for now';

/** Fills in the form that is shown, to register or to log in. */
async function enter(page: Page, email: string): Promise<void> {
  await at(page, 'email').fill(email);
  await at(page, 'password').fill(PASSWORD);
  await at(page, 'login-submit').click();
}

/** The link of the newest mail to an address whose subject begins so. */
async function linkTo({ stack }: Scene, to: string, subject: string): Promise<string> {
  const mail = await stack.mail.waitFor((one) => one.to === to && one.subject.startsWith(subject));
  return mail.link ?? '';
}

/** An owner with a verified address and a named project. */
async function openOwner(scene: Scene): Promise<Page> {
  const page = await scene.open({ viewport: DESKTOP });
  await page.goto(`${scene.stack.url}/account/register`);
  await enter(page, OWNER);
  await at(page, 'start').waitFor();
  await page.goto(await linkTo(scene, OWNER, 'Verify'));
  await at(page, 'password').fill(PASSWORD);
  await at(page, 'verify-submit').click();
  await at(page, 'email-verified').waitFor();
  await page.goto(`${scene.stack.url}/account/settings`);
  await at(page, 'project_name').fill('Members’ Shop');
  await at(page, 'project-save').click();
  await at(page, 'project-saved').waitFor();
  return page;
}

/** Answers the question of a button. */
async function confirm(page: Page, testId: string): Promise<void> {
  await at(page, testId).click();
  await page.locator(`dialog[open] [data-testid="${testId}-confirm"]`).click();
}

async function invite(owner: Page, { stack }: Scene, role: string): Promise<void> {
  await owner.goto(`${stack.url}/account/members`);
  await at(owner, 'invite_email').fill(COLLEAGUE);
  await at(owner, `invite_role-${role}`).check();
  await at(owner, 'invite-submit').click();
  await at(owner, 'invited').waitFor();
}

/** Members and projects on the real API, with real mails. */
export function describeMembers(sceneOf: () => Scene): void {
  it('invites a colleague by mail, changes the role, and ends the access', async () => {
    const scene = sceneOf();
    const owner = await openOwner(scene);
    await invite(owner, scene, 'manager');
    const link = await linkTo(scene, COLLEAGUE, 'You are invited');

    const colleague = await scene.open({ viewport: DESKTOP });
    await colleague.goto(link);
    await at(colleague, 'login-first').waitFor();
    expect(colleague.url()).not.toContain('#');
    await at(colleague, 'invitation-register').click();
    await at(colleague, 'invitation-waits').waitFor();
    await enter(colleague, COLLEAGUE);
    await at(colleague, 'accept-as').getByText(COLLEAGUE).waitFor();
    await at(colleague, 'accept-submit').click();
    await at(colleague, 'joined').getByText('Members’ Shop').waitFor();
    await at(colleague, 'open-joined').click();
    await at(colleague, 'current-project').getByText('Members’ Shop').waitFor();
    await at(colleague, 'nav-keys').click();
    await at(colleague, 'keys').waitFor();
    expect(await at(colleague, 'key-create').count()).toBe(0);

    await owner.reload();
    await at(owner, 'member').nth(1).getByText(COLLEAGUE, { exact: true }).waitFor();
    await at(owner, 'no-invitations').waitFor();
    await at(owner, 'role-change').click();
    await owner.locator('dialog[open] input[value="support"]').check();
    await at(owner, 'role-save').click();
    await at(owner, 'member-role').nth(1).getByText('Support').waitFor();
    await colleague.goto(`${scene.stack.url}/account`);
    await at(colleague, 'invoices').waitFor();
    expect(await at(colleague, 'nav-wallets').count()).toBe(0);
    expect(await at(colleague, 'new-invoice-link').count()).toBe(0);

    await confirm(owner, 'member-remove');
    await at(owner, 'member-removed').waitFor();
    await at(colleague, 'nav-members').click();
    await at(colleague, 'project-lost').getByText('no longer have access').waitFor();
    expect(await at(colleague, 'current-project').count()).toBe(0);
    await colleague.goto(link);
    await at(colleague, 'accept-submit').click();
    await at(colleague, 'invitation-dead').waitFor();
    await scene.stack.mail.waitFor(({ to, subject }) => to === OWNER && subject.startsWith('The members'));
    for (const one of [owner, colleague]) await one.context().close();
  });

  it('creates a second project, and each tab keeps its own', async () => {
    const scene = sceneOf();
    const page = await scene.open({ viewport: DESKTOP });
    await page.goto(`${scene.stack.url}/account/login`);
    await enter(page, OWNER);
    await page.locator('.shell').waitFor();
    await page.goto(`${scene.stack.url}/account/projects`);
    await at(page, 'new_project_name').fill('Second Shop');
    await at(page, 'project-create').click();
    await at(page, 'current-project').getByText('Second Shop').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${scene.stack.url}/account/members`);
    await at(tab, 'current-project').getByText('Members’ Shop').waitFor();
    await page.reload();
    await at(page, 'current-project').waitFor();
    expect(await at(page, 'current-project').innerText()).toBe('Second Shop');
    await page.context().close();
  });
}
