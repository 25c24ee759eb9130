import { randomBase58 } from '@paywatch/runtime/security';
import { CLEAN_UPS } from '@paywatch/store/postgres';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, openApiKey, sharedApi } from '../support/api.ts';
import { confirmDonation } from '../support/overlay-donations.ts';
import { openStream } from '../support/stream-client.ts';

const api = await sharedApi();

const keepFor = (session: string, days: unknown) =>
  api.call('patch', '/v1/project', { session, body: { donor_texts_days: days } });

describe('how long donors’ names and messages are kept', () => {
  it('is set and taken back by the owner, with a line in the audit log each', async () => {
    const { session } = await openAccount(api);
    const set = await keepFor(session, 30);
    expectAnswer(set, 'updateProject', 200);
    expect(set.body.donor_texts_days).toBe(30);
    expect((await keepFor(session, null)).body.donor_texts_days).toBeNull();
    const log = await api.call('get', '/v1/audit-log?action=project.donor_texts_changed', { session });
    expect(log.body.data).toMatchObject([
      { before: { donor_texts_days: 30 }, after: { donor_texts_days: null } },
      { before: { donor_texts_days: null }, after: { donor_texts_days: 30 } },
    ]);
  });

  it.each([0, 3651, 1.5, '30', -1])('is not %j', async (days) => {
    const { session } = await openAccount(api);
    expectProblem(await keepFor(session, days), 422, 'validation_error');
  });
});

it('what was removed is in no export, view, list, search, event, stream or summary', async () => {
  const account = await openAccount(api);
  const apiKey = await openApiKey(api, account);
  const { session, overlayToken, donateToken } = account;
  await confirmDonation(api, account, { name: 'Xanthippe', message: 'Quagmire' });
  const publicId = `inv_${randomBase58(22)}`;
  await api.store.sql`
    update invoices set public_id = ${publicId}, created_at = now() - interval '31 days', status = 'confirmed'
    where project_id = ${account.projectId}`;
  await api.store.sql`
    insert into events (public_id, project_id, invoice_id, type, body)
    select 'evt_' || id, project_id, id, 'invoice.confirmed', json_build_object('id', 'evt_' || id, 'type', 'invoice.confirmed',
      'api_version', '1', 'created_at', '2026-11-01T00:00:00.000Z', 'data', json_build_object('previous_status', 'pending',
      'invoice', json_build_object('public_id', public_id, 'donor_name', donor_name, 'donor_message', donor_message)))::text
    from invoices where public_id = ${publicId}`;
  const streamed = async (query: string) => {
    const stream = await openStream(`${api.url}/v1/public/overlay/${overlayToken}/events${query}`, {
      lastEventId: '0',
    });
    await stream.received(1);
    stream.close();
    return JSON.stringify(stream.messages);
  };
  const read = async (path: string, as: object = { session }) => (await api.call('get', path, as)).text;
  const everything = async () => ({
    invoice: await read(`/v1/invoices/${publicId}`, { apiKey }),
    list: await read('/v1/invoices'),
    search: await read('/v1/invoices?search=xanthippe'),
    csv: await read('/v1/exports/invoices', { apiKey }),
    event: await read('/v1/events'),
    events: await read('/v1/exports/events', { apiKey }),
    payer: await read(`/v1/public/invoices/${publicId}`, {}),
    link: await read(`/v1/public/donate/${donateToken}`, {}),
    overlay: await streamed(''),
    summary: await streamed('?include=summary'),
  });
  const before = await everything();
  for (const path of ['invoice', 'list', 'search', 'csv', 'overlay', 'summary'] as const)
    expect(before[path], path).toContain('Xanthippe');
  await keepFor(session, 30);
  await CLEAN_UPS.removeOldDonorTexts(api.store, 1000);
  for (const [path, text] of Object.entries(await everything())) {
    expect(text, path).not.toMatch(/Xanthippe|Quagmire/);
    expect(text, path).not.toContain('"code":');
  }
  expect(await streamed('?include=summary')).toContain('"btc":"1000"');
});
