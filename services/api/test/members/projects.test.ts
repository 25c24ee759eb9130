import { byCredential, readAddressUse } from '@paywatch/store/accounts';
import { sha256 } from '@paywatch/runtime/security';
import { inTransaction } from '@paywatch/store/postgres';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, sharedApi, type TestAccount } from '../support/api.ts';
import { addMember, projectIdOf } from '../support/members.ts';

const api = await sharedApi({ env: { PROJECT_CHANGE_LIMIT_POINTS: '1000' } });

const create = async ({ session }: TestAccount, name = 'Second Shop'): Promise<string> => {
  const response = await api.call('post', '/v1/projects', { session, body: { name } });
  expectAnswer(response, 'createProject', 201);
  return response.body.project_id;
};
const list = ({ session }: TestAccount) => api.call('get', '/v1/projects', { session });
const me = ({ session }: TestAccount, project?: string) => {
  const call = api.call('get', '/v1/me', { session });
  return project === undefined ? call : call.set('Paywatch-Project', project);
};

describe('an account with several projects', () => {
  it('lists them with its first one first, and reads each by the header', async () => {
    const account = await openAccount(api);
    const first = await projectIdOf(api, account);
    const second = await create(account);
    const response = await list(account);
    expectAnswer(response, 'listProjects', 200);
    expect(response.body.data).toMatchObject([
      { project_id: first, name: null, role: 'owner', first: true },
      { project_id: second, name: 'Second Shop', role: 'owner', first: false },
    ]);
    const [unnamed, named] = [await me(account), await me(account, second)];
    expectAnswer(named, 'getMe', 200);
    expect(unnamed.body.project).toMatchObject({ name: null, donate_token: account.donateToken });
    expect(named.body.account).toEqual(unnamed.body.account);
    expect(named.body.project.name).toBe('Second Shop');
  });

  it('keeps what it changes in one of them out of the others', async () => {
    const account = await openAccount(api);
    const second = await create(account);
    const key = await api
      .call('post', '/v1/api-keys', { session: account.session })
      .set('Paywatch-Project', second)
      .expect(201);
    const keysOf = async (project: string) =>
      (await api.call('get', '/v1/api-keys', { session: account.session }).set('Paywatch-Project', project))
        .body;
    expect((await keysOf(second)).data).toMatchObject([{ key_public: key.body.key_public }]);
    expect((await keysOf(await projectIdOf(api, account))).data).toEqual([]);
    const body = { url: 'https://93.184.215.14/hook' };
    await api.call('post', '/v1/webhooks', { apiKey: key.body.token, body }).expect(201);
    expect((await me(account)).body.project.webhook).toBe(null);
    expect((await me(account, second)).body.project.webhook.url).toBe(body.url);
  });

  it('gets no second trial: a later project has what is left of the first one', async () => {
    const account = await openAccount(api);
    const ends = async (project: string) => (await me(account, project)).body.project.subscription;
    const fresh = await ends(await create(account));
    expect(fresh.active).toBe(true);
    const { registeredAt } = await registration(account);
    expect(Date.parse(fresh.active_until)).toBe(Math.floor(registeredAt) + 14 * 86_400_000);
    await api.store
      .sql`update accounts set created_at = now() - interval '15 days' where id = ${account.accountId}`;
    expect(await ends(await create(account, 'Third'))).toEqual({ active: false, active_until: null });
  });

  it('shares the limit of derived addresses among its projects', async () => {
    const account = await openAccount(api);
    const name = await create(account);
    const [second] = await api.store.sql<{ id: bigint }[]>`select id from projects where public_id = ${name}`;
    if (!second) throw new Error('it was just created');
    for (const projectId of [account.projectId, second.id]) {
      await api.store.sql`
        insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit, derived_count)
        values ('BTC', ${`key ${projectId}`}, 'xpub', 'p2wpkh', 0, ${projectId}, 20, 30)`;
    }
    await api.store.sql`update projects set address_limit = 50 where id = ${account.projectId}`;
    const used = { derived: 60, limit: 50 };
    expect(await readAddressUse(api.store.sql, account.projectId, 2000)).toEqual(used);
    expect(await readAddressUse(api.store.sql, second.id, 2000)).toEqual(used);
  });

  it('creates ten at most, also when it creates them at once', async () => {
    const account = await openAccount(api);
    const body = { name: 'One of many' };
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => api.call('post', '/v1/projects', { session: account.session, body })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(9);
    const refused = responses.find(({ status }) => status !== 201);
    if (refused) expectProblem(refused, 409, 'too_many_projects');
    expect((await list(account)).body.data).toHaveLength(10);
  });
});

describe('a member', () => {
  it('sees the project of somebody else with the role and its own account', async () => {
    const [owner, member] = [await openAccount(api), await openAccount(api)];
    const project = await projectIdOf(api, owner);
    await addMember(api, owner, member, 'manager');
    expect((await list(member)).body.data).toMatchObject([
      { project_id: await projectIdOf(api, member), first: true },
      { project_id: project, role: 'manager', first: false },
    ]);
    const { body } = await me(member, project);
    expect(body.account.email).toBe(member.email);
    expect(body.project).toMatchObject({
      donate_token: owner.donateToken,
      overlay_token: owner.overlayToken,
    });
  });

  it.each(['accountant', 'support'] as const)('with the role %s gets no link of an overlay', async (role) => {
    const [owner, member] = [await openAccount(api), await openAccount(api)];
    await addMember(api, owner, member, role);
    const response = await me(member, await projectIdOf(api, owner));
    expectAnswer(response, 'getMe', 200);
    expect(response.text).not.toContain(owner.overlayToken);
  });

  it('is checked again by the transaction of a change: with a lower role it is refused, without one the project is unknown', async () => {
    const [owner, member] = [await openAccount(api), await openAccount(api)];
    await addMember(api, owner, member, 'manager');
    const { accountId } = member;
    const tokenHash = sha256(member.session).toString('hex');
    const credential = {
      kind: 'session',
      accountId,
      projectId: owner.projectId,
      role: 'manager',
      tokenHash,
    } as const;
    const authorized = () => inTransaction(api.store, byCredential(credential, null));
    await expect(authorized()).resolves.toMatchObject({ accountId });
    await api.store.sql`update project_members set role = 'support' where account_id = ${accountId}`;
    await expect(authorized()).rejects.toMatchObject({ code: 'forbidden' });
    await api.store.sql`delete from project_members where account_id = ${accountId}`;
    await expect(authorized()).rejects.toMatchObject({ code: 'project_not_found' });
  });
});

async function registration({ accountId }: TestAccount): Promise<{ registeredAt: number }> {
  const [row] = await api.store.sql<{ registeredAt: number }[]>`
    select (extract(epoch from created_at) * 1000)::float8 as "registeredAt" from accounts where id = ${accountId}`;
  if (!row) throw new Error('no such account');
  return row;
}
