import type { DonationLinkInfo } from '@paywatch/domain/contract';
import { samplePicture, sampleWav } from '@paywatch/dev/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { confirmDonation } from '../support/overlay-donations.ts';
import { storeRate } from '../support/rates.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { RATE_CURRENCIES: 'EUR,USD', PROJECT_CHANGE_LIMIT_POINTS: '10000' } });
let account: TestAccount;
beforeEach(async () => {
  account = await openAccount(api);
  await openWallet(api, account);
});

const change = (body: object) => api.call('patch', '/v1/donation-page', { session: account.session, body });
const latestNames = ({ latest_donations: latest }: DonationLinkInfo) =>
  latest?.map(({ donor_name: name }) => name);
const link = async () => (await api.call('get', `/v1/public/donate/${account.donateToken}`).expect(200)).body;

test('what the owner sets comes with the link that the page reads', async () => {
  const before = await link();
  const response = await change({
    accent_color: '#FFEE00',
    text: ' Hello\u202E <b>there</b> ',
    links: [{ title: 'My channel', url: 'https://stream.example/ada' }],
    min_message_btc: '10000',
  });
  expectAnswer(response, 'updateDonationPage', 200);
  expect(await link()).toEqual({
    ...before,
    accent_color: '#ffee00',
    text: 'Hello <b>there</b>',
    links: [{ title: 'My channel', url: 'https://stream.example/ada' }],
    message_minimum: { BTC: '10000', LTC: '0' },
  });
  const read = await api.call('get', '/v1/donation-page', { session: account.session });
  expectAnswer(read, 'getDonationPage', 200);
  expect(read.body).toEqual(response.body);
});

test.each([
  ['accent_color', 'red', 'body.accent_color'],
  ['accent_color', '#fff;}body{display:none', 'body.accent_color'],
  ['links', [{ title: 'x', url: 'javascript:alert(1)' }], 'body.links.0.url'],
  ['links', [{ title: 'x', url: 'http://stream.example' }], 'body.links.0.url'],
  ['links', [{ title: '', url: 'https://stream.example' }], 'body.links.0.title'],
  ['links', Array.from({ length: 6 }, () => ({ title: 'x', url: 'https://a.example' })), 'body.links'],
  ['text', 'x'.repeat(501), 'body.text'],
  ['suggested_amounts', { BTC: ['1'], LTC: ['10000'] }, 'body.suggested_amounts.BTC.0'],
  ['suggested_amounts', { BTC: [], LTC: ['10000'] }, 'body.suggested_amounts.BTC'],
  ['suggested_prices', { currency: 'EUR', amounts: ['0'] }, 'body.suggested_prices.amounts.0'],
  ['suggested_prices', { currency: 'JPY', amounts: ['100'] }, 'body.suggested_prices.currency'],
  ['min_message_btc', '-1', 'body.min_message_btc'],
])('%s: what breaks the rules is refused (%#)', async (setting, value, path) => {
  const refused = await change({ [setting]: value });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toContainEqual(expect.objectContaining({ path }));
  expect((await api.call('get', '/v1/donation-page', { session: account.session })).body.links).toEqual([]);
});

describe('suggested prices', () => {
  test('are converted at the rate of the moment', async () => {
    await storeRate(api, { currency: 'BTC', in: 'EUR' }, { rate: '50000' });
    await change({ suggested_prices: { currency: 'EUR', amounts: ['5', '12.5', '0.01'] } });
    const { suggestions } = await link();
    // A cent is less than the network relays.
    expect(suggestions.BTC).toEqual([
      { amount: '10000', price: { amount: '5.00', currency: 'EUR' } },
      { amount: '25000', price: { amount: '12.50', currency: 'EUR' } },
    ]);
  });

  test('give way to the amounts in coins while there is no rate', async () => {
    await change({
      suggested_prices: { currency: 'USD', amounts: ['5'] },
      suggested_amounts: { BTC: ['20000'], LTC: ['3000000'] },
    });
    expect((await link()).suggestions).toEqual({ BTC: [{ amount: '20000' }], LTC: [{ amount: '3000000' }] });
  });
});

describe('the picture', () => {
  test('is an image that the project uploaded, until the upload is deleted', async () => {
    const id = await upload('image', samplePicture('png'));
    await change({ picture: id }).expect(200);
    expect((await link()).picture_url).toBe(`/v1/public/uploads/${id}`);
    await api.call('delete', `/v1/uploads/${id}`, { session: account.session }).expect(200);
    expect(await link()).not.toHaveProperty('picture_url');
  });

  test('is neither a sound nor an image of somebody else', async () => {
    const sound = await upload('sound', sampleWav(100));
    expectProblem(await change({ picture: sound }), 422, 'validation_error');
    const image = await upload('image', samplePicture('png'));
    account = await openAccount(api);
    expectProblem(await change({ picture: image }), 422, 'validation_error');
  });
});

test('the look of alerts comes with the link, and secrets of the overlay do not', async () => {
  const overlay = { template: 'neon', speech: true, speech_min_btc: '7000', volume: 50 };
  const session = account.session;
  await api.call('patch', '/v1/overlay/settings', { session, body: overlay }).expect(200);
  const read = await link();
  expect(read).toMatchObject({
    alert: { template: 'neon' },
    speech_minimum: { BTC: '7000', LTC: '0' },
  });
  expect(JSON.stringify(read)).not.toContain(account.overlayToken);
});

describe('the goal and the latest donations', () => {
  const goal = { title: 'Camera', unit: 'BTC', target: '1', since: null, added: '0.5' };
  beforeEach(() => set('/v1/overlay/sources', { goal }));

  test('come with the link where the owner shows them', async () => {
    await confirmDonation(api, account, { name: 'Ada', message: 'Not on the page' });
    expect(await link()).not.toHaveProperty('goal');
    expect(await link()).not.toHaveProperty('latest_donations');
    await change({ show_goal: true, show_latest: true }).expect(200);
    expect(await link()).toMatchObject({
      goal: { title: 'Camera', unit: 'BTC', target: '1.00000000', reached: '0.50001000' },
      latest_donations: [{ donor_name: 'Ada', amount: '1000', currency: 'BTC' }],
    });
    expect(JSON.stringify(await link())).not.toContain('Not on the page');
    await set('/v1/overlay/sources', { goal: null });
    expect(await link()).not.toHaveProperty('goal');
  });

  test('leave out tests and what is below the minimum of the overlay, and show five at most', async () => {
    await change({ show_latest: true }).expect(200);
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F']) await confirmDonation(api, account, { name });
    await api.call('post', '/v1/overlay/test', { session: account.session }).expect(202);
    expect(latestNames(await link())).toEqual(['F', 'E', 'D', 'C', 'B']);
    await set('/v1/overlay/settings', { min_amount_btc: '1001' });
    expect(latestNames(await link())).toBeUndefined();
  });

  test('have no donation that is held, until a moderator approves it', async () => {
    await change({ show_goal: true, show_latest: true }).expect(200);
    await set('/v1/overlay/moderation', { hold: 'all' });
    const { session } = account;
    const { body } = await api.call('post', '/v1/project/tokens/control/rotate', { session }).expect(200);
    const decide = async (decision: string) => {
      const [held] = await api.store.sql<{ id: bigint }[]>`
        select id from held_donations where project_id = ${account.projectId} and decision is null`;
      const path = `/v1/public/control/${body.token}/decisions`;
      await api.call('post', path, { body: { held_id: String(held!.id), decision } }).expect(200);
    };
    await confirmDonation(api, account, { name: 'Rude' });
    expect(await link()).toMatchObject({ goal: { reached: '0.50000000' } });
    expect(await link()).not.toHaveProperty('latest_donations');
    await decide('dismissed');
    expect(await link()).not.toHaveProperty('latest_donations');
    await confirmDonation(api, account, { name: 'Kind' });
    await decide('approved');
    await confirmDonation(api, account, { name: 'Rude' });
    await decide('text_blocked');
    expect(await link()).toMatchObject({
      goal: { reached: '0.50002000' },
      latest_donations: [{ donor_name: null }, { donor_name: 'Kind' }],
    });
  });
});

/** Uploads a file of the account; returns its id. */
async function upload(kind: string, file: Buffer): Promise<string> {
  const sent = api.call('post', `/v1/uploads?kind=${kind}`, { session: account.session });
  const { body } = await sent.set('Content-Type', 'application/octet-stream').send(file).expect(201);
  return String(body.id);
}

/** Changes other settings of the account. */
async function set(path: string, body: object): Promise<void> {
  await api.call('patch', path, { session: account.session, body }).expect(200);
}
