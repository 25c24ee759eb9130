import type { ControlView, OverlayDonation } from '@paywatch/domain/contract';
import { waitUntil } from '@paywatch/dev/testing';
import { recoverAccount } from '@paywatch/store/accounts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAccount, sharedApi, startApi, type TestAccount, type TestApi } from '../support/api.ts';
import { confirmDonation, donate } from '../support/overlay-donations.ts';
import { idsOf, openStream, type StreamClient } from '../support/stream-client.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });
let account: TestAccount;
let controlToken: string;

beforeEach(async () => {
  account = await openAccount(api);
  controlToken = await rotateControl();
});

describe('a held donation', () => {
  test.each([
    ['all', {}],
    ['links_and_words', { message: 'buy at spam.example' }],
    ['links_and_words', { name: 'Arschloch' }],
    ['first_time', { name: 'Newcomer' }],
  ] as const)(
    'under %s (%j) is shown on no overlay before it is approved, and once afterwards',
    async (hold, donor) => {
      await moderate({ hold });
      const overlays = [await show(api), await show(other)];
      const control = await openControl(other);
      await donate(api, account, donor);
      const [held] = await heldAt(control, 1);
      await decide(held!.id, 'approved');
      await Promise.all(overlays.map((overlay) => overlay.received(1)));
      for (const { messages } of overlays)
        expect(messages[0]?.data).toMatchObject({
          donor_name: held!.donor_name,
          amount: '1000',
          test: false,
        });
      expect(await everything()).toHaveLength(1);
    },
  );

  test('gets its position when it is approved, so clients that resume from any later position get it once', async () => {
    const overlay = await show(api, '0');
    await moderate({ hold: 'links_and_words' });
    await donate(api, account, { name: 'spam.example' });
    await donate(api, account, { name: 'Ann' });
    await donate(api, account, { name: 'Bob' });
    await overlay.received(2);
    const position = overlay.lastEventId;
    overlay.close();
    const [held] = await heldAt(await openControl(api), 1);
    await decide(held!.id, 'approved', other);
    const resumed = await show(other, position);
    await resumed.received(1);
    await donate(api, account, { name: 'Last' });
    await resumed.received(2);
    expect(namesOf(resumed)).toEqual(['spam.example', 'Last']);
    expect(BigInt(resumed.messages[0]!.id)).toBeGreaterThan(BigInt(position));
  });

  test('that was confirmed long ago is replayed like any other from its approval on', async () => {
    await moderate({ hold: 'all' });
    await donate(api, account, { name: 'Patient' });
    await api.store
      .sql`update held_donations set confirmed_at = now() - interval '3 days' where project_id = ${account.projectId}`;
    const [held] = await heldAt(await openControl(api), 1);
    await decide(held!.id, 'approved');
    await api.store.sql`
      insert into overlay_donations (project_id, public_id, currency, amount)
      select ${account.projectId}, 'inv_1', 'BTC', 1 from generate_series(1, 1500)`;
    const overlay = await show(api, '0');
    await overlay.received(1501);
    expect(namesOf(overlay)[0]).toBe('Patient');
  });

  test('whose text is blocked is shown without name and message', async () => {
    await moderate({ hold: 'all' });
    const overlay = await show(other);
    await donate(api, account, { name: 'Rude', message: 'Words' });
    const [held] = await heldAt(await openControl(api), 1);
    await decide(held!.id, 'text_blocked');
    await overlay.received(1);
    expect(overlay.messages[0]?.data).toMatchObject({
      donor_name: null,
      donor_message: null,
      amount: '1000',
    });
  });

  test('that was dismissed is never shown, and the invoice and its money are as before', async () => {
    await moderate({ hold: 'all' });
    const before = await invoices();
    await donate(api, account, { name: 'Rude' });
    const [held] = await heldAt(await openControl(api), 1);
    await decide(held!.id, 'dismissed');
    await moderate({ hold: 'none' });
    const overlay = await show(api, '0');
    await donate(api, account, { name: 'Ann' });
    await overlay.received(1);
    expect(namesOf(overlay)).toEqual(['Ann']);
    expect(await invoices()).toHaveLength(before.length + 2);
  });

  test('keeps its first decision, whoever decides at the same time', async () => {
    await moderate({ hold: 'all' });
    await donate(api, account, { name: 'Contested' });
    const [held] = await heldAt(await openControl(api), 1);
    const decisions = ['approved', 'text_blocked', 'dismissed', 'approved'] as const;
    const answers = await Promise.all(
      decisions.map((decision, index) => decide(held!.id, decision, index % 2 ? api : other)),
    );
    expect(new Set(answers).size).toBe(1);
    expect(await everything()).toHaveLength(answers[0] === 'dismissed' ? 0 : 1);
  });

  test('waits for its decision after moderation is turned off', async () => {
    await moderate({ hold: 'all' });
    await donate(api, account, { name: 'Held' });
    await moderate({ hold: 'none' });
    await donate(api, account, { name: 'Free' });
    expect((await everything()).map(({ donor_name: name }) => name)).toEqual(['Free']);
    const [held] = await heldAt(await openControl(api), 1);
    expect(held?.donor_name).toBe('Held');
  });

  test('of another project cannot be decided', async () => {
    await moderate({ hold: 'all' });
    await donate(api, account, { name: 'Mine' });
    const page = await openControl(api);
    const [held] = await heldAt(page, 1);
    account = await openAccount(api);
    const stranger = await rotateControl();
    await api
      .call('post', `/v1/public/control/${stranger}/decisions`, {
        body: { held_id: held!.id, decision: 'approved' },
      })
      .expect(404);
    expect((await heldAt(page, 1)).map(({ id }) => id)).toEqual([held!.id]);
  });
});

test('a donor whose name was shown is known under first_time, whatever its case', async () => {
  await donate(api, account, { name: 'Regular' });
  await moderate({ hold: 'first_time' });
  await donate(api, account, { name: 'REGULAR', message: 'again' });
  await donate(api, account, {});
  expect(await everything()).toHaveLength(3);
  await donate(api, account, { message: 'anonymous text' });
  const held = await heldAt(await openControl(api), 1);
  expect(held.map(({ reason }) => reason)).toEqual(['first_time']);
});

test('overlays that reconnect at random while moderators decide get every shown donation once, and none before it is approved', async () => {
  await moderate({ hold: 'links_and_words' });
  const count = 60;
  const seen = Array.from({ length: 4 }, () => [] as string[]);
  const early: string[] = [];
  const approved = new Set<string>();
  let isDone = false;
  const viewers = seen.map(async (ids, i) => {
    let client = await show(i % 2 ? api : other, '0');
    while (true) {
      await new Promise((resolve) => setTimeout(resolve, 15 + ((i * 7) % 30)));
      const isLast = isDone && ids.length + client.messages.length >= count;
      client.close();
      for (const { id, data } of client.messages) {
        const name = String(data['donor_name']);
        if (name.startsWith('spam') && !approved.has(name)) early.push(name);
        ids.push(id);
      }
      if (isLast) return;
      client = await show(Math.random() < 0.5 ? api : other, ids.at(-1) ?? '0');
    }
  });
  const control = await openControl(api);
  const moderator = (async () => {
    const decided = new Set<string>();
    while (approved.size < count / 2) {
      const held = viewOf(control)?.held.find(({ id }) => !decided.has(id));
      if (held === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
      else {
        decided.add(held.id);
        approved.add(String(held.donor_name));
        await decide(held.id, 'approved', Math.random() < 0.5 ? api : other);
      }
    }
  })();
  for (let i = 0; i < count; i += 1)
    await donate(api, account, { name: i % 2 ? `spam${i}.example` : `Donor ${i}` });
  await moderator;
  isDone = true;
  await Promise.all(viewers);
  const rows = await api.store.sql<{ id: bigint }[]>`
    select id from overlay_donations where project_id = ${account.projectId} order by id`;
  expect(rows).toHaveLength(count);
  for (const ids of seen) expect(ids).toEqual(rows.map(({ id }) => String(id)));
  expect(early).toEqual([]);
});

describe('the control page', () => {
  test('follows donations, decisions and settings at every replica, and repeats nothing to a client that has the newest', async () => {
    const pages = [await openControl(api), await openControl(other)];
    await donate(api, account, { name: 'Ann', message: 'Hi' });
    for (const page of pages)
      await waitUntil(() => viewOf(page)?.recent[0]?.donor_name === 'Ann', { what: 'the donation' });
    await act({ action: 'pause' });
    await act({ action: 'volume', volume: 30 }, other);
    for (const page of pages)
      await waitUntil(() => viewOf(page)?.paused === true && viewOf(page)?.volume === 30, {
        what: 'the settings',
      });
    const again = await openStream(controlUrl(api), { lastEventId: pages[0]!.lastEventId });
    await act({ action: 'resume' });
    await again.received(1);
    expect(viewOf(again)?.paused).toBe(false);
  });

  test('shows a held donation whose publication was lost within seconds', async () => {
    await moderate({ hold: 'all' });
    const page = await openControl(other);
    await confirmDonation(api, account, { name: 'Quiet' });
    expect((await heldAt(page, 1))[0]?.donor_name).toBe('Quiet');
  });

  test('ends at every replica when its token is rotated, and the old token can do nothing any more', async () => {
    const pages = [await openControl(api), await openControl(other)];
    const old = controlToken;
    controlToken = await rotateControl();
    await Promise.all(pages.map((page) => page.ended()));
    await api.call('post', `/v1/public/control/${old}`, { body: { action: 'pause' } }).expect(404);
    const body = { held_id: '1', decision: 'approved' };
    await api.call('post', `/v1/public/control/${old}/decisions`, { body }).expect(404);
    expect((await openStream(`${api.url}/v1/public/control/${old}/events`)).status).toBe(404);
    expect(viewOf(await openControl(other))?.paused).toBe(false);
  });

  test('its token opens neither the overlay nor the donation page, and theirs do not open it', async () => {
    const { overlayToken, donateToken } = account;
    expect((await openStream(`${api.url}/v1/public/overlay/${controlToken}/events`)).status).toBe(404);
    await api.call('get', `/v1/public/donate/${controlToken}`).expect(404);
    for (const token of [overlayToken, donateToken]) {
      await api.call('post', `/v1/public/control/${token}`, { body: { action: 'pause' } }).expect(404);
      expect((await openStream(`${api.url}/v1/public/control/${token}/events`)).status).toBe(404);
    }
  });

  test.each([
    [{ action: 'volume' }, '/volume'],
    [{ action: 'volume', volume: 101 }, '/volume'],
    [{ action: 'replay' }, '/donation_id'],
    [{ action: 'test', currency: 'BTC' }, '/amount'],
    [{ action: 'test', currency: 'LTC', amount: '1' }, '/amount'],
    [{ action: 'rotate' }, '/action'],
  ])('refuses %j', async (body, pointer) => {
    const { body: problem } = await api
      .call('post', `/v1/public/control/${controlToken}`, { body })
      .expect(422);
    expect(JSON.stringify(problem.errors)).toContain(pointer.slice(1));
  });
});

describe('an overlay', () => {
  test('is told to pause, skip, clear, replay and change its volume through its stream, at every replica', async () => {
    await donate(api, account, { name: 'Ann' });
    const overlays = [await showWithOrders(api), await showWithOrders(other)];
    const [position] = (await positions()).map(String);
    await act({ action: 'pause' });
    await act({ action: 'volume', volume: 40 }, other);
    await act({ action: 'skip' });
    await act({ action: 'replay', donation_id: position });
    for (const overlay of overlays)
      await waitUntil(() => orders(overlay)?.['replays'].length === 1, { what: 'the replay' });
    for (const overlay of overlays) {
      expect(orders(overlay)).toMatchObject({ paused: true, volume: 40, cleared_to: '0' });
      expect(orders(overlay)!['skipped_ms_ago']).toBeGreaterThanOrEqual(0);
      expect(orders(overlay)!['replays'][0].donation.donor_name).toBe('Ann');
    }
    await act({ action: 'clear' });
    for (const overlay of overlays)
      await waitUntil(() => orders(overlay)?.['cleared_to'] === position, { what: 'the end of all alerts' });
    expect(orders(overlays[0]!)?.['replays']).toEqual([]);
  });

  test('gets the orders again from a replica that started after them', async () => {
    await act({ action: 'pause' });
    const late = await startApi({ beside: api });
    const overlay = await showWithOrders(late);
    expect(orders(overlay)?.['paused']).toBe(true);
    await late.close();
  });

  test('is told to replay at most five donations, the last ones', async () => {
    for (let i = 0; i < 7; i += 1) await donate(api, account, { name: `Donor ${i}` });
    for (const position of await positions()) await act({ action: 'replay', donation_id: String(position) });
    const overlay = await showWithOrders(api);
    const names = orders(overlay)!['replays'].map(
      ({ donation }: { donation: OverlayDonation }) => donation.donor_name,
    );
    expect(names).toEqual(['Donor 2', 'Donor 3', 'Donor 4', 'Donor 5', 'Donor 6']);
  });

  test('cannot be told to replay what is held or of another project', async () => {
    await moderate({ hold: 'all' });
    await donate(api, account, { name: 'Held' });
    const [held] = await heldAt(await openControl(api), 1);
    const body = { action: 'replay', donation_id: held!.id };
    const before = await positions();
    await api.call('post', `/v1/public/control/${controlToken}`, { body }).expect(404);
    expect(await positions()).toEqual(before);
  });

  test('shows a test alert of the chosen amount, as often as an account may', async () => {
    const overlay = await show(other);
    await act({ action: 'test', currency: 'LTC', amount: '123456' });
    await overlay.received(1);
    expect(overlay.messages[0]?.data).toMatchObject({ amount: '123456', currency: 'LTC', test: true });
    const statuses = [];
    for (let i = 0; i < 60; i += 1) {
      const body = { action: 'test', currency: 'BTC', amount: '1000' };
      statuses.push((await api.call('post', `/v1/public/control/${controlToken}`, { body })).status);
    }
    expect(statuses.slice(0, 59)).toEqual(Array.from({ length: 59 }, () => 200));
    expect(statuses[59]).toBe(429);
    await api.call('post', '/v1/overlay/test', { session: account.session }).expect(202);
  });
});

test('a reset password closes the control page', async () => {
  const page = await openControl(other);
  const { body } = await api.call('get', '/v1/overlay/moderation', { session: account.session }).expect(200);
  expect(body.control_url).toBe(`https://pay.example/control/${controlToken}`);
  expect(await recoverAccount(api.store, account.accountId, 'none')).toBe(true);
  await page.ended();
  const rows = await api.store
    .sql`select token from overlay_controls where project_id = ${account.projectId}`;
  expect([...rows]).toEqual([{ token: null }]);
});

async function rotateControl(): Promise<string> {
  const { body } = await api
    .call('post', '/v1/project/tokens/control/rotate', { session: account.session })
    .expect(200);
  return body.token;
}

async function moderate(body: object): Promise<void> {
  await api.call('patch', '/v1/overlay/moderation', { session: account.session, body }).expect(200);
}

async function act(body: object, at: TestApi = api): Promise<void> {
  await at.call('post', `/v1/public/control/${controlToken}`, { body }).expect(200);
}

async function decide(id: string, decision: string, at: TestApi = api): Promise<string> {
  const path = `/v1/public/control/${controlToken}/decisions`;
  const { body } = await at.call('post', path, { body: { held_id: id, decision } }).expect(200);
  return body.decision;
}

function controlUrl(at: TestApi): string {
  return `${at.url}/v1/public/control/${controlToken}/events`;
}

async function openControl(at: TestApi): Promise<StreamClient> {
  const client = await openStream(controlUrl(at));
  expect(client.status).toBe(200);
  await client.received(1);
  return client;
}

function viewOf(client: StreamClient): ControlView | undefined {
  return client.messages.at(-1)?.data as ControlView | undefined;
}

async function heldAt(client: StreamClient, count: number): Promise<ControlView['held']> {
  await waitUntil(() => viewOf(client)?.held.length === count, { what: `${count} held donations` });
  return viewOf(client)!.held;
}

function overlayUrl(at: TestApi): string {
  return `${at.url}/v1/public/overlay/${account.overlayToken}/events`;
}

async function show(at: TestApi, lastEventId?: string): Promise<StreamClient> {
  const client = await openStream(overlayUrl(at), { lastEventId });
  expect(client.status).toBe(200);
  return client;
}

async function showWithOrders(at: TestApi): Promise<StreamClient> {
  const client = await openStream(`${overlayUrl(at)}?include=settings`);
  await client.received(2);
  return client;
}

// oxlint-disable-next-line typescript/no-explicit-any
function orders(client: StreamClient): Record<string, any> | undefined {
  return client.messages.findLast(({ event }) => event === 'control')?.data;
}

function namesOf(client: StreamClient): unknown[] {
  return client.messages.map(({ data }) => data['donor_name']);
}

/** All donations that an overlay is sent from the beginning, once the newest has come. */
async function everything(): Promise<OverlayDonation[]> {
  const client = await show(other, '0');
  const all = await positions();
  await client.received(all.length);
  expect(idsOf(client)).toEqual(all.map(String));
  return client.messages.map(({ data }) => data as OverlayDonation);
}

async function positions(): Promise<bigint[]> {
  const rows = await api.store.sql<{ id: bigint }[]>`
    select id from overlay_donations where project_id = ${account.projectId} order by id`;
  return rows.map(({ id }) => id);
}

async function invoices(): Promise<readonly unknown[]> {
  return api.store.sql`select status, version from invoices where project_id = ${account.projectId}`;
}
