import type { HeldDecision } from '@paywatch/domain/contract';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { type DecidedDonation, decideHeldDonation } from '../../src/donations/overlay/held-donations.ts';
import { changeModeration } from '../../src/donations/overlay/overlay-controls.ts';
import {
  type AddedDonation,
  insertOverlayDonation,
  insertTestDonation,
  loadOverlayDonations,
  type NewOverlayDonation,
} from '../../src/donations/overlay/overlay-donations.ts';
import { inTransaction } from '../../src/postgres/database.ts';
import { rotateToken } from '../../src/projects/projects.ts';
import { waitUntil } from '@paywatch/dev/testing';
import { createProject, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let projectId: bigint;
let token: string;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

beforeEach(async () => {
  ({ projectId } = await createProject(store));
  token = randomBytes(16).toString('hex');
  await rotateToken(store, byOperator, projectId, 'control', token);
  await changeModeration(store, byOperator, projectId, { hold: 'all' });
});

/** An invoice of the project and a transaction that paid it. */
async function paidDonation(donorName = 'Ada'): Promise<NewOverlayDonation> {
  const txid = randomBytes(32).toString('hex');
  const [invoice] = await store.sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      confirmations_required, donor_name, donor_message, ttl_seconds, expires_at, deadline_at)
    values (${`inv_${txid}`}, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, ${donorName}, 'Hello', 60, now(), now())
    returning id`;
  return { invoiceId: given(invoice).id, projectId, txid, amount: 1000n };
}

const settle = (donation: NewOverlayDonation): Promise<AddedDonation | null> =>
  inTransaction(store, (tx) => insertOverlayDonation(tx, donation));

const decide = (heldId: bigint, decision: HeldDecision, by = token): Promise<DecidedDonation | null> =>
  inTransaction(store, (tx) => decideHeldDonation(tx, by, heldId, decision));

/** Holds a donation; returns it with its id. */
async function hold(donorName?: string): Promise<NewOverlayDonation & { heldId: bigint }> {
  const donation = await paidDonation(donorName);
  expect(await settle(donation)).toEqual({ projectId, id: null });
  const [held] = await store.sql<{ id: bigint }[]>`
    select id from held_donations where invoice_id = ${donation.invoiceId}`;
  return { ...donation, heldId: given(held).id };
}

async function stream(after = 0n) {
  const [page] = await loadOverlayDonations(store, [{ projectId, after }], 100);
  return given(page).donations;
}

const sampleTest = {
  publicId: 'inv_1',
  currency: 'BTC',
  amount: 1n,
  donorName: 'Test',
  donorMessage: null,
} as const;

describe('a held donation', () => {
  test('is in no stream, and is held once however often it is settled', async () => {
    const donation = await hold();
    expect(await settle(donation)).toBeNull();
    expect(await stream()).toEqual([]);
    expect(await store.sql`select from held_donations where project_id = ${projectId}`).toHaveLength(1);
  });

  test('gets the newest position when it is approved, and keeps its texts', async () => {
    const { heldId } = await hold('Late');
    await changeModeration(store, byOperator, projectId, { hold: 'none' });
    const shown = given(await settle(await paidDonation('Early')));
    expect(await decide(heldId, 'approved')).toEqual({ projectId, decision: 'approved' });
    expect(await stream(given(shown.id))).toMatchObject([
      { donorName: 'Late', donorMessage: 'Hello', amount: 1000n },
    ]);
  });

  test('loses its texts, or is not shown at all, when a moderator says so', async () => {
    const [blocked, dismissed] = [await hold('Blocked'), await hold('Dismissed')];
    await decide(blocked.heldId, 'text_blocked');
    await decide(dismissed.heldId, 'dismissed');
    expect(await stream()).toMatchObject([{ donorName: null, donorMessage: null, amount: 1000n }]);
  });

  test.each(['approved', 'text_blocked', 'dismissed'] as const)(
    'that was decided (%s) is neither held nor shown again by a repeated settlement',
    async (decision) => {
      const donation = await hold();
      await decide(donation.heldId, decision);
      const before = await stream();
      expect(await settle(donation)).toBeNull();
      await changeModeration(store, byOperator, projectId, { hold: 'none' });
      expect(await settle(donation)).toBeNull();
      expect(await stream()).toEqual(before);
    },
  );

  test('that several approve at the same time is shown once', async () => {
    const { heldId } = await hold();
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(heldId, 'approved')));
    expect(answers).toEqual(answers.map(() => ({ projectId, decision: 'approved' })));
    expect(await stream()).toHaveLength(1);
  });

  test('keeps the first of different decisions', async () => {
    const { heldId } = await hold();
    const decisions = ['dismissed', 'approved', 'text_blocked', 'approved'] as const;
    const answers = await Promise.all(decisions.map((decision) => decide(heldId, decision)));
    const [first] = answers.map((answer) => given(answer).decision);
    expect(answers).toEqual(answers.map(() => ({ projectId, decision: first })));
    expect(await stream()).toHaveLength(first === 'dismissed' ? 0 : 1);
  });

  test('waits with its approval for a donation whose position is not visible yet', async () => {
    const { heldId } = await hold('Approved');
    let approval: Promise<unknown> = Promise.resolve();
    await inTransaction(store, async (tx) => {
      await insertTestDonation(tx, { ...sampleTest, projectId });
      approval = decide(heldId, 'approved');
      await waitUntil(async () => (await countWaitingForLocks()) > 0, { what: 'the approval to wait' });
      expect(await stream()).toEqual([]);
    });
    await approval;
    expect((await stream()).map(({ donorName }) => donorName)).toEqual(['Test', 'Approved']);
  });

  test('is decided with no other token: one that was replaced, or that of another project', async () => {
    const { heldId } = await hold();
    const other = await createProject(store);
    await rotateToken(store, byOperator, other.projectId, 'control', `other-${token}`);
    await rotateToken(store, byOperator, projectId, 'control', `new-${token}`);
    expect(await decide(heldId, 'approved', token)).toBeNull();
    expect(await decide(heldId, 'approved', `other-${token}`)).toBeNull();
    expect(await stream()).toEqual([]);
    expect(await decide(heldId, 'approved', `new-${token}`)).not.toBeNull();
  });
});

async function countWaitingForLocks(): Promise<number> {
  const waiting = await store.sql`
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  return waiting.length;
}
