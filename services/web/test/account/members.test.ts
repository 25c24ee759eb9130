import type { ProjectRole } from '@paywatch/domain/roles';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditPage, findCardOverflow } from '../support/apis/audit-page.ts';
import { connectBrowser, openPage, SIZES } from '../support/browser.ts';
import {
  FIRST_PROJECT,
  INVITATION_TOKEN,
  invitationOf,
  memberOf,
  OTHER_PROJECT,
  projectOf,
} from '../support/apis/member-api.ts';
import { startMerchantServer } from '../support/apis/merchant-api.ts';
import {
  endpointOf,
  eventOf,
  merchantInvoiceId,
  merchantInvoices,
  walletState,
} from '../support/merchant-data.ts';
import { RIGHT_CODE } from '../support/apis/second-factor-api.ts';

/* Members, invitations and projects. test/browser/members.ts has the same story with the real API and real mails. */

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
  ({ page, context, pageErrors } = await openPage(browser));
});
afterEach(async () => {
  await context.close();
  if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
});

const at = (testId: string) => page.locator(`[data-testid="${testId}"]`);
const dialog = () => page.locator('dialog[open]');

async function logIn(tab = page): Promise<void> {
  await tab.locator('[data-testid="email"]').fill('merchant@example.com');
  await tab.locator('[data-testid="password"]').fill('long enough');
  await tab.locator('[data-testid="login-submit"]').click();
}

async function open(path: string, language = 'en'): Promise<void> {
  await page.goto(`${server.url}/account/login?lang=${language}`);
  await logIn();
  await page.locator('.shell').waitFor();
  await page.goto(`${server.url}${path}`);
  await page.locator('.shell .screen').waitFor();
}

/** A project of somebody else, in which the account of the test has a role. */
function joinAs(role: ProjectRole): void {
  const { people } = server.state;
  people.projects.push(projectOf({ project_id: OTHER_PROJECT, name: 'Ada’s Shop', role, first: false }));
  people.members = [
    memberOf({ id: null, role: 'owner', email: 'ada@example.com' }),
    memberOf({ role, email: 'merchant@example.com', is_you: true }),
  ];
}

/** Opens a screen of the other project. */
async function openOther(role: ProjectRole, path: string): Promise<void> {
  joinAs(role);
  await open('/account/projects');
  await at(`open-${OTHER_PROJECT}`).click();
  await at('current-project').getByText('Ada’s Shop').waitFor({ state: 'attached' });
  await page.goto(`${server.url}${path}`);
  await page.locator('.shell .screen').waitFor();
}

function addPeople(): void {
  const { people: all } = server.state;
  all.members.push(
    memberOf({}),
    memberOf({
      id: '9c1f6b52-0d3e-4a7b-8f44-6f2d1b7c5e02',
      email: 'a.very.long.name.that.does.not.end@subdomain.of.a.long.domain.example.com',
      role: 'support',
    }),
  );
  all.invitations.push(invitationOf({}));
}

describe.each(['en', 'de'])('in %s', (language) => {
  it('members, invitations and their dialogs pass the audit', async () => {
    addPeople();
    await open('/account/members', language);
    await at('invitation').waitFor();
    expect(await auditPage(page, `members-${language}`)).toEqual({});
    for (const size of ['phone', 'desktop'] as const) {
      await page.setViewportSize(SIZES[size]);
      expect(await findCardOverflow(page)).toEqual([]);
    }
    await at('role-change').first().click();
    await dialog().waitFor();
    expect(await auditPage(page, `members-role-${language}`)).toEqual({});
    await page.keyboard.press('Escape');
    await at('member-remove').first().click();
    await dialog().waitFor();
    expect(await auditPage(page, `members-remove-${language}`)).toEqual({});
  });

  it('a project without members says how to get the first one', async () => {
    await open('/account/members', language);
    await at('empty').waitFor();
    expect(await auditPage(page, `members-empty-${language}`)).toEqual({});
  });

  it('the list of a member passes the audit, and offers nothing but to leave', async () => {
    await openOther('support', '/account/members');
    await page.goto(`${server.url}/account/members?lang=${language}`);
    await at('leave-project').waitFor();
    expect(await at('invite').count()).toBe(0);
    expect(await at('member-remove').count()).toBe(0);
    expect(await auditPage(page, `members-support-${language}`)).toEqual({});
  });

  it('projects pass the audit', async () => {
    joinAs('manager');
    await open('/account/projects', language);
    expect(await auditPage(page, `projects-${language}`)).toEqual({});
  });

  it('the pages of an invitation pass the audit', async () => {
    await page.goto(`${server.url}/account/accept-invitation?lang=${language}#${INVITATION_TOKEN}`);
    await at('login-first').waitFor();
    expect(await auditPage(page, `invitation-login-${language}`)).toEqual({});
    await at('invitation-register').click();
    await at('invitation-waits').waitFor();
    expect(await auditPage(page, `invitation-register-${language}`)).toEqual({});
    await at('login-other').click();
    await logIn();
    await at('accept-submit').waitFor();
    expect(await auditPage(page, `invitation-accept-${language}`)).toEqual({});
    await at('accept-submit').click();
    await at('joined').waitFor();
    expect(await auditPage(page, `invitation-joined-${language}`)).toEqual({});
  });
});

describe('the screen of members', () => {
  it('invites by keyboard alone, and cancels the invitation after a question', async () => {
    await open('/account/members');
    await at('invite_email').focus();
    await page.keyboard.type('not an address');
    await page.keyboard.press('Enter');
    await at('invite_email-error').waitFor();
    await at('invite_email').fill('new@example.com');
    await at('invite_email').press('Tab');
    // The focus is on the chosen role.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await at('invited').waitFor();
    expect(await at('invited').innerText()).toContain('new@example.com');
    expect(await at('invite_email').inputValue()).toBe('');
    expect(server.state.people.invitations).toMatchObject([{ email: 'new@example.com', role: 'accountant' }]);
    expect(await at('invitation').innerText()).toContain('Accountant');
    await at('invitation-cancel').press('Enter');
    expect(await dialog().innerText()).toContain('new@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await at('no-invitations').waitFor();
    expect(server.state.people.invitations).toEqual([]);
  });

  it.each([
    ['manager@example.com', 'already works in this project'],
    ['one.more@example.com', 'maximum number of members and invitations'],
  ])('says at the address why %s cannot be invited', async (email, why) => {
    addPeople();
    const ids = Array.from({ length: 18 }, (_, index) => String(index + 10));
    server.state.people.invitations = ids.map((n) =>
      invitationOf({ id: `7a40f1d8-93c2-4be5-8a16-5d0e2c9b3f${n}`, email: `one${n}@example.com` }),
    );
    await open('/account/members');
    await at('invite_email').fill(email);
    await at('invite-submit').click();
    await at('invite_email-error').getByText(why).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('invite_email');
  });

  it('cannot invite without mail, or before the own address is verified', async () => {
    server.state.me.account.email_verified = false;
    await open('/account/members');
    await at('invite-unverified').waitFor();
    server.state.me.account.mail_enabled = false;
    await page.reload();
    await at('invite-mail-off').waitFor();
    expect(await at('invite-form').count()).toBe(0);
  });

  it('changes a role in a dialog that explains all of them, after a code where one is needed', async () => {
    addPeople();
    await open('/account/members');
    server.state.second.isProofNeeded = true;
    await at('role-change').first().press('Enter');
    expect(await dialog().innerText()).toContain('manager@example.com');
    expect(await dialog().innerText()).toContain('Can view invoices, donations and events');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await at('reauthentication_code').fill(RIGHT_CODE);
    await at('reauthentication_code').press('Enter');
    await at('member-role').nth(1).getByText('Accountant').waitFor();
    expect(server.state.people.members[1]).toMatchObject({ role: 'accountant' });
    expect(await dialog().count()).toBe(0);
  });

  it('removes a member after naming what ends and what stays valid', async () => {
    addPeople();
    await open('/account/members');
    await at('member-remove').first().click();
    const text = await dialog().innerText();
    expect(text).toContain('Remove \u2068manager@example.com\u2069?');
    expect(text).toContain('lose access to this project at once');
    expect(text).toContain('Webhook signing secrets');
    expect(text).toContain('stay valid');
    await dialog().locator('[data-testid="member-remove-confirm"]').click();
    await at('member-removed').getByText('was removed').waitFor();
    expect(await at('member-removed').innerText()).toContain('manager@example.com');
    expect(await at('member').count()).toBe(2);
    // The button is gone, so the focus is on the result.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('result');
  });

  it('shows the list again if the member left meanwhile', async () => {
    addPeople();
    await open('/account/members');
    server.state.people.members.splice(1, 1);
    await at('member-remove').first().click();
    await dialog().locator('[data-testid="member-remove-confirm"]').click();
    await page.getByText('has already left or was removed').waitFor();
    await expect.poll(() => at('member').count()).toBe(2);
  });
});

describe('projects', () => {
  it('are switched for one tab, and every request names the one that is open', async () => {
    server.state.invoices = merchantInvoices();
    await openOther('owner', '/account/invoices');
    server.state.calls.length = 0;
    await page.goto(`${server.url}/account/invoices`);
    const [file] = await Promise.all([page.waitForEvent('download'), at('download-invoices-csv').click()]);
    expect(file.suggestedFilename()).toBe('paywatch-invoices.csv');
    const { calls } = server.state;
    expect(calls.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['getMe', 'listInvoices', 'exportInvoices']),
    );
    expect(calls.filter(({ project }) => project !== OTHER_PROJECT)).toEqual([]);
    const tab = await context.newPage();
    await tab.goto(`${server.url}/account/projects`);
    await tab.locator('[data-testid="project-current"]').waitFor();
    const first = tab.locator('[data-testid="project"]').first();
    expect(await first.innerText()).toContain('Open in this tab');
    await page.reload();
    await at('current-project').getByText('Ada’s Shop').waitFor({ state: 'attached' });
  });

  it('are created with a name, and opened then; the shell names the project once there are two', async () => {
    await open('/account/settings');
    expect(await at('current-project').count()).toBe(0);
    await at('projects-link').click();
    await at('new_project_name').fill('Second Shop');
    await at('new_project_name').press('Enter');
    await at('current-project').getByText('Second Shop').waitFor({ state: 'attached' });
    expect(server.state.people.projects).toMatchObject([{ first: true }, { name: 'Second Shop' }]);
  });

  it('lead back to the first one with a message when access has ended, on the next request', async () => {
    await openOther('manager', '/account/members');
    server.state.people.projects.pop();
    await at('menu').click();
    await at('nav-invoices').click();
    await at('project-lost').waitFor();
    expect(await at('project-lost').innerText()).toContain('no longer have access');
    expect(await page.evaluate(() => sessionStorage.getItem('paywatch.project'))).toBeNull();
    expect(await at('current-project').count()).toBe(0);
    expect(await auditPage(page, 'project-lost')).toEqual({});
    await page.setViewportSize(SIZES.phone);
    await at('menu').click();
    await at('nav-invoices').click();
    await at('invoices').waitFor();
    await at('project-lost').waitFor({ state: 'detached' });
    expect(server.state.calls.at(-1)?.project).toBeUndefined();
  });

  it('are left after a question', async () => {
    await openOther('accountant', '/account/members');
    await at('leave-project').click();
    expect(await dialog().innerText()).toContain('Leave \u2068Ada’s Shop\u2069?');
    await dialog().locator('[data-testid="leave-project-confirm"]').click();
    await at('start').waitFor();
    expect(await at('project-lost').count()).toBe(0);
    expect(server.state.people.projects).toMatchObject([{ project_id: FIRST_PROJECT }]);
  });

  it('are forgotten with the logout', async () => {
    await openOther('manager', '/account/invoices');
    await at('menu').click();
    await at('logout').click();
    await at('login').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

/** The test ids of the navigation. */
const links = () =>
  page.locator('.nav a[data-testid]').evaluateAll((found) => found.map((link) => link.dataset['testid']));

describe('what a role shows', () => {
  beforeEach(() => {
    server.state.me.project.wallets = [walletState()];
    server.state.invoices = merchantInvoices();
  });

  it.each([
    [
      'owner',
      [
        'nav-start',
        'nav-overview',
        'nav-invoices',
        'nav-links',
        'nav-donations',
        'nav-wallets',
        'nav-webhooks',
        'nav-keys',
        'nav-members',
        'nav-account',
      ],
    ],
    [
      'manager',
      [
        'nav-overview',
        'nav-invoices',
        'nav-links',
        'nav-donations',
        'nav-wallets',
        'nav-webhooks',
        'nav-keys',
        'nav-members',
        'nav-account',
      ],
    ],
    [
      'accountant',
      [
        'nav-overview',
        'nav-invoices',
        'nav-links',
        'nav-donations',
        'nav-wallets',
        'nav-webhooks',
        'nav-members',
        'nav-account',
      ],
    ],
    ['support', ['nav-invoices', 'nav-donations', 'nav-webhooks', 'nav-members', 'nav-account']],
  ] as const)('%s: the navigation', async (role, expected) => {
    await openOther(role, '/account/members');
    expect(await links()).toEqual(expected);
  });

  it.each([
    ['manager', '/account/keys', ['key-form']],
    ['manager', '/account/wallets', ['wallet-form', 'gap-limit-form', 'wallet-delay']],
    ['manager', '/account/settings', ['audit-link', 'export-account', 'export-audit']],
    ['accountant', '/account/invoices', ['new-invoice-link']],
    ['accountant', `/account/invoices/${merchantInvoiceId('A')}`, ['extend']],
    ['accountant', '/account/links', ['sites', 'link-form']],
    [
      'accountant',
      '/account/webhooks',
      ['endpoint-add', 'rotate-secret', 'endpoint-delete', 'test-event-send'],
    ],
    ['accountant', '/account/webhooks/evt_testA', ['redeliver']],
    ['accountant', '/account/donations', ['overlay', 'moderation', 'donor-texts', 'rotate-donate']],
    ['accountant', '/account/settings', ['project-form', 'fiat-save', 'audit-link', 'subscription-offer']],
    ['support', '/account/invoices', ['new-invoice-link', 'downloads']],
    ['support', '/account/webhooks', ['endpoints', 'test-event-send']],
    ['support', '/account/settings', ['project-form', 'subscription', 'export-account', 'export-invoices']],
  ] as const)('%s: no control on %s that the API would refuse', async (role, path, hidden) => {
    server.state.endpoints = [endpointOf()];
    server.state.events = [eventOf({ id: 'evt_testA' })];
    await openOther('owner', path);
    for (const testId of hidden) await at(testId).first().waitFor({ state: 'attached' });
    server.state.people.projects[1] = projectOf({ ...server.state.people.projects[1], role });
    await page.reload();
    await page.locator('.shell .screen').waitFor();
    await page.waitForLoadState('networkidle');
    for (const testId of hidden) expect([testId, await at(testId).count()]).toEqual([testId, 0]);
    const refused = await at('problem').allInnerTexts();
    expect(refused).toEqual([]);
  });

  it.each([
    ['support', '/account', 'invoices'],
    ['support', '/account/start', 'invoices'],
    ['support', '/account/wallets', 'unknown'],
    ['manager', '/account/audit', 'unknown'],
    ['accountant', '/account/invoices/new', 'unknown'],
  ] as const)('%s: %s leads to the screen %s', async (role, path, screen) => {
    await openOther(role, path);
    await at(screen).waitFor();
    expect(await at('problem').count()).toBe(0);
  });
});

describe('an invitation', () => {
  it('is kept while its reader registers, also in another tab, and is used once', async () => {
    await page.goto(`${server.url}/account/accept-invitation#${INVITATION_TOKEN}`);
    await at('login-first').waitFor();
    expect(page.url()).not.toContain('good');
    const tab = await context.newPage();
    await tab.goto(`${server.url}/account/login`);
    await tab.locator('[data-testid="invitation-waits"]').waitFor();
    await logIn(tab);
    await tab.locator('[data-testid="accept-submit"]').waitFor();
    await at('accept-submit').waitFor();
    expect(await at('accept-as').innerText()).toContain('merchant@example.com');
    await at('accept-submit').press('Enter');
    await at('joined').waitFor();
    expect(await at('joined').innerText()).toContain(
      'You now work in \u2068Ada’s Shop\u2069. Your role: Support.',
    );
    await at('open-joined').click();
    await at('invoices').waitFor();
    await at('current-project').getByText('Ada’s Shop').waitFor({ state: 'attached' });
    await tab.locator('[data-testid="accept-submit"]').click();
    await tab.locator('[data-testid="invitation-already"]').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('paywatch.invitation'))).toBeNull();
  });

  it('with a dead link says so, and is forgotten', async () => {
    await open('/account/settings');
    await page.goto(`${server.url}/account/accept-invitation#${'used'.padEnd(43, 'x')}`);
    await at('accept-submit').click();
    await at('invitation-dead').waitFor();
    expect(await auditPage(page, 'invitation-dead')).toEqual({});
    await at('to-overview').click();
    await at('start').waitFor();
    await page.goto(`${server.url}/account/accept-invitation`);
    await at('no-token').waitFor();
  });

  it('of another address asks for another account, and keeps the link', async () => {
    server.state.people.invited = 'other@example.com';
    await open('/account/settings');
    await page.goto(`${server.url}/account/accept-invitation#${INVITATION_TOKEN}`);
    await at('accept-submit').click();
    await at('other-email').getByText('merchant@example.com').waitFor();
    expect(await auditPage(page, 'invitation-other')).toEqual({});
    await at('other-account').click();
    await at('invitation-waits').waitFor();
    server.state.people.invited = 'merchant@example.com';
    await logIn();
    await at('accept-submit').click();
    await at('joined').waitFor();
  });

  it('can wait for another day, and is forgotten then', async () => {
    await open('/account/settings');
    await page.goto(`${server.url}/account/accept-invitation#${INVITATION_TOKEN}`);
    await at('decline').click();
    await page.locator('.shell').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('paywatch.invitation'))).toBeNull();
  });

  it('is kept for a day from the first time, if it has the form of a token, and a login leads there once', async () => {
    const kept = () => page.evaluate(() => localStorage.getItem('paywatch.invitation'));
    await page.goto(`${server.url}/account/accept-invitation#not-a-token`);
    await at('login-first').waitFor();
    expect(await kept()).toBeNull();
    // Seven hours ago.
    const sinceMs = Date.now() - 7 * 3_600_000;
    const old = `${INVITATION_TOKEN} ${sinceMs}`;
    await page.evaluate((value) => localStorage.setItem('paywatch.invitation', value), old);
    await page.goto(`${server.url}/account/login`);
    await logIn();
    await at('accept-submit').waitFor();
    await page.reload();
    await at('accept-submit').waitFor();
    expect(await kept()).toBe(`${old} shown`);
    await page.goto(`${server.url}/account/login`);
    await page.locator('.shell').waitFor();
    expect(page.url()).not.toContain('accept-invitation');
    await page.goto(`${server.url}/account/accept-invitation`);
    await at('accept-submit').waitFor();
  });

  it('goes on after the verification of a new account', async () => {
    await page.goto(`${server.url}/account/accept-invitation#${INVITATION_TOKEN}`);
    await at('login-first').waitFor();
    await page.goto(`${server.url}/account/verify-email#good`);
    await at('password').fill('long enough');
    await at('verify-submit').click();
    await at('to-invitation').click();
    await at('login-first').waitFor();
    expect(await at('no-token').count()).toBe(0);
  });
});
