import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { buyBy, openLink, tokenOf } from '../support/payment-links.ts';
import { openWallet } from '../support/wallet.ts';
import { contentOf, SCRIPT, writeBuild } from '../support/web-build.ts';

/* Which sites may frame the payment pages of a project, and the script of the payment button. */

const api = await sharedApi({
  env: { WEB_DIST: await writeBuild(), DONATION_LIMIT_POINTS: '10000', PROJECT_CHANGE_LIMIT_POINTS: '10000' },
});
const SITES = ['https://shop.example', 'http://localhost:8080'];

const setSites = ({ session }: TestAccount, sites: unknown) =>
  api.call('patch', '/v1/project', { session, body: { embed_sites: sites } });

async function openShop(sites: readonly string[] = []) {
  const account = await openAccount(api);
  await openWallet(api, account);
  if (sites.length > 0) expectAnswer(await setSites(account, sites), 'updateProject', 200);
  const link = await openLink(api, account);
  const { body } = await buyBy(api, link);
  return { account, paths: [`/l/${tokenOf(link)}`, `/pay/${body.public_id}`] };
}

/** The sites that a document names, and the older header. */
async function framing(path: string, destination = 'iframe') {
  const { text, headers } = await api.call('get', path).set('Sec-Fetch-Dest', destination);
  return { sites: contentOf(text).sites, older: headers['x-frame-options'] ?? null };
}

describe('the sites of a project', () => {
  it('may frame its payment links and payment pages, and those of no other project', async () => {
    const shop = await openShop(SITES);
    const other = await openShop();
    for (const path of shop.paths) expect(await framing(path), path).toEqual({ sites: SITES, older: null });
    for (const path of other.paths)
      expect(await framing(path), path).toEqual({ sites: [], older: 'SAMEORIGIN' });
  });

  it('are read for a browser that does not say what it loads the document for, too', async () => {
    const { paths } = await openShop(SITES);
    for (const path of paths) expect(contentOf((await api.call('get', path)).text).sites).toEqual(SITES);
  });

  it('stay unnamed in a tab of its own', async () => {
    const { paths } = await openShop(SITES);
    for (const path of paths) expect((await framing(path, 'document')).sites).toEqual([]);
  });

  it('may frame the form that is shown again without script', async () => {
    const { paths } = await openShop(SITES);
    const response = await fetch(`${api.url}${paths[0]}`, {
      method: 'POST',
      body: new URLSearchParams({ currency: 'LTC' }),
    });
    expect(response.status).toBe(422);
    expect(contentOf(await response.text())).toMatchObject({ page: 'link', sites: SITES });
  });

  it('may frame no donation page, overlay, account area or error page', async () => {
    const { account } = await openShop(SITES);
    const paths = [
      `/donate/${account.donateToken}`,
      `/overlay/${account.overlayToken}`,
      '/account',
      '/l/nothing',
    ];
    for (const path of paths)
      expect(await framing(path), path).toEqual({ sites: undefined, older: 'SAMEORIGIN' });
  });

  it('change from the next document on, which no cache stores, and are written to the audit log', async () => {
    const { account, paths } = await openShop(SITES);
    expect((await setSites(account, ['https://new.example:8443'])).body.embed_sites).toEqual([
      'https://new.example:8443',
    ]);
    for (const path of paths) expect((await framing(path)).sites).toEqual(['https://new.example:8443']);
    expect((await api.call('get', paths[0] ?? '')).headers['cache-control']).toBe('no-store');
    expect((await setSites(account, [])).body.embed_sites).toEqual([]);
    expect((await framing(paths[0] ?? '')).sites).toEqual([]);
    const log = await api.call('get', '/v1/audit-log?action=project.embed_sites_changed', {
      session: account.session,
    });
    expect(log.body.data[0]).toMatchObject({
      before: { embed_sites: ['https://new.example:8443'] },
      after: { embed_sites: [] },
    });
  });

  it.each([
    'shop.example',
    'https://shop.example/',
    'https://shop.example/cart',
    'https://*.shop.example',
    'https://*',
    '*',
    "'self'",
    'https:',
    'http://shop.example',
    'http://127.0.0.2:8080',
    'http://localhost.shop.example',
    'https://192.0.2.7',
    'https://[::1]',
    'https://shop_1.example',
    'https://SHOP.example',
    'https://shop.example:443',
    'https://user@shop.example',
    'https://shop.example?a=b',
    'https://shop.example; script-src *',
    'https://shop.example,https://evil.example',
    'https://shop.example\r\nSet-Cookie: a=b',
    'https://shop.example\u00a0https://evil.example',
    ' https://shop.example',
    'https://münchen.example',
    'null',
    'data:text/html,x',
    'javascript://shop.example',
    'https://-shop.example',
    `https://${'a.'.repeat(130)}example`,
    '',
    7,
  ])('are origins exactly as browsers write them, not %j', async (site) => {
    const account = await openAccount(api);
    const response = await setSites(account, [site]);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('body.embed_sites.0');
  });

  it('are at most 20, each named once', async () => {
    const account = await openAccount(api);
    const sites = Array.from({ length: 20 }, (_, index) => `https://shop${index}.example`);
    expectAnswer(await setSites(account, sites), 'updateProject', 200);
    for (const tooMany of [
      [...sites, 'https://more.example'],
      ['https://a.example', 'https://a.example'],
    ])
      expectProblem(await setSites(account, tooMany), 422, 'validation_error');
    expect((await api.call('get', '/v1/me', { session: account.session })).body.project.embed_sites).toEqual(
      sites,
    );
  });
});

describe('the script of the payment button', () => {
  it('may be loaded by any site, and is cached for an hour', async () => {
    const { status, text, headers } = await api
      .call('get', '/embed.js')
      .set('Origin', 'https://shop.example');
    expect([status, text]).toEqual([200, SCRIPT]);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
  });
});
