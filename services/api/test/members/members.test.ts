import { INVITATION_DAYS, MAX_MEMBERS, projectRoleSchema, type ProjectRole } from '@paywatch/domain/contract';
import { waitUntil } from '@paywatch/dev/testing';
import { sha256 } from '@paywatch/runtime/security';
import {
  byCredential,
  byOperator,
  changePassword,
  deleteAccount,
  recoverAccount,
} from '@paywatch/store/accounts';
import { inTransaction } from '@paywatch/store/postgres';
import { afterAll, describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  sharedApi,
  startApi,
  type TestAccount,
} from '../support/api.ts';
import { linkIn } from '../support/mail-links.ts';
import { addMember, projectIdOf } from '../support/members.ts';

const env = {
  MAIL_URL: 'smtp://mail.example',
  MAIL_LINK_LIMIT_POINTS: '1000',
  ACCOUNT_LIMIT_POINTS: '10000',
  PROJECT_CHANGE_LIMIT_POINTS: '1000',
};
const api = await sharedApi({ env });
const other = await startApi({ beside: api, env });
afterAll(() => other.close());
const { sql } = api.store;

/** An account with a verified address. */
async function openOwner(): Promise<TestAccount> {
  const owner = await openAccount(api);
  await sql`update accounts set email_verified_at = now() where id = ${owner.accountId}`;
  return owner;
}

/** A call in the first project of `owner`. */
async function call(
  caller: Pick<TestAccount, 'session'>,
  [method, path, body]: readonly ['get' | 'post' | 'patch' | 'delete', string, object?],
  owner: Pick<TestAccount, 'projectId'>,
  replica = api,
) {
  const project = await projectIdOf(api, owner);
  return replica
    .call(method, path, { session: caller.session, ...(body && { body }) })
    .set('Paywatch-Project', project);
}

const invite = (owner: TestAccount, email: string, role: ProjectRole = 'manager', project = owner) =>
  call(owner, ['post', '/v1/members/invitations', { email, role }], project);
const accept = ({ session }: Pick<TestAccount, 'session'>, token: string | null) =>
  api.call('post', '/v1/invitations/accept', { session, body: { token } });
const list = async (caller: TestAccount, owner = caller) => {
  const response = await call(caller, ['get', '/v1/members'], owner);
  expectAnswer(response, 'listMembers', 200);
  return response.body as {
    members: { id: string | null; email: string; role: string; is_you: boolean }[];
    invitations: { id: string; email: string; role: string }[];
  };
};
const idOf = async (owner: TestAccount, { email }: TestAccount): Promise<string> =>
  (await list(owner)).members.find((member) => member.email === email)?.id ?? 'none';

/** The address of somebody who is no member any more, as the audit log shows it. */
const masked = ({ email }: TestAccount) => `${email[0]}…${email.slice(email.indexOf('@'))}`;

/** The token of the link that was mailed to an invited address. */
const tokenTo = (email: string) => linkIn(api, 'invitation', email);

async function join(owner: TestAccount, member: TestAccount, role: ProjectRole = 'manager'): Promise<void> {
  expectAnswer(await invite(owner, member.email, role), 'inviteMember', 201);
  expectAnswer(await accept(member, await tokenTo(member.email)), 'acceptInvitation', 200);
}

const auditOf = async (owner: TestAccount) =>
  (await call(owner, ['get', '/v1/audit-log'], owner)).body.data.filter(({ action }: { action: string }) =>
    /^(member|invitation)\./.test(action),
  );
const noticesTo = ({ accountId }: Pick<TestAccount, 'accountId'>) =>
  sql<{ kind: string; change: string; member: string }[]>`
    select kind, data->>'change' as change, data->>'member' as member from mails
    where account_id = ${accountId} and kind in ('members_changed', 'owners_changed', 'membership_changed') order by id`;

describe('an invitation', () => {
  it('makes its recipient a member, verifies the address, and is used up', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    const invited = await invite(owner, member.email.toUpperCase(), 'accountant');
    expectAnswer(invited, 'inviteMember', 201);
    expect(invited.body).toMatchObject({ email: member.email, role: 'accountant' });
    const days = (Date.parse(invited.body.expires_at) - Date.parse(invited.body.created_at)) / 86_400_000;
    expect(days).toBe(INVITATION_DAYS);
    const token = await tokenTo(member.email);
    const accepted = await accept(member, token);
    expectAnswer(accepted, 'acceptInvitation', 200);
    const project = { project_id: await projectIdOf(api, owner), role: 'accountant', first: false };
    expect(accepted.body).toMatchObject(project);
    const me = await api
      .call('get', '/v1/me', { session: member.session })
      .set('Paywatch-Project', project.project_id);
    expect(me.body).toMatchObject({
      account: { email: member.email, email_verified: true },
      project: { project_id: project.project_id, role: 'accountant' },
    });
    expect(await list(owner)).toMatchObject({
      members: [
        { id: null, email: owner.email, role: 'owner', is_you: true },
        { email: member.email, role: 'accountant', is_you: false },
      ],
      invitations: [],
    });
    expectProblem(await accept(member, token), 410, 'link_expired');
  });

  it('is answered in the same way whether or not the address has an account', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    const answers = [await invite(owner, member.email), await invite(owner, 'nobody@example.com')];
    for (const response of answers) {
      expectAnswer(response, 'inviteMember', 201);
      const { body } = response;
      expect(Object.keys(body)).toEqual(['id', 'email', 'role', 'expires_at', 'created_at']);
      expect(body.role).toBe('manager');
    }
  });

  it('replaces an earlier one of the same address, whose link no longer works', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email, 'owner');
    const first = await tokenTo(member.email);
    await invite(owner, member.email, 'support');
    expect((await list(owner)).invitations).toMatchObject([{ email: member.email, role: 'support' }]);
    expectProblem(await accept(member, first), 410, 'link_expired');
    const accepted = await accept(member, await tokenTo(member.email));
    expect(accepted.body.role).toBe('support');
  });

  it('whose mail was not sent before it was replaced or cancelled is not mailed', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    const { body } = await invite(owner, member.email);
    const cancelled = await call(owner, ['delete', `/v1/members/invitations/${body.id}`], owner);
    expectAnswer(cancelled, 'cancelInvitation', 200);
    expect(await tokenTo(member.email)).toBe(null);
  });

  it('that is cancelled no longer works, and cannot be cancelled again', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    const { body } = await invite(owner, member.email);
    const token = await tokenTo(member.email);
    const cancel = () => call(owner, ['delete', `/v1/members/invitations/${body.id}`], owner);
    expectAnswer(await cancel(), 'cancelInvitation', 200);
    expectProblem(await cancel(), 404, 'invitation_not_found');
    expectProblem(await accept(member, token), 410, 'link_expired');
    expect((await list(owner)).invitations).toEqual([]);
  });

  it('is refused to an account with another address, and still works for its recipient', async () => {
    const [owner, member, thief] = [await openOwner(), await openAccount(api), await openAccount(api)];
    await invite(owner, member.email, 'owner');
    const token = await tokenTo(member.email);
    expectProblem(await accept(thief, token), 403, 'invitation_for_other_email');
    expect((await list(owner)).members).toHaveLength(1);
    expectAnswer(await accept(member, token), 'acceptInvitation', 200);
  });

  it('ends after its days, and then does not count or show', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email);
    const token = await tokenTo(member.email);
    await sql`update project_invitations set expires_at = now() where email = ${member.email}`;
    expectProblem(await accept(member, token), 410, 'link_expired');
    expect((await list(owner)).invitations).toEqual([]);
  });

  it.each(['', 'x', 'a token that nobody has'])('cannot be accepted with the token %j', async (token) => {
    const member = await openAccount(api);
    const response = await accept(member, token);
    if (token === '') expectProblem(response, 422, 'validation_error');
    else expectProblem(response, 410, 'link_expired');
  });

  it('stops working when the inviter is no longer an owner', async () => {
    const [owner, second] = [await openOwner(), await openOwner()];
    const guests = [await openAccount(api), await openAccount(api)];
    await join(owner, second, 'owner');
    const tokens: (string | null)[] = [];
    for (const { email } of guests) {
      expectAnswer(await invite(second, email, 'manager', owner), 'inviteMember', 201);
      tokens.push(await tokenTo(email));
    }
    // As a release without this rule would do it: the invitations stay.
    await sql`update project_members set role = 'manager' where account_id = ${second.accountId}`;
    expectProblem(await accept(guests[0]!, tokens[0]!), 410, 'link_expired');
    await sql`update project_members set role = 'owner' where account_id = ${second.accountId}`;
    const id = await idOf(owner, second);
    expectAnswer(
      await call(owner, ['patch', `/v1/members/${id}`, { role: 'manager' }], owner),
      'updateMember',
      200,
    );
    expect((await list(owner)).invitations).toEqual([]);
    expectProblem(await accept(guests[1]!, tokens[1]!), 410, 'link_expired');
  });

  it('survives a change of the email of the inviter', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email);
    const token = await tokenTo(member.email);
    const hash = sha256(`change ${owner.email}`);
    await sql`
      insert into email_changes (account_id, new_email, current_confirmed_at, expires_at)
      values (${owner.accountId}, ${`new.${owner.email}`}, now(), now() + interval '1 hour')`;
    await sql`
      insert into email_tokens (token_hash, account_id, purpose, email, expires_at)
      values (${hash}, ${owner.accountId}, 'change_to', ${`new.${owner.email}`}, now() + interval '1 hour')`;
    const confirmed = await api.call('post', '/v1/auth/confirm-email', {
      body: { token: `change ${owner.email}` },
    });
    expectAnswer(confirmed, 'confirmEmail', 200);
    expectAnswer(await accept(member, token), 'acceptInvitation', 200);
  });

  it('is stored as a hash only, and its link opens nothing else', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email);
    const token = await tokenTo(member.email);
    const dump = await sql`select t::text from email_tokens t union all select m::text from mails m`;
    expect(JSON.stringify(dump)).not.toContain(token);
    const reset = { token, new_password: 'another long passphrase' };
    expectProblem(await api.call('post', '/v1/auth/reset-password', { body: reset }), 410, 'link_expired');
    expectProblem(await api.call('post', '/v1/auth/confirm-email', { body: { token } }), 410, 'link_expired');
    expectProblem(await accept(member, 'x'.repeat(43)), 410, 'link_expired');
    expectAnswer(await accept(member, token), 'acceptInvitation', 200);
  });

  it('needs a verified address, a person who is no member yet, and mail', async () => {
    const [owner, member] = [await openAccount(api), await openAccount(api)];
    expectProblem(await invite(owner, member.email), 403, 'email_not_verified');
    await sql`update accounts set email_verified_at = now() where id = ${owner.accountId}`;
    expectProblem(await invite(owner, owner.email), 409, 'already_member');
    await addMember(api, owner, member, 'support');
    expectProblem(await invite(owner, member.email), 409, 'already_member');
    const silent = await startApi({ beside: api });
    const body = { email: 'friend@example.com', role: 'support' };
    const refused = await silent.call('post', '/v1/members/invitations', { session: owner.session, body });
    await silent.close();
    expectProblem(refused, 409, 'mail_not_configured');
    expect(await auditOf(owner)).toEqual([]);
  });

  it('is refused to somebody who became a member meanwhile, and to the account of the project', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email);
    const token = await tokenTo(member.email);
    await addMember(api, owner, member, 'support');
    expectProblem(await accept(member, token), 409, 'already_member');
    expect((await list(member, owner)).members).toMatchObject([{}, { role: 'support' }]);
  });

  it('makes one member, if its link is opened twice at once', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email);
    const token = await tokenTo(member.email);
    const statuses = (await Promise.all([accept(member, token), accept(member, token)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 410]);
    expect((await noticesTo(owner)).filter(({ change }) => change === 'joined')).toHaveLength(1);
  });
});

describe('a project', () => {
  it(`has ${MAX_MEMBERS} members at most, invitations included, also if they are invited at once`, async () => {
    const owner = await openOwner();
    await sql`
      with people as (
        insert into accounts (email, password_hash)
        select 'member' || n || ${owner.email}, 'none' from generate_series(1, ${MAX_MEMBERS - 2}::int) n returning id
      )
      insert into project_members (project_id, account_id, role) select ${owner.projectId}, id, 'support' from people`;
    const responses = await Promise.all([1, 2, 3, 4].map((n) => invite(owner, `guest${n}.${owner.email}`)));
    expect(responses.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      201, 201, 409, 409,
    ]);
    const refused = responses.find(({ status }) => status === 409);
    expectProblem(refused!, 409, 'too_many_members');
    const { invitations } = await list(owner);
    expect(invitations).toHaveLength(2);
    // The one of the same address makes room for itself, and an expired one does not count.
    expectAnswer(await invite(owner, invitations[0]!.email, 'support'), 'inviteMember', 201);
    await sql`update project_invitations set expires_at = now() where public_id = ${invitations[1]!.id}`;
    expectAnswer(await invite(owner, `late.${owner.email}`), 'inviteMember', 201);
  });

  it('mails no more invitations than one owner may send, to one address or to all', async () => {
    const owner = await openOwner();
    const again = () => invite(owner, `friend.${owner.email}`);
    for (let n = 0; n < 3; n += 1) expectAnswer(await again(), 'inviteMember', 201);
    const before = await list(owner);
    const refused = await again();
    expectProblem(refused, 429, 'rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await list(owner)).toEqual(before);
    for (let n = 0; n < 17; n += 1)
      expectAnswer(await invite(owner, `${n}.${owner.email}`), 'inviteMember', 201);
    await sql`delete from project_invitations where project_id = ${owner.projectId}`;
    expectProblem(await invite(owner, `last.${owner.email}`), 429, 'rate_limited');
  });

  it('shows its invitations to owners alone', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await addMember(api, owner, member, 'manager');
    await invite(owner, 'friend@example.com');
    const seen = await list(member, owner);
    expect(seen.invitations).toEqual([]);
    expect(seen.members).toMatchObject([
      { email: owner.email, is_you: false },
      { email: member.email, is_you: true },
    ]);
    expect((await list(owner)).invitations).toHaveLength(1);
  });
});

describe('a change of a member', () => {
  it('applies at once on every replica, and is in the audit log with the email, masked later', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await join(owner, member, 'manager');
    const keys = () => call(member, ['get', '/v1/payment-links'], owner, other);
    expect((await keys()).status).toBe(200);
    const id = await idOf(owner, member);
    const update = (role: string) => call(owner, ['patch', `/v1/members/${id}`, { role }], owner);
    const updated = await update('support');
    expectAnswer(updated, 'updateMember', 200);
    expect(updated.body).toMatchObject({ id, email: member.email, role: 'support', is_you: false });
    expectProblem(await keys(), 403, 'forbidden');
    // Nothing changes, so nothing is written.
    expectAnswer(await update('support'), 'updateMember', 200);

    expect((await auditOf(owner))[0].details.email).toBe(member.email);
    const removed = await call(owner, ['delete', `/v1/members/${id}`], owner);
    expectAnswer(removed, 'removeMember', 200);
    expectProblem(await keys(), 404, 'project_not_found');
    expectProblem(await call(owner, ['delete', `/v1/members/${id}`], owner), 404, 'member_not_found');
    const named = { details: { email: masked(member) } };
    expect(await auditOf(owner)).toMatchObject([
      { action: 'member.removed', ...named, before: { role: 'support' }, actor: { name: owner.email } },
      { action: 'member.role_changed', ...named, before: { role: 'manager' }, after: { role: 'support' } },
      { action: 'member.joined', ...named, after: { role: 'manager' }, actor: { name: member.email } },
      { action: 'member.invited', after: { role: 'manager' }, actor: { name: owner.email } },
    ]);
    const lines = await sql<{ line: string }[]>`
      select l::text as line from audit_log l where project_id = ${owner.projectId}`;
    for (const { line } of lines) expect(line).not.toContain(member.email);
  });

  it('cannot name the account of the project, a member of another one, or an invitation', async () => {
    const [owner, stranger, member] = [await openOwner(), await openOwner(), await openAccount(api)];
    await addMember(api, stranger, member, 'support');
    const theirs = await idOf(stranger, member);
    const { body: invitation } = await invite(owner, 'friend@example.com');
    for (const id of [theirs, invitation.id, 'me2', '00000000-0000-0000-0000-000000000000']) {
      expectProblem(await call(owner, ['delete', `/v1/members/${id}`], owner), 404, 'member_not_found');
      const body = { role: 'owner' };
      expectProblem(await call(owner, ['patch', `/v1/members/${id}`, body], owner), 404, 'member_not_found');
    }
    expectProblem(
      await call(owner, ['delete', `/v1/members/invitations/${theirs}`], owner),
      404,
      'invitation_not_found',
    );
    expect((await list(stranger)).members).toHaveLength(2);
  });

  it('is mailed to every owner with a verified address, and a lost or new role to its member', async () => {
    const [owner, second, member] = [await openOwner(), await openOwner(), await openAccount(api)];
    await join(owner, second, 'owner');
    await join(owner, member, 'manager');
    const id = await idOf(owner, member);
    await call(owner, ['patch', `/v1/members/${id}`, { role: 'support' }], owner);
    await call(owner, ['delete', `/v1/members/${id}`], owner);
    const [theOwner, theSecond, theMember] = [owner, second, member].map(({ accountId }) =>
      String(accountId),
    );
    const [kind, ofOwners] = ['members_changed', 'owners_changed'];
    const invited = { kind, change: 'invited', member: theOwner };
    const joined = { kind: ofOwners, change: 'joined', member: theSecond };
    const later = ['joined', 'role_changed', 'removed'].map((change) => ({
      kind,
      change,
      member: theMember,
    }));
    expect(await noticesTo(owner)).toEqual([invited, joined, invited, ...later]);
    expect(await noticesTo(second)).toEqual([joined, invited, ...later]);
    const own = ['role_changed', 'removed'].map((change) => ({
      kind: 'membership_changed',
      change,
      member: theMember,
    }));
    expect(await noticesTo(member)).toEqual(own);
  });

  it('of the owners is mailed to them and to the member, whatever they mute, and after many others', async () => {
    const [owner, second] = [await openOwner(), await openOwner()];
    await addMember(api, owner, second, 'support');
    await sql`update accounts set muted_notices = array['members_changed'] where id = ${owner.accountId}`;
    for (let n = 0; n < 5; n += 1)
      await sql`
        insert into mails (account_id, recipient, kind, language, expires_at)
        values (${owner.accountId}, ${owner.email}, 'members_changed', 'en', now() + interval '1 day')`;
    const id = await idOf(owner, second);
    for (const role of ['owner', 'manager', 'owner'])
      expect((await call(owner, ['patch', `/v1/members/${id}`, { role }], owner)).status).toBe(200);
    expect((await call(owner, ['delete', `/v1/members/${id}`], owner)).status).toBe(200);
    const changes = ['role_changed', 'role_changed', 'role_changed', 'removed'];
    const told = await noticesTo(owner);
    expect(told.filter(({ kind }) => kind === 'owners_changed').map(({ change }) => change)).toEqual(changes);
    const ofSecond = await noticesTo(second);
    expect(ofSecond.map(({ kind, change }) => [kind, change])).toEqual(
      changes.map((change) => ['membership_changed', change]),
    );
  });

  it('is written with its mail and its line of the audit log, or not at all', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await invite(owner, member.email);
    const token = await tokenTo(member.email);
    await sql`alter table mails rename to mails_away`;
    try {
      expect((await accept(member, token)).status).toBe(500);
      expect((await invite(owner, 'friend@example.com')).status).toBe(500);
    } finally {
      await sql`alter table mails_away rename to mails`;
    }
    expect((await list(owner)).members).toHaveLength(1);
    expect((await list(owner)).invitations).toMatchObject([{ email: member.email }]);
    expectAnswer(await accept(member, token), 'acceptInvitation', 200);
  });

  it('waits for a change that the member has begun, which is in time', async () => {
    const [owner, member] = [await openOwner(), await openAccount(api)];
    await addMember(api, owner, member, 'manager');
    const id = await idOf(owner, member);
    const { accountId } = member;
    const tokenHash = sha256(member.session).toString('hex');
    const { projectId } = owner;
    const credential = { kind: 'session', accountId, projectId, role: 'manager', tokenHash } as const;
    const removing = await inTransaction(api.store, async (tx) => {
      await byCredential(credential, null)(tx);
      const removed = call(owner, ['delete', `/v1/members/${id}`], owner, other);
      const sent = removed.then((response) => response);
      await waitUntil(somebodyWaits, { what: 'the removal to wait' });
      return { sent };
    });
    expectAnswer(await removing.sent, 'removeMember', 200);
    expect((await list(owner)).members).toHaveLength(1);
  });

  it('by two owners who remove each other at once succeeds for one of them', async () => {
    for (let round = 0; round < 10; round += 1) {
      const creator = await openOwner();
      const [one, two] = [await openOwner(), await openOwner()];
      await addMember(api, creator, one, 'owner');
      await addMember(api, creator, two, 'owner');
      const [first, second] = [await idOf(creator, one), await idOf(creator, two)];
      const responses = await Promise.all([
        call(one, ['delete', `/v1/members/${second}`], creator),
        call(two, ['delete', `/v1/members/${first}`], creator, other),
      ]);
      const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, 404]);
      expectProblem(
        responses.find(({ status }) => status === 404)!,
        404,
        'project_not_found',
      );
      expect((await list(creator)).members).toHaveLength(2);
    }
  });
});

describe('a recovery of the account', () => {
  const password = 'another long passphrase';
  const ways: [string, (owner: TestAccount) => Promise<unknown>][] = [
    ['by the operator', ({ accountId }) => recoverAccount(api.store, accountId, 'none')],
    [
      'by a link in a mail',
      async ({ email }) => {
        await api.call('post', '/v1/auth/forgot-password', { body: { email } });
        const token = await linkIn(api, 'reset_password', email);
        const body = { token, new_password: password };
        expect((await api.call('post', '/v1/auth/reset-password', { body })).status).toBe(200);
      },
    ],
    [
      'by a change of the password',
      async ({ accountId }) => {
        const [{ currentHash } = { currentHash: '' }] = await sql<{ currentHash: string }[]>`
          select password_hash as "currentHash" from accounts where id = ${accountId}`;
        expect(await changePassword(api.store, byOperator, { accountId, currentHash, newHash: 'none' })).toBe(
          true,
        );
      },
    ],
  ];
  it.each(ways)('%s ends the invitations that it sent, also to projects of others', async (_, recover) => {
    const [owner, host, guest] = [await openOwner(), await openOwner(), await openAccount(api)];
    await addMember(api, host, owner, 'owner');
    expectAnswer(await invite(owner, guest.email, 'owner'), 'inviteMember', 201);
    const tokens = [await tokenTo(guest.email)];
    expectAnswer(await invite(owner, guest.email, 'owner', host), 'inviteMember', 201);
    tokens.push(await tokenTo(guest.email));
    await recover(owner);
    for (const token of tokens) expectProblem(await accept(guest, token), 410, 'link_expired');
    expect((await list(host)).invitations).toEqual([]);
    expect((await list(host)).members).toHaveLength(2);
  });

  it('leaves no member, also one who joins at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [owner, member] = [await openOwner(), await openAccount(api)];
      await invite(owner, member.email, 'owner');
      const token = await tokenTo(member.email);
      const joining = accept(member, token).then(({ status }) => status);
      await recoverAccount(other.store, owner.accountId, 'none');
      expect([200, 410]).toContain(await joining);
      expectProblem(await call(member, ['get', '/v1/members'], owner), 404, 'project_not_found');
      expectProblem(await accept(member, token), 410, 'link_expired');
    }
  });
});

describe('leaving', () => {
  it('comes with the deletion of the account, without its email', async () => {
    const [owner, member] = [await openOwner(), await openOwner()];
    await addMember(api, owner, member, 'owner');
    expect((await invite(member, 'friend@example.com', 'owner', owner)).status).toBe(201);
    await deleteAccount(api.store, byOperator, { accountId: member.accountId, passwordHash: null });
    expect(await list(owner)).toMatchObject({ members: [{ email: owner.email }], invitations: [] });
    const line = { action: 'member.left', details: { email: null }, before: { role: 'owner' } };
    expect((await auditOf(owner))[0]).toMatchObject(line);
    expect(await noticesTo(owner)).toMatchObject([{ change: 'invited' }, { change: 'left' }]);
  });

  it('by deletion waits for changes of members in every project, before it holds anything they need', async () => {
    const [owner, member, guest] = [await openOwner(), await openOwner(), await openOwner()];
    await addMember(api, owner, member, 'owner');
    await addMember(api, member, guest, 'owner');
    const deletion = { accountId: member.accountId, passwordHash: null };
    const deleting = await inTransaction(api.store, async (tx) => {
      // As a change of members of the other project begins.
      await tx`
        select pg_advisory_xact_lock(hashtextextended('members of project ' || ${owner.projectId}::bigint, 0))`;
      const deleted = deleteAccount(other.store, byOperator, deletion);
      await waitUntil(somebodyWaits, { what: 'the deletion to wait' });
      const free = await tx`
        select from project_members where account_id = any (${[member.accountId, guest.accountId].map(String)}::bigint[])
        for update nowait`;
      expect(free).toHaveLength(2);
      expect(
        await tx`select from sessions where account_id = ${member.accountId} for update nowait`,
      ).toHaveLength(1);
      return { deleted };
    });
    expect(await deleting.deleted).toBe(true);
    expect((await list(owner)).members).toHaveLength(1);
  });

  it('of all members comes with the deletion of the account that created the project', async () => {
    const [owner, member] = [await openOwner(), await openOwner()];
    await addMember(api, owner, member, 'manager');
    const project = await projectIdOf(api, owner);
    await deleteAccount(api.store, byOperator, { accountId: owner.accountId, passwordHash: null });
    const read = other.call('get', '/v1/me', { session: member.session }).set('Paywatch-Project', project);
    expectProblem(await read, 404, 'project_not_found');
    expect((await api.call('get', '/v1/projects', { session: member.session })).body.data).toHaveLength(1);
  });

  it.each(projectRoleSchema.options)(
    'is possible with the role %s, at once and with its invitations',
    async (role) => {
      const [owner, member] = [await openOwner(), await openOwner()];
      await addMember(api, owner, member, role);
      await sql`
        insert into project_invitations (project_id, email, role, invited_by, expires_at)
        values (${owner.projectId}, 'friend@example.com', 'owner', ${member.accountId}, now() + interval '1 day')`;
      const left = await call(member, ['delete', '/v1/members/me'], owner);
      expectAnswer(left, 'leaveProject', 200);
      expectProblem(await call(member, ['get', '/v1/members'], owner, other), 404, 'project_not_found');
      expect(await list(owner)).toMatchObject({ members: [{ email: owner.email }], invitations: [] });
      expect((await auditOf(owner))[0]).toMatchObject({
        action: 'member.left',
        details: { email: masked(member) },
        before: { role },
      });
      expect(await noticesTo(owner)).toMatchObject([{ change: 'left' }]);
    },
  );

  it('is refused to the account that created the project', async () => {
    const owner = await openOwner();
    expectProblem(await call(owner, ['delete', '/v1/members/me'], owner), 409, 'owner_stays');
    expectProblem(await api.call('delete', '/v1/members/me', { session: owner.session }), 409, 'owner_stays');
  });
});

async function somebodyWaits(): Promise<boolean> {
  const [row] = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row !== undefined;
}
