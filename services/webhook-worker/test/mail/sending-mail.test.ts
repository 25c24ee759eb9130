import {
  createCertificateAuthority,
  createTestServers,
  recordCommands,
  startMailServer,
  type CertificateAuthority,
  type MailServer,
} from '@paywatch/dev/servers';
import { waitUntil } from '@paywatch/dev/testing';
import { createLogger, createRegistry } from '@paywatch/runtime/observability';
import { parseMailSettings } from '@paywatch/runtime/mail';
import { sha256 } from '@paywatch/runtime/security';
import { openStore, type Store } from '@paywatch/store';
import { cancelWalletChangesByLink } from '@paywatch/store/accounts';
import { claimMail, queueMail, type MailKind } from '@paywatch/store/mails';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startMailWorker, type MailWorker } from '../../src/mail/mail-worker.ts';

const LOGIN = { user: 'paywatch', password: 'a long p@ssword' };
const PUBLIC_URL = 'https://pay.example';

let servers: Awaited<ReturnType<typeof createTestServers>>;
let store: Store;
let folder: string;
let authority: CertificateAuthority;
let smtp: MailServer;
let accountId: bigint;
let email: string;
const logLines: string[] = [];
const running: MailWorker[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paywatch-mail-'));
  [servers, authority] = await Promise.all([createTestServers(), createCertificateAuthority(folder)]);
  store = openStore({
    ...servers,
    role: 'worker',
    applicationName: 'mail-test',
    poolSize: 4,
    onRedisError: () => undefined,
  });
});
afterAll(async () => {
  await store.close();
  await servers.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  smtp = await startMailServer({ certificate: await authority.issue(), login: LOGIN });
  email = `${crypto.randomUUID()}@example.com`;
  const [account] = await store.sql<{ id: bigint }[]>`
    insert into accounts (email, password_hash) values (${email}, 'none') returning id`;
  accountId = account!.id;
  logLines.length = 0;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
  await smtp.stop();
  await store.sql`delete from mails`;
});

async function startWorker(
  options: { url?: string; isQueueServing?: boolean; leaseSeconds?: number } = {},
): Promise<void> {
  const mail = parseMailSettings({
    MAIL_URL: options.url ?? smtp.url,
    MAIL_FROM: 'Paywatch <no-reply@pay.example>',
    MAIL_CA: authority.caPem,
  });
  const worker = await startMailWorker(
    {
      store,
      logger: createLogger({
        service: 'test',
        level: 'trace',
        destination: { write: (line) => logLines.push(line) },
      }),
      registry: createRegistry('test'),
      isQueueServing: () => options.isQueueServing ?? true,
    },
    {
      mail: mail!,
      publicUrl: PUBLIC_URL,
      pollMs: 100,
      noticeEveryMs: 300_000,
      leaseSeconds: options.leaseSeconds ?? 30,
    },
  );
  running.push(worker);
}

const queue = (kind: MailKind = 'already_registered', recipient = email) =>
  store.sql.begin((tx) => queueMail(tx, { accountId, recipient, kind, language: 'en' }));

async function readMail(): Promise<{ id: bigint; status: string; claims: number }> {
  const [mail] = await store.sql<{ id: bigint; status: string; claims: number }[]>`
    select id, status, claims from mails where account_id = ${accountId}`;
  return mail!;
}

async function expectStatus(status: string): Promise<void> {
  await waitUntil(async () => (await readMail()).status !== 'pending', { what: 'the end of a mail' });
  expect((await readMail()).status).toBe(status);
}

/** Waits for an attempt that failed, then makes the next one due. */
async function afterFailedAttempt(attempt: number): Promise<void> {
  await waitUntil(() => logLines.filter((line) => line.includes('mail not accepted')).length >= attempt, {
    what: 'a failed attempt',
  });
  await makeDue();
}

/** Repeated, because the result of the attempt may be recorded after it. */
async function makeDue(): Promise<void> {
  await waitUntil(
    async () => {
      await store.sql`
        update mails set next_attempt_at = now(), relay_at = now()
        where status = 'pending' and next_attempt_at > now() + interval '5 seconds'
          and next_attempt_at < now() + interval '100 seconds'`;
      const [row] = await store.sql`
        select from mails where account_id = ${accountId} and (status <> 'pending' or next_attempt_at <= now())`;
      return row !== undefined;
    },
    { what: 'a due mail', everyMs: 20 },
  );
}

describe('a queued mail', () => {
  test('arrives once, encrypted, as plain text and HTML, with a link to this deployment', async () => {
    await startWorker();
    await startWorker();
    await queue();
    const mail = await smtp.waitFor(({ to }) => to === email);
    await expectStatus('sent');
    expect(smtp.mails).toHaveLength(1);
    expect(mail).toMatchObject({
      from: 'no-reply@pay.example',
      subject: 'You already have an account',
      link: `${PUBLIC_URL}/account/forgot-password?lang=en`,
      isEncrypted: true,
    });
    expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@pay\.example>$/);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.html).toContain('<a href="https://pay.example/account/forgot-password?lang=en"');
    expect(mail.html).not.toMatch(/<img|<script|<link|style=/);
  });

  test('is written in the language of the account', async () => {
    await store.sql`update accounts set language = 'de' where id = ${accountId}`;
    await startWorker();
    await queue();
    const { subject, link } = await smtp.waitFor(({ to }) => to === email);
    expect(subject).toBe('Sie haben bereits ein Konto');
    expect(link).toContain('?lang=de');
  });

  test('that was accepted but not confirmed arrives again with the same Message-ID', async () => {
    smtp.hangUpAfter(1);
    await startWorker();
    await queue();
    await smtp.waitFor(({ to }) => to === email);
    await afterFailedAttempt(1);
    await expectStatus('sent');
    expect(smtp.mails.map(({ messageId }) => messageId)).toHaveLength(2);
    expect(new Set(smtp.mails.map(({ messageId }) => messageId)).size).toBe(1);
  });

  test('survives a worker that dies after the claim', async () => {
    await queue();
    await claimMail(store, (await readMail()).id, 60);
    await startWorker();
    await makeDue();
    await smtp.waitFor(({ to }) => to === email);
    await expectStatus('sent');
  });

  test('survives the loss of its job', async () => {
    await queue();
    await store.sql`update mails set relay_at = now() + interval '1 second'`;
    await startWorker({ leaseSeconds: 1 });
    await smtp.waitFor(({ to }) => to === email);
    await expectStatus('sent');
  });

  test('is sent from Postgres while the queue is unavailable', async () => {
    await startWorker({ isQueueServing: false });
    await queue();
    await smtp.waitFor(({ to }) => to === email);
    await expectStatus('sent');
  });

  test('to a recipient that the server refuses for good is not tried again', async () => {
    smtp.refuse({ status: 550, message: `no such mailbox ${email}` });
    await startWorker();
    await queue();
    await expectStatus('failed');
    expect((await readMail()).claims).toBe(1);
    expect(smtp.mails).toEqual([]);
  });

  test('that the server defers is tried again', async () => {
    smtp.refuse({ status: 451, message: 'greylisted' });
    await startWorker();
    await queue();
    await afterFailedAttempt(1);
    await smtp.waitFor(({ to }) => to === email);
    await expectStatus('sent');
  });

  test('waits while the login at the server is refused', async () => {
    await startWorker({ url: smtp.url.replace(LOGIN.user, 'stranger') });
    await queue();
    await afterFailedAttempt(1);
    expect(logLines.join()).toContain('EAUTH');
    expect((await readMail()).status).toBe('pending');
  });

  test('is not sent after it expired', async () => {
    await queue();
    await store.sql`update mails set expires_at = now()`;
    await startWorker();
    await expectStatus('failed');
    expect(smtp.mails).toEqual([]);
  });

  test('is dropped if the account has another address by now', async () => {
    await queue();
    await store.sql`update accounts set email = ${`new.${email}`} where id = ${accountId}`;
    await startWorker();
    await expectStatus('dropped');
    expect(smtp.mails).toEqual([]);
  });

  test('is not sent over an unencrypted connection to another machine', async () => {
    const plain = await startMailServer();
    try {
      // Leads to 127.0.0.1, but is not one of the names of this machine.
      await startWorker({ url: plain.url.replace('localhost', '0.0.0.0') });
      await queue();
      await afterFailedAttempt(1);
      expect(logLines.join()).toContain('"code":"ETLS"');
      expect(plain.mails).toEqual([]);
    } finally {
      await plain.stop();
    }
  });

  test('leaves address, link and token out of logs and jobs', async () => {
    const commands = await recordCommands(servers.redisUrl);
    smtp.refuse({ status: 451, message: `not now, ${email}` }, { status: 550, message: `no ${email}` });
    await startWorker();
    await queue('reset_password');
    await afterFailedAttempt(1);
    await expectStatus('failed');
    await queue('reset_password');
    const { link } = await smtp.waitFor(({ to }) => to === email);
    const token = link!.split('#')[1]!;
    expect(token).toHaveLength(43);
    await commands.stop();
    const written = [...logLines, ...commands.commands].join('\n');
    expect(written).toContain('mailId');
    for (const secret of [email, email.split('@')[0]!, token, '/account/'])
      expect(written).not.toContain(secret);
  });
});

/** A project of the account, and an invitation to it with its mail. */
async function invite(to: string, name = 'Example Shop'): Promise<string> {
  const token = crypto.randomUUID();
  const [invitation] = await store.sql<{ id: string }[]>`
    with project as (
      insert into projects (account_id, name, donate_token, overlay_token)
      values (${accountId}, ${name}, ${token}, ${token}) returning id
    )
    insert into project_invitations (project_id, email, role, invited_by, expires_at)
    select id, ${to}, 'accountant', ${accountId}, now() + interval '7 days' from project returning public_id as id`;
  const data = { invitation: invitation!.id };
  const mail = { accountId, recipient: to, kind: 'invitation', language: 'en', data } as const;
  await store.sql.begin((tx) => queueMail(tx, mail));
  return invitation!.id;
}

const guest = () => `guest.${email}`;
const addGuest = (language: string) => store.sql<{ id: bigint }[]>`
  insert into accounts (email, password_hash, language) values (${guest()}, 'none', ${language}) returning id`;

describe('the mails about members', () => {
  test.each([
    ['de', null, 'Sie sind zu einem Projekt eingeladen', 'Buchhaltung'],
    ['de', 'en', 'You are invited to a project', 'accountant'],
    ['en', 'de', 'Sie sind zu einem Projekt eingeladen', 'Buchhaltung'],
  ])(
    'an invitation by an inviter with %s is in the language of the invited account (%s), else in that one',
    async (inviters, guests, subject, role) => {
      await store.sql`update accounts set language = ${inviters} where id = ${accountId}`;
      if (guests !== null) await addGuest(guests);
      await invite(guest());
      await startWorker();
      const mail = await smtp.waitFor(({ to }) => to === guest());
      const language = guests ?? inviters;
      expect(mail.subject).toBe(subject);
      for (const part of [email, 'Example Shop', role]) expect(mail.html).toContain(part);
      expect(mail.link).toContain(`${PUBLIC_URL}/account/accept-invitation?lang=${language}#`);
      const [token] = await store.sql`
        select purpose, email, expires_at > now() + interval '6 days' as lasts from email_tokens
        where token_hash = ${sha256(mail.link!.split('#')[1]!)}`;
      expect(token).toEqual({ purpose: 'invitation', email: guest(), lasts: true });
    },
  );

  test.each([
    ['www.evil.example/paywatch?id=1', 'w…@'],
    ['www.evil.example', 'w…@'],
    ["call'me'now", 'c…@'],
  ])('an invitation by %s does not show that', async (local, shown) => {
    await store.sql`update accounts set email = ${`${local}@${accountId}.example`} where id = ${accountId}`;
    await invite(guest());
    await startWorker();
    const { html } = await smtp.waitFor(({ to }) => to === guest());
    expect(html).toContain(`${shown}${accountId}.example invites you`);
    expect(html).not.toMatch(/evil|me&#39;now/);
  });

  test('an invitation contains one link, whatever the project is called', async () => {
    await invite(
      guest(),
      '<a href="https://evil.example/x">www.evil.example</a> http://1.2.3.4 x@evil.example',
    );
    await startWorker();
    const { html, subject } = await smtp.waitFor(({ to }) => to === guest());
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).not.toMatch(/evil\.example|1\.2\.3\.4|x@evil/);
    expect(subject).not.toContain('evil');
  });

  test.each([
    ['cancelled', (id: string) => store.sql`delete from project_invitations where public_id::text = ${id}`],
    [
      'expired',
      (id: string) =>
        store.sql`update project_invitations set expires_at = now() where public_id::text = ${id}`,
    ],
    [
      'sent by somebody who is no owner any more',
      async (id: string) => {
        const [heir] = await addGuest('en');
        await store.sql`
          update projects set account_id = ${heir!.id}
          where id = (select project_id from project_invitations where public_id::text = ${id})`;
      },
    ],
  ])('an invitation that was %s is not sent', async (_, end) => {
    const id = await invite(guest());
    await end(id);
    await startWorker();
    await expectStatus('dropped');
    expect(smtp.mails).toEqual([]);
  });

  test.each([
    ['en', 'invited', ['invited somebody', 'the role manager', 'Example Shop']],
    ['en', 'joined', ['now works in the project, with the role manager', 'Example Shop']],
    ['en', 'removed', ['was removed', 'until you replace them']],
    ['de', 'role_changed', ['hat jetzt die Rolle Manager', 'Example Shop']],
    ['de', 'left', ['hat das Projekt verlassen', 'bis Sie sie ersetzen']],
  ])('a notice in %s says who %s', async (language, change, parts) => {
    await store.sql`
      update accounts set language = ${language}, email_verified_at = now() where id = ${accountId}`;
    const [member] = await addGuest('en');
    await invite('nobody@example.com');
    const [project] = await store.sql<
      { id: bigint }[]
    >`select id from projects where account_id = ${accountId}`;
    await store.sql`delete from mails`;
    const data = { change, role: 'manager', project: String(project!.id), member: String(member!.id) };
    await store.sql.begin((tx) =>
      queueMail(tx, { accountId, recipient: email, kind: 'members_changed', language: 'en', data }),
    );
    await startWorker();
    const mail = await smtp.waitFor(({ to }) => to === email);
    for (const part of [guest(), ...parts]) expect(mail.html).toContain(part);
    expect(mail.link).toBe(`${PUBLIC_URL}/account/members?lang=${language}`);
  });

  test.each([
    ['en', 'role_changed', 'You now have the role owner'],
    ['de', 'removed', 'Sie wurden entfernt'],
  ])('a member is told in %s of their own change (%s)', async (language, change, part) => {
    await store.sql`
      update accounts set language = ${language}, email_verified_at = now() where id = ${accountId}`;
    await invite('nobody@example.com');
    const [project] = await store.sql<
      { id: bigint }[]
    >`select id from projects where account_id = ${accountId}`;
    await store.sql`delete from mails`;
    const data = { change, role: 'owner', project: String(project!.id), member: String(accountId) };
    await store.sql.begin((tx) =>
      queueMail(tx, { accountId, recipient: email, kind: 'membership_changed', language: 'en', data }),
    );
    await startWorker();
    const mail = await smtp.waitFor(({ to }) => to === email);
    for (const one of [part, 'Example Shop']) expect(mail.html).toContain(one);
    expect(mail.link).toBe(`${PUBLIC_URL}/account/projects?lang=${language}`);
  });

  test('a notice about a deleted account does not name it', async () => {
    await store.sql`update accounts set email_verified_at = now() where id = ${accountId}`;
    const [member] = await addGuest('en');
    await invite('nobody@example.com');
    await store.sql`delete from mails`;
    await store.sql`update accounts set email = ${`deleted ${member!.id}`}, deleted_at = now() where id = ${member!.id}`;
    const [project] = await store.sql<
      { id: bigint }[]
    >`select id from projects where account_id = ${accountId}`;
    const data = {
      change: 'left',
      role: 'manager',
      project: String(project!.id),
      member: String(member!.id),
    };
    await store.sql.begin((tx) =>
      queueMail(tx, { accountId, recipient: email, kind: 'members_changed', language: 'en', data }),
    );
    await startWorker();
    const { html } = await smtp.waitFor(({ to }) => to === email);
    expect(html).toContain('A deleted account left');
  });
});

describe('the mail of a wallet that waits', () => {
  const ADDRESS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

  /** A wallet of the account that takes effect tomorrow, and its announcement. */
  async function announce(): Promise<bigint> {
    const name = crypto.randomUUID();
    const [wallet] = await store.sql<{ projectId: bigint }[]>`
      with project as (
        insert into projects (account_id, donate_token, overlay_token) values (${accountId}, ${name}, ${name}) returning id
      ), pool as (
        insert into pools (currency, key_id, xpub, script_type, branch, gap_limit)
        values ('BTC', ${name}, 'xpub-of-a-merchant', 'p2wpkh', 0, 20) returning id
      )
      insert into wallets (project_id, currency, pool_id, script_type, verification_address, gap_limit, status, effective_at)
      select project.id, 'BTC', pool.id, 'p2wpkh', ${ADDRESS}, 20, 'pending', now() + interval '1 day' from project, pool
      returning project_id as "projectId"`;
    const data = { currency: 'BTC', address: ADDRESS, effective_at: '2099-11-24T14:05:00.000Z' };
    const mail = { accountId, recipient: email, kind: 'wallet_change_pending', data } as const;
    await store.sql.begin((tx) => queueMail(tx, { ...mail, language: 'en' }));
    return wallet!.projectId;
  }

  test.each([
    ['en', 'Your BTC wallet is about to change'],
    ['de', 'Ihre Wallet für BTC wird geändert'],
  ])('names address and time in %s, and its link cancels the change once', async (language, subject) => {
    await store.sql`update accounts set language = ${language} where id = ${accountId}`;
    const projectId = await announce();
    await startWorker();
    const mail = await smtp.waitFor(({ to }) => to === email);
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(ADDRESS);
    expect(mail.html).toContain('2099-11-24 14:05 UTC');
    expect(mail.html).not.toContain('xpub');
    expect(mail.link).toContain(`${PUBLIC_URL}/account/cancel-wallet-changes?lang=${language}#`);
    const link = { tokenHash: sha256(mail.link!.split('#')[1]!), ip: null };
    expect(await cancelWalletChangesByLink(store, link)).toEqual([
      { currency: 'BTC', verificationAddress: ADDRESS },
    ]);
    expect(await cancelWalletChangesByLink(store, link)).toBeNull();
    expect(await store.sql`select from wallets where project_id = ${projectId}`).toHaveLength(0);
  });

  test('also goes to the address that the account had when the change was made', async () => {
    await announce();
    await store.sql`update accounts set email = ${`new.${email}`} where id = ${accountId}`;
    await startWorker();
    const { link } = await smtp.waitFor(({ to }) => to === email);
    const cancelled = await cancelWalletChangesByLink(store, {
      tokenHash: sha256(link!.split('#')[1]!),
      ip: null,
    });
    expect(cancelled).toHaveLength(1);
  });
});
