import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_INVITATIONS, MAX_MAILS, queueMail, type MailKind } from '../../src/mails/index.ts';
import { createProject } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let accountId: bigint;
let recipient: string;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  recipient = `${randomBytes(6).toString('hex')}@example.com`;
  const { projectId } = await createProject(store);
  const [row] = await store.sql<{ id: bigint }[]>`
    select account_id as id from projects where id = ${projectId}`;
  accountId = row!.id;
});

const queue = (
  kind: MailKind,
  mail: { accountId?: bigint | null; recipient?: string; dedupeKey?: string } = {},
) => store.sql.begin((tx) => queueMail(tx, { accountId: null, recipient, kind, language: 'en', ...mail }));

async function countMails(to = recipient): Promise<number> {
  const [row] = await store.sql<{ count: number }[]>`
    select count(*)::int as count from mails where recipient = ${to}`;
  return row?.count ?? 0;
}

describe('a flood of mails', () => {
  test('to one recipient stops at the hourly limit, also if all are written at once', async () => {
    await Promise.all(Array.from({ length: 4 * MAX_MAILS.perHour }, () => queue('reset_password')));
    expect(await countMails()).toBe(MAX_MAILS.perHour);
  });

  test('to one recipient stops at the daily limit', async () => {
    for (let hour = 0; hour < 6; hour += 1) {
      for (let mail = 0; mail < 6; mail += 1) await queue('reset_password');
      await store.sql`
        update mails set created_at = created_at - interval '61 minutes' where recipient = ${recipient}`;
    }
    expect(await countMails()).toBe(MAX_MAILS.perDay);
    await store.sql`
      update mails set created_at = created_at - interval '24 hours' where recipient = ${recipient}`;
    await queue('reset_password');
    expect(await countMails()).toBe(MAX_MAILS.perDay + 1);
  });

  test('by one account to many recipients stops at the hourly limit', async () => {
    const others = Array.from({ length: 10 }, (_, index) => `${index}.${recipient}`);
    await Promise.all(others.map((to) => queue('confirm_new_email', { accountId, recipient: to })));
    const counts = await Promise.all(others.map((to) => countMails(to)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MAX_MAILS.perHour);
  });

  test('of invitations by one account stops at a daily limit for one person, and for all of them', async () => {
    const { toOne, byAccount } = MAX_INVITATIONS;
    for (let mail = 0; mail < 6; mail += 1) await queue('invitation', { accountId });
    expect(await countMails()).toBe(toOne);
    const others = Array.from({ length: byAccount + 5 }, (_, index) => `${index}.${recipient}`);
    await Promise.all(others.map((to) => queue('invitation', { accountId, recipient: to })));
    const counts = await Promise.all(others.map((to) => countMails(to)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(byAccount - toOne);
  });

  test('of invitations by strangers to one person holds back nobody, and ends in silence at the limit of the person', async () => {
    const { received, toOne } = MAX_INVITATIONS;
    const send = async (count: number) =>
      store.sql`
        insert into mails (account_id, recipient, kind, language, expires_at)
        select null, ${recipient}, 'invitation', 'en', now() from generate_series(1, ${count}::int)`;
    await send(received - 1);
    const answers = [];
    for (let mail = 0; mail <= toOne; mail += 1) answers.push(await queue('invitation', { accountId }));
    expect(answers).toEqual([true, true, true, false]);
    const own = await store.sql`
      select status from mails where recipient = ${recipient} and account_id = ${accountId} order by id`;
    expect(own.map(({ status }) => status)).toEqual(['pending', 'dropped', 'dropped']);
  });

  test('of one kind does not hold back another kind', async () => {
    for (let mail = 0; mail < 10; mail += 1) await queue('api_key_changed', { accountId });
    await queue('wallet_changed', { accountId });
    expect(await countMails()).toBe(MAX_MAILS.perHour + 1);
  });
});

test('a mail with a key is written once', async () => {
  const dedupeKey = `ending ${recipient}`;
  await queue('subscription_ending', { dedupeKey });
  await queue('subscription_ending', { dedupeKey });
  expect(await countMails()).toBe(1);
});

test('a transaction that is rolled back sends no mail', async () => {
  const failing = store.sql.begin(async (tx) => {
    await queueMail(tx, { accountId, recipient, kind: 'password_changed', language: 'en' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await countMails()).toBe(0);
});
