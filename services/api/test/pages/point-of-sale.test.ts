import { expect, it } from 'vitest';
import { expectProblem, openAccount, sharedApi } from '../support/api.ts';
import { openLink, tokenOf } from '../support/payment-links.ts';
import { openWallet } from '../support/wallet.ts';
import { contentOf, writeBuild } from '../support/web-build.ts';

const api = await sharedApi({ env: { WEB_DIST: await writeBuild(), PROJECT_CHANGE_LIMIT_POINTS: '10000' } });
const OPEN = { title: 'Kiosk', amount: null, currencies: null };

it('the point of sale is a page of its link, with a manifest for the home screen', async () => {
  const account = await openAccount(api);
  await openWallet(api, account);
  const path = `/pos/${tokenOf(await openLink(api, account, OPEN))}`;
  const { text } = await api.call('get', path).expect(200);
  expect(contentOf(text)).toMatchObject({
    page: 'pos',
    link: { title: 'Kiosk' },
    manifest: `${path}/app.webmanifest`,
  });
  const manifest = await api.call('get', `${path}/app.webmanifest`).expect(200);
  expect(manifest.headers['content-type']).toContain('application/manifest+json');
  expect(JSON.parse(manifest.text)).toMatchObject({ name: 'Kiosk', start_url: path, display: 'standalone' });
  expect(api.logLines.join('')).not.toContain(path);
});

it.each([
  ['a fixed amount', { amount: '150000', currencies: ['BTC'] }],
  ['single use', { single_use: true }],
  ['a stock', { stock: 5 }],
] as const)('a link with %s is no point of sale', async (_what, terms) => {
  const account = await openAccount(api);
  await openWallet(api, account);
  const link = await openLink(api, account, { ...OPEN, ...terms } as object);
  const path = `/pos/${tokenOf(link)}`;
  for (const page of [path, '/pos/unknown']) {
    const { status, text } = await api.call('get', page);
    expect([status, contentOf(text).problem.code]).toEqual([404, 'not_found']);
  }
  expectProblem(await api.call('get', `${path}/app.webmanifest`), 404, 'not_found');
});
