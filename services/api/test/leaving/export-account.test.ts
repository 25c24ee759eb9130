import { accountExportSchema } from '@paywatch/domain/contract';
import { growthTable } from '@paywatch/store/postgres';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EXPORTED_TABLES } from '../../src/leaving/exported-tables.ts';
import { expectAnswer, expectProblem, openAccount, openApiKey, sharedApi } from '../support/api.ts';
import { openLink } from '../support/payment-links.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi();

const read = (as: object) => api.call('get', '/v1/account/export', as);

describe('the export of an account', () => {
  it('has what the owner set up, and is a line in the audit log', async () => {
    const account = await openAccount(api);
    const { session, projectId, accountId } = account;
    await openWallet(api, account);
    const apiKey = await openApiKey(api, account);
    await openLink(api, account);
    await api.call('patch', '/v1/project', { session, body: { name: 'Shop' } }).expect(200);
    await api.store.sql`
      insert into webhook_endpoints (project_id, url, secret_sealed)
      values (${projectId}, 'https://shop.example/hook', 'sealed secret')`;
    await api.store.sql`
      insert into uploads (project_id, public_id, kind, name, type, width, height, content)
      values (${projectId}, 'upl_8yXq3mJ2NdPz5KcVh7RtWb', 'image', 'Cat', 'image/gif', 1, 1, 'a picture')`;
    await api.store.sql`
      insert into second_factors (account_id, name, secret_sealed, created_at)
      values (${accountId}, 'Not confirmed', 'sealed secret', now())`;
    const response = await read({ session });
    expectAnswer(response, 'exportAccount', 200);
    expect(response.body).toMatchObject({
      account: { email: account.email },
      project: { name: 'Shop', donate_token: account.donateToken },
      sessions: [{ current: true }],
      login_networks: [{ network: 'nowhere' }],
      wallets: [{ currency: 'BTC', status: 'verified', xpub: expect.any(String) }],
      api_keys: [{ key_public: apiKey.split('_')[1] }],
      webhook_endpoints: [{ url: 'https://shop.example/hook' }],
      payment_links: [{ status: 'open' }],
      uploads: [{ name: 'Cat', sha256: createHash('sha256').update('a picture').digest('hex') }],
      files: { invoices: { csv: 'https://pay.example/v1/exports/invoices?format=csv' } },
    });
    const log = await api.call('get', '/v1/audit-log?action=account.exported', { session });
    expect(log.body.data).toHaveLength(1);
  });

  it('has no secret: no password, token of a session, secret of a key or an endpoint', async () => {
    const account = await openAccount(api);
    const apiKey = await openApiKey(api, account);
    const secrets = await api.store.sql<{ hash: string }[]>`
      select encode(secret_hash, 'hex') as hash from api_keys where project_id = ${account.projectId}
      union all select encode(token_hash, 'hex') from sessions where account_id = ${account.accountId}`;
    const { text } = await read({ session: account.session });
    for (const secret of [apiKey, apiKey.split('_')[2]!, account.session, ...secrets.map(({ hash }) => hash)])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/"[^"]*(password|secret|hash)(?!_changed)[^"]*":/u);
  });

  it('has nothing of another account', async () => {
    const [mine, other] = [await openAccount(api), await openAccount(api)];
    await openWallet(api, other);
    await openApiKey(api, other);
    const { text, body } = await read({ session: mine.session });
    for (const part of [other.email, other.donateToken, other.overlayToken]) expect(text).not.toContain(part);
    expect([body.wallets, body.api_keys]).toEqual([[], []]);
  });

  it('names files that the same session downloads', async () => {
    const { session } = await openAccount(api);
    const { files } = accountExportSchema.parse((await read({ session })).body);
    for (const url of Object.values(files).flatMap(({ csv, jsonl }) => [csv, jsonl])) {
      const { pathname, search } = new URL(url);
      expect((await api.call('get', `${pathname}${search}`, { session })).status, url).toBe(200);
    }
  });

  it('is refused with an API key', async () => {
    const apiKey = await openApiKey(api, await openAccount(api));
    expectProblem(await read({ apiKey }), 401, 'unauthorized');
  });
});

describe('each table of Postgres', () => {
  const documented = growthTable()
    .split('\n')
    .flatMap((line) => /^\| `(\w+)`/u.exec(line)?.[1] ?? []);

  it('is in the export, or has a reason why not', () => {
    expect(Object.keys(EXPORTED_TABLES).toSorted()).toEqual(documented);
    expect(documented.length).toBeGreaterThan(50);
  });

  it('is in a part or a file that the document has', async () => {
    const { body } = await read({ session: (await openAccount(api)).session });
    const isFound = (place: (typeof EXPORTED_TABLES)[keyof typeof EXPORTED_TABLES]) =>
      ('part' in place && place.part in body) ||
      ('file' in place && place.file in body.files) ||
      ('why' in place && place.why !== '');
    const missing = Object.entries(EXPORTED_TABLES).filter(([, place]) => !isFound(place));
    expect(missing).toEqual([]);
  });
});
