import { describe, expect, it } from 'vitest';
import { expectProblem, openAccount, openApiKey, sharedApi, type TestAccount } from '../support/api.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({});

async function openMerchant() {
  const account = await openAccount(api);
  await openWallet(api, account);
  const apiKey = await openApiKey(api, account);
  const download = (path: string) => api.call('get', `/v1/exports/${path}`, { apiKey });
  const create = async (body: object) => {
    const invoice = { currency: 'BTC', type: 'order', expected_amount: '150000', ...body };
    return (await api.call('post', '/v1/invoices', { apiKey, body: invoice }).expect(201)).body;
  };
  return { account, apiKey, download, create };
}

/** Records an unconfirmed payment of an invoice, as a watcher would have. */
async function pay({ projectId }: TestAccount, publicId: string): Promise<string> {
  const [row] = await api.store.sql<{ txid: string }[]>`
    with invoice as (select id from invoices where public_id = ${publicId} and project_id = ${projectId}), transaction as (
      insert into transactions (currency, txid, state, first_seen_at)
      select 'BTC', sha256(${publicId}::bytea), 'mempool', now() returning currency, txid
    )
    insert into payments (currency, txid, vout, invoice_id, script, amount, first_seen_at)
    select t.currency, t.txid, 0, i.id, '\\x00', 150000, now() from transaction t, invoice i
    returning encode(txid, 'hex') as txid`;
  return row?.txid ?? '';
}

const rowsOf = (text: string) => text.trimEnd().split('\r\n').slice(1);
const linesOf = (body: Buffer): Record<string, unknown>[] =>
  body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the export of invoices', () => {
  it('has a line for each invoice that matches, newest first, with amounts in coins', async () => {
    const { create, download } = await openMerchant();
    const first = await create({ order_id: 'order-1' });
    const second = await create({ order_id: 'order-2', expected_amount: '100000000' });
    const response = await download('invoices?format=jsonl').responseType('blob');
    expect(response.headers['content-type']).toBe('application/jsonl');
    expect(response.headers['content-disposition']).toBe('attachment; filename="paywatch-invoices.jsonl"');
    expect(linesOf(response.body)).toMatchObject([
      { public_id: second.public_id, order_id: 'order-2', expected_coins: '1', received_coins: '0' },
      { public_id: first.public_id, order_id: 'order-1', expected_coins: '0.0015', price: null },
    ]);
    const filtered = await download('invoices?order_id=order-1');
    expect(filtered.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(rowsOf(filtered.text)).toEqual([expect.stringContaining(`${first.public_id},order,new,false,`)]);
    const found = await download('invoices?search=ORDER-2');
    expect(rowsOf(found.text)).toEqual([expect.stringContaining(`${second.public_id},order,new,false,`)]);
  });

  it('leaves out the price that a donor entered, which is not what arrived', async () => {
    const { account, create, download } = await openMerchant();
    const { public_id: donation } = await create({ type: 'donation' });
    const order = await create({});
    await api.store.sql`
      update invoices set price_amount = 99999900, price_currency = 'EUR', rate_value = 50000, rate_sources = array['a'], rate_taken_at = now()
      where project_id = ${account.projectId}`;
    const { body } = await download('invoices?format=jsonl').responseType('blob');
    expect(linesOf(body)).toMatchObject([
      { public_id: order.public_id, price_currency: 'EUR' },
      { public_id: donation, price: null, price_currency: null, rate: null, rate_taken_at: null },
    ]);
  });

  it('holds no cell that a spreadsheet runs as a formula, whatever shops and donors write', async () => {
    const { create, download } = await openMerchant();
    await create({ order_id: '=HYPERLINK("https://evil.example","x")' });
    await create({ type: 'donation', donor_name: '+1', donor_message: '@SUM(A1), "quoted"' });
    const { text } = await download('invoices');
    expect(text).toContain(`,"'=HYPERLINK(""https://evil.example"",""x"")",`);
    expect(text).toContain(`,'+1,"'@SUM(A1), ""quoted""",`);
    expect(text).not.toMatch(/(^|,|\r\n)"?[=+@\t-]/);
  });

  it('holds no formula behind a semicolon either, where a German spreadsheet splits lines', async () => {
    const { create, download } = await openMerchant();
    const cells = ['a;=1+1;b', 'a; +1', 'a;";=1;', ' =1', '＝1', 'a;b', 'smile ;-)'];
    for (const cell of cells) await create({ order_id: cell });
    const { text } = await download('invoices');
    const parts = text.split(/[;\r\n]/).map((part) => part.replace(/^["\s]*/u, ''));
    expect(parts.filter((part) => /^[=+@＝-]/u.test(part))).toEqual([]);
    expect(text).toContain(`,a;'=1+1;b,`);
    expect(text).toContain(',a;b,');
  });

  it('reads page after page: more invoices than one page holds, each once', async () => {
    const { account, create, download } = await openMerchant();
    const { public_id: publicId } = await create({});
    const [{ columns } = { columns: '' }] = await api.store.sql<{ columns: string }[]>`
      select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_name = 'invoices' and column_name not in ('id', 'public_id') and is_generated = 'NEVER'`;
    await api.store.sql`
      insert into invoices (public_id, ${api.store.sql.unsafe(columns)})
      select 'inv_' || replace(gen_random_uuid()::text, '0', '1'), ${api.store.sql.unsafe(columns)}
      from invoices, generate_series(1, 350) where public_id = ${publicId} and project_id = ${account.projectId}`;
    const ids = rowsOf((await download('invoices')).text).map((row) => row.split(',')[0]);
    expect(ids).toHaveLength(351);
    expect(new Set(ids).size).toBe(351);
  });

  it('contains nothing of another project', async () => {
    const [mine, theirs] = [await openMerchant(), await openMerchant()];
    await theirs.create({ order_id: 'theirs' });
    for (const path of ['invoices', 'payments', 'events'])
      expect(rowsOf((await mine.download(path)).text)).toEqual([]);
  });

  it.each(['format=xlsx', 'limit=5', 'created_from=2027-01-01T00:00:00Z&created_to=2026-01-01T00:00:00Z'])(
    'refuses the query ?%s',
    async (query) => {
      const { download } = await openMerchant();
      expectProblem(await download(`invoices?${query}`), 422, 'validation_error');
    },
  );

  it('is limited for each project', async () => {
    const { download } = await openMerchant();
    for (let i = 0; i < 10; i += 1) await download('invoices').expect(200);
    expectProblem(await download('payments'), 429, 'rate_limited');
  });
});

describe('the export of payments', () => {
  it('has a line for each payment, with its invoice and a link to an explorer', async () => {
    const { account, create, download } = await openMerchant();
    const { public_id: publicId } = await create({ order_id: 'order-1' });
    await create({ order_id: 'unpaid' });
    const txid = await pay(account, publicId);
    const response = await download('payments?format=jsonl').responseType('blob');
    expect(linesOf(response.body)).toMatchObject([
      { txid, vout: 0, coins: '0.0015', status: 'unconfirmed', public_id: publicId, order_id: 'order-1' },
    ]);
    expect(linesOf(response.body)[0]?.['explorer_url']).toMatch(new RegExp(`^https://.*/tx/${txid}$`));
  });
});

describe('the export of events', () => {
  it('has a line for each event that matches, with its delivery', async () => {
    const { account, apiKey, download } = await openMerchant();
    await api.store.sql`
      insert into events (public_id, project_id, type, body)
      select 'evt_' || translate(gen_random_uuid()::text, '0-', '1'), ${account.projectId}, 'invoice.expired', '{}'
      from generate_series(1, 1200)`;
    const { text } = await download('events');
    expect(rowsOf(text)).toHaveLength(1200);
    expect(rowsOf(text)[0]).toMatch(/^evt_\w+,invoice\.expired,[^,]+,inv_\w+,true,unsent,0,,$/);
    expect(rowsOf((await download('events?type=invoice.confirmed')).text)).toEqual([]);
    expectProblem(await download('events?endpoint_id=we_1'), 404, 'endpoint_not_found');
    const { body } = await api.call('get', '/v1/events?limit=1', { apiKey });
    expect(rowsOf(text)[0]).toContain(body.data[0].id);
  });
});
