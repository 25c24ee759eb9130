import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';

const api = await sharedApi();
const ADDRESS = '93.184.216.34';

type Line = { id: string; action: string; at: string; actor: object; ip: string | null };

const list = (account: TestAccount, query = '') =>
  api.call('get', `/v1/audit-log${query}`, { session: account.session });
const download = (account: TestAccount, query = '') =>
  api.call('get', `/v1/audit-log/export${query}`, { session: account.session });
const newest = async (account: TestAccount): Promise<Line> => (await list(account, '?limit=1')).body.data[0];

const rename = (account: TestAccount, name: string) =>
  api.call('patch', '/v1/project', { session: account.session, from: ADDRESS, body: { name } }).expect(200);

/** A line at a time of its own, as a job of the product writes it. */
async function writeAt({ projectId }: TestAccount, at: string): Promise<void> {
  await api.store.sql`
    insert into audit_log (project_id, action, detail, created_at)
    values (${projectId}, 'wallet.expired', '{"actor": "watcher"}', ${at}::text::timestamptz)`;
}

describe('a line of the audit log', () => {
  it('says what a person did, when, from which address, what was before and after', async () => {
    const account = await openAccount(api);
    await rename(account, 'First');
    await rename(account, 'Second');
    const response = await list(account);
    expectAnswer(response, 'listAuditLog', 200);
    expect(response.body.data[0]).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      action: 'project.renamed',
      actor: { type: 'person', name: account.email },
      ip: ADDRESS,
      details: {},
      before: { name: 'First' },
      after: { name: 'Second' },
    });
    const actions = response.body.data.map(({ action }: Line) => action);
    expect(actions).toEqual(['project.renamed', 'project.renamed', 'account.registered']);
  });

  it('names the API key that acted, and keeps the path and the secret of an endpoint out', async () => {
    const account = await openAccount(api);
    const apiKey = await openApiKey(api, account);
    const set = (url: string) =>
      api.call('post', '/v1/webhooks', { apiKey, from: '2001:db8::7', body: { url } }).expect(201);
    const { body } = await set('https://93.184.216.34/hooks/t0ken-one');
    await set('https://93.184.216.34/hooks/t0ken-two');
    expect(await newest(account)).toMatchObject({
      action: 'webhook.set',
      actor: { type: 'api_key', name: apiKey.split('_')[1] },
      ip: '2001:db8::7',
      details: { host: '93.184.216.34', url_changed: true },
      before: { host: '93.184.216.34' },
      after: { host: '93.184.216.34' },
    });
    const { text } = await list(account);
    for (const secret of [body.secret, 't0ken', apiKey.split('_')[2]]) expect(text).not.toContain(secret);
  });

  it.each([
    ['operator', 'operator'],
    ['watcher', 'system'],
    ['payment', 'system'],
    ['unknown', 'unknown'],
  ] as const)('of the actor %s is one of type %s, without a name and an address', async (actor, type) => {
    const account = await openAccount(api);
    await api.store.sql`
      insert into audit_log (project_id, action, detail)
      values (${account.projectId}, 'subscription.changed', ${api.store.sql.json({ actor })})`;
    expect(await newest(account)).toMatchObject({ actor: { type, name: null }, ip: null });
  });
});

describe('the list of the audit log', () => {
  it('pages through the lines of account and project, newest first, each once, also those of one moment', async () => {
    const account = await openAccount(api);
    await api.store.sql`
      insert into audit_log (account_id, action, detail)
      values (${account.accountId}, 'password.reset', '{"actor": "operator"}')`;
    await api.store.sql`
      insert into audit_log (project_id, action, detail)
      select ${account.projectId}, 'wallet.expired', '{"actor": "watcher"}' from generate_series(1, 5)`;
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const page = await list(account, query);
      expectAnswer(page, 'listAuditLog', 200);
      seen.push(...page.body.data.map(({ id }: Line) => id));
      cursor = page.body.next_cursor;
    } while (cursor !== null);
    const all = await list(account);
    expect(seen).toEqual(all.body.data.map(({ id }: Line) => id));
    expect(new Set(seen).size).toBe(7);
  });

  it('filters by action and by time, the end excluded', async () => {
    const account = await openAccount(api);
    for (const day of ['01', '02', '03']) await writeAt(account, `2026-03-${day}T00:00:00Z`);
    const days = async (query: string) =>
      (await list(account, query)).body.data.map(({ at }: Line) => at.slice(8, 10));
    expect(await days('?action=wallet.expired')).toEqual(['03', '02', '01']);
    expect(await days('?from=2026-03-02T00:00:00Z&to=2026-03-03T00:00:00Z')).toEqual(['02']);
    expect(await days('?action=password.reset')).toEqual([]);
  });

  it('shows nothing of another account, and refuses its cursor', async () => {
    const [account, stranger] = [await openAccount(api), await openAccount(api)];
    await rename(stranger, 'Not yours');
    const { id } = await newest(stranger);
    expect((await list(account)).text).not.toContain(id);
    expect((await download(account)).text).not.toContain(stranger.email);
    expectProblem(await list(account, `?cursor=${id}`), 422, 'validation_error');
  });

  it.each([
    'action=nothing',
    'from=yesterday',
    'cursor=1',
    'to=2026-01-01T00:00:00Z&from=2027-01-01T00:00:00Z',
  ])('refuses the query ?%s', async (query) => {
    expectProblem(await list(await openAccount(api), `?${query}`), 422, 'validation_error');
  });
});

/** Superagent parses no JSON Lines. */
const linesOf = (body: Buffer) =>
  body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('the export of the audit log', () => {
  it('holds every line of the filter, in JSON Lines as the list shows them', async () => {
    const account = await openAccount(api);
    await rename(account, 'Shop');
    const response = await download(account, '?format=jsonl').responseType('blob');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('application/jsonl');
    expect(response.headers['content-disposition']).toBe('attachment; filename="paywatch-audit-log.jsonl"');
    expect(linesOf(response.body)).toEqual((await list(account)).body.data);
    const filtered = await download(account, '?format=jsonl&action=project.renamed').responseType('blob');
    expect(linesOf(filtered.body)).toHaveLength(1);
  });

  it('is CSV that quotes what it must, and holds no cell that a spreadsheet runs as a formula', async () => {
    const account = await openAccount(api);
    await api.store.sql`update accounts set email = ${`=${account.email}`} where id = ${account.accountId}`;
    await rename(account, 'A "b", c');
    const { text } = await download(account);
    const [head, line] = text.split('\r\n');
    expect(head).toBe('at,action,actor_type,actor,ip,details,before,after');
    const { at } = await newest(account);
    expect(line).toBe(
      `${at},project.renamed,person,'=${account.email},${ADDRESS},{},"{""name"":null}",` +
        `"{""name"":""A \\""b\\"", c""}"`,
    );
  });

  it('reads page after page: more lines than one page holds, each once', async () => {
    const account = await openAccount(api);
    await api.store.sql`
      insert into audit_log (project_id, action, detail)
      select ${account.projectId}, 'wallet.expired', jsonb_build_object('actor', 'watcher', 'n', n)
      from generate_series(1, 1200) n`;
    const { text } = await download(account, '?action=wallet.expired');
    const numbers = text.match(/""n"":\d+/g) ?? [];
    expect(numbers).toHaveLength(1200);
    expect(new Set(numbers).size).toBe(1200);
  });

  it('is limited for each account', async () => {
    const account = await openAccount(api);
    for (let i = 0; i < 10; i += 1) await download(account).expect(200);
    expectProblem(await download(account), 429, 'rate_limited');
  });
});
