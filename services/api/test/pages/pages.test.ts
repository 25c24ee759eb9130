import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccount, randomAddress, sharedApi, startApi } from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';
import { contentOf, SCRIPT, writeBuild } from '../support/web-build.ts';

const dist = await writeBuild();
const api = await sharedApi({ env: { WEB_DIST: dist } });
const bare = await sharedApi({ beside: api, env: { WEB_DIST: join(dist, 'nothing') } });

describe('pages', () => {
  it('of an unknown invoice have status 404 and are not cached', async () => {
    const { status, text, headers } = await api.call('get', '/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb?lang=de');
    expect(status).toBe(404);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toBe("default-src 'none'");
    const { content, visit } = JSON.parse(text.replace('<!doctype html>', ''));
    expect(content.problem).toMatchObject({ code: 'invoice_not_found', requestId: headers['x-request-id'] });
    expect(visit.wantedLanguage).toBe('de');
  });

  it('render the response of the invoice operation', async () => {
    const account = await openAccount(api);
    await openWallet(api, account);
    const { body } = await api.call('post', '/v1/invoices', {
      session: account.session,
      body: { currency: 'BTC', type: 'order', expected_amount: '123400' },
    });
    const { status, text } = await api.call('get', `/pay/${body.public_id}`);
    expect(status).toBe(200);
    expect(contentOf(text).invoice).toMatchObject({ public_id: body.public_id, due_amount: '123400' });
  });

  it('count against the limit of public reads like the operation they show', async () => {
    const from = '93.184.216.34';
    const { headers } = await api.call('get', '/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb', { from });
    expect(headers['ratelimit']).toMatch(/^"public_read";r=299;/);
  });

  it('of errors, and of the account area, are rendered up to a limit for each network, which keeps the status', async () => {
    const limited = await startApi({ beside: api, env: { WEB_DIST: dist, PAGE_LIMIT_POINTS: '2' } });
    const open = async (path: string, from: string) => {
      const { status, type, body } = await limited.call('get', path, { from }).set('Accept', 'text/html');
      return [status, type === 'text/html' ? 'page' : body.code];
    };
    const answersTo = async (path: string, from: string) => [
      await open(path, from),
      await open(path, from),
      await open(path, from),
    ];
    const notFound = [404, 'page'];
    const [one, two, three] = [randomAddress(), randomAddress(), randomAddress()];
    expect(await answersTo('/nothing/here', one)).toEqual([notFound, notFound, [404, 'not_found']]);
    expect(await open('/pay/inv_8yXq3mJ2NdPz5KcVh7RtWb', one)).toEqual([404, 'invoice_not_found']);
    expect(await open('/account', one)).toEqual([429, 'rate_limited']);
    expect(await answersTo('/account/keys', two)).toEqual([
      [200, 'page'],
      [200, 'page'],
      [429, 'rate_limited'],
    ]);
    expect(await open('/nothing/here', three)).toEqual(notFound);
    await limited.close();
  });

  it('that fit into one packet are not compressed', async () => {
    const small = await api.call('get', '/account');
    expect(small.headers['content-encoding']).toBeUndefined();
    const large = await api.call('get', `/account?lang=${'x'.repeat(2000)}`);
    expect(large.headers['content-encoding']).toBe('gzip');
    expect(contentOf(large.text)).toEqual({ page: 'account', hasSession: false });
  });

  it('say whether the browser has a session, so that the screens behind the login are loaded at once', async () => {
    const cookies = {
      '__Host-paywatch_session=anything; other=1': true,
      'other=1; =; paywatch_session=1': false,
    };
    for (const [cookie, hasSession] of Object.entries(cookies)) {
      const { text } = await api.call('get', '/account').set('Cookie', cookie);
      expect(contentOf(text)).toEqual({ page: 'account', hasSession });
    }
  });

  it('are logged by path pattern, never with an id or token', async () => {
    await api.call('get', '/pay/inv_CanaryCanaryCanary');
    const lines = api.logLines.filter((line) => line.includes('/pay/'));
    expect(lines.some((line) => line.includes('"path":"/pay/{publicId}"'))).toBe(true);
    expect(api.logLines.join('\n')).not.toContain('inv_CanaryCanaryCanary');
  });
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('an unknown path', () => {
  it.each(['/nothing', '/pay', '/v1/nothing', '/docs/nothing'])(
    'returns a page to a browser: %s',
    async (path) => {
      const { status, text, headers } = await api.call('get', path).set('Accept', BROWSER);
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(contentOf(text)).toMatchObject({ page: 'problem', problem: { code: 'not_found' } });
    },
  );

  it.each(['*/*', 'application/json', undefined])(
    'returns a problem to a client that accepts %s',
    async (accept) => {
      const asked = api.call('get', '/nothing');
      const { status, headers } = await (accept === undefined ? asked : asked.set('Accept', accept));
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    },
  );

  it('returns a problem to a browser, too, if there are no pages', async () => {
    const { status, headers } = await bare.call('get', '/nothing').set('Accept', BROWSER);
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });
});

describe('the overlay', () => {
  it('of a project is served; an unknown token gets a page with status 404', async () => {
    const { overlayToken } = await openAccount(api);
    const known = await api.call('get', `/overlay/${overlayToken}?theme=plain`);
    expect([known.status, contentOf(known.text)]).toEqual([200, { page: 'overlay', source: null }]);
    const goal = await api.call('get', `/overlay/${overlayToken}?source=goal`);
    expect(contentOf(goal.text)).toEqual({ page: 'overlay', source: 'goal' });
    const twice = await api.call('get', `/overlay/${overlayToken}?source=goal&source=top`);
    expect([twice.status, contentOf(twice.text)]).toEqual([200, { page: 'overlay', source: null }]);
    for (const token of ['nothing', '%00', 'x'.repeat(500)]) {
      const unknown = await api.call('get', `/overlay/${token}`);
      expect([unknown.status, contentOf(unknown.text).problem.code], token).toEqual([404, 'not_found']);
    }
  });

  it('is served without a check above the limit, because OBS never reloads an error page', async () => {
    const tight = await startApi({ beside: api, env: { WEB_DIST: dist, PUBLIC_READ_LIMIT_POINTS: '1' } });
    const from = '93.184.216.36';
    expect((await tight.call('get', '/overlay/nothing', { from })).status).toBe(404);
    const unchecked = await tight.call('get', '/overlay/nothing', { from });
    expect([unchecked.status, contentOf(unchecked.text)]).toEqual([200, { page: 'overlay', source: null }]);
    await tight.close();
  });
});

describe('the donation form without script', () => {
  it('redirects to the payment page of the new donation', async () => {
    const account = await openAccount(api);
    await openWallet(api, account, { gapLimit: 40 });
    const response = await send(account.donateToken, { currency: 'BTC', amount: '10000' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^\/pay\/inv_\w+\?lang=de$/);
  });

  it('is shown again with its input, with the status and field errors of the operation', async () => {
    const account = await openAccount(api);
    await openWallet(api, account, { gapLimit: 40 });
    const response = await send(account.donateToken, { currency: 'BTC', amount: 'lots' });
    expect(response.status).toBe(422);
    const content = contentOf(await response.text());
    expect(content.draft).toEqual({ currency: 'BTC', amount: 'lots' });
    expect(content.link.currencies).toEqual(['BTC']);
    expect(content.problem).toMatchObject({ code: 'validation_error', errors: [{ path: 'body.amount' }] });
  });

  it('sent from another site is shown again, and starts nothing', async () => {
    const account = await openAccount(api);
    await openWallet(api, account, { gapLimit: 40 });
    const fields = { currency: 'BTC', amount: '10000', donor_name: 'Ann' };
    for (const headers of FROM_ELSEWHERE) {
      const response = await send(account.donateToken, fields, headers);
      expect(response.status, JSON.stringify(headers)).toBe(403);
      const content = contentOf(await response.text());
      expect(content).toMatchObject({ draft: fields, problem: { code: 'forbidden' } });
    }
    const own = await send(account.donateToken, fields, { 'Sec-Fetch-Site': 'same-origin' });
    expect(own.status).toBe(303);
  });

  it('of an unknown link returns a page with status 404, and one that is too long 413', async () => {
    const unknown = await send('nothing', { currency: 'BTC' });
    expect([unknown.status, contentOf(await unknown.text()).problem.code]).toEqual([404, 'not_found']);
    const long = await send('nothing', { donor_message: 'x'.repeat(20_000) });
    expect(long.status).toBe(413);
  });
});

describe('the files of pages', () => {
  it('are cacheable forever, because their names change with their content', async () => {
    const { status, headers } = await api.call('get', '/assets/pay-1a2b.js');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['vary']).toBe('Accept-Encoding');
  });

  it.each(['br', 'gzip', 'identity'])(
    'are sent as %s to clients that accept it, with the same content',
    async (encoding) => {
      const response = await fetch(`${api.url}/assets/pay-1a2b.js`, {
        headers: { 'Accept-Encoding': encoding },
      });
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(await response.text()).toBe(SCRIPT);
    },
  );

  it('contain the style sheet of every accent color, and of nothing else', async () => {
    const { status, headers, text } = await api.call('get', '/assets/accent-ffee00.css');
    expect([status, headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(text).toMatch(/^:root\{--accent:#[0-9a-f]{6};--on-accent:#[0-9a-f]{6}\}@media/);
    for (const name of ['accent-fff.css', 'accent-FFEE00.css', 'accent-ffee00%7D.css'])
      expect((await api.call('get', `/assets/${name}`)).status, name).toBe(404);
  });

  it('are looked up by name: no other file can be read', async () => {
    for (const name of [
      'pay-1a2b.js.gz',
      'nothing.js',
      '..%2f..%2fserver%2frender.js',
      '..%2Fpackage.json',
    ]) {
      expect((await api.call('get', `/assets/${name}`)).status, name).toBe(404);
    }
  });
});

describe('without a build', () => {
  it('pages answer 503 in plain text, the log says why at the start, and the API works', async () => {
    for (const path of [
      '/pay/inv_1',
      '/account',
      '/account/invoices',
      '/donate/x',
      '/overlay/x',
      '/assets/x.js',
    ]) {
      const { status, text } = await bare.call('get', path);
      expect([status, text], path).toEqual([503, 'This deployment has no web build.\n']);
    }
    expect(bare.logLines.filter((line) => line.includes('no pages: build services/web'))).toHaveLength(1);
    expect((await bare.call('get', '/v1/openapi.json')).status).toBe(200);
  });
});

/** Sends the form as a browser does that runs no script. */
function send(
  token: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${api.url}/donate/${token}?lang=de`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers,
  });
}

/** What browsers send with a form that stands on another site. */
const FROM_ELSEWHERE = [
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.pay.example' },
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
];
