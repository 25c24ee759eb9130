import { createSoftwarePasskey, type Forgery, type SoftwarePasskey } from '@paywatch/dev/passkeys';
import { randomBase58, sha256 } from '@paywatch/runtime/security';
import { resetSecondFactors } from '@paywatch/store/accounts';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { relyingParty } from '../../src/passkeys/relying-party.ts';
import { expectAnswer, expectProblem, randomAddress, sharedApi, startApi } from '../support/api.ts';

const env = { LOGIN_EMAIL_LIMIT_POINTS: '10', MAIL_URL: 'smtp://127.0.0.1:1' };
const api = await sharedApi({ env });

const ORIGIN = 'https://pay.example';
const PASSWORD = 'correct horse battery';

type Owner = { email: string; session: string };

async function openOwner(): Promise<Owner> {
  const email = `${randomBase58(8).toLowerCase()}@example.com`;
  const body = { email, password: PASSWORD };
  await api.call('post', '/v1/auth/register', { body }).expect(201);
  const { body: opened } = await api.call('post', '/v1/auth/login', { body }).expect(200);
  return { email, session: String(opened.session_token) };
}

async function startPasskey({ session }: Owner) {
  const body = { current_password: PASSWORD };
  const started = await api.call('post', '/v1/second-factors/passkeys/options', { session, body });
  expectAnswer(started, 'startPasskey', 200);
  return started.body.options;
}

/** Sends a new passkey, made for options that were just given. */
async function register(owner: Owner, passkey: SoftwarePasskey, forgery: Forgery = {}) {
  return send(owner, passkey.register(await startPasskey(owner), forgery));
}

const send = ({ session }: Owner, passkey: object, name = 'My laptop') =>
  api.call('post', '/v1/second-factors/passkeys', { session, body: { name, passkey } });

type Protected = { owner: Owner; passkey: SoftwarePasskey; factorId: string; codes: string[] | null };

async function openProtected(owner?: Owner, passkey = createSoftwarePasskey(ORIGIN)): Promise<Protected> {
  const protectedOwner = owner ?? (await openOwner());
  const added = await register(protectedOwner, passkey);
  expectAnswer(added, 'addPasskey', 201);
  const { factor, recovery_codes: codes } = added.body;
  return { owner: protectedOwner, passkey, factorId: String(factor.factor_id), codes };
}

const login = ({ email }: Owner) =>
  api.call('post', '/v1/auth/login', { body: { email, password: PASSWORD } });

/** What the login with the password returns: a challenge, and options for the passkeys of the account. */
async function challengeOf(owner: Owner) {
  const refused = await login(owner);
  expectProblem(refused, 401, 'second_factor_required');
  return refused.body.second_factor;
}

const verify = (challenge: string, proof: object, from = randomAddress()) =>
  api.call('post', '/v1/auth/login/verify', { body: { challenge, ...proof }, from });

async function startLogin() {
  const started = await api.call('post', '/v1/auth/login/passkey/options');
  expectAnswer(started, 'startPasskeyLogin', 200);
  return started.body.options;
}

const loginAlone = (passkey: object, from = randomAddress()) =>
  api.call('post', '/v1/auth/login/passkey', { body: { passkey }, from });

async function startReauthentication({ session }: Owner) {
  const started = await api.call('post', '/v1/auth/reauthenticate/options', { session });
  expectAnswer(started, 'startReauthentication', 200);
  return started.body.options;
}

const reauthenticate = ({ session }: Owner, passkey: object) =>
  api.call('post', '/v1/auth/reauthenticate', { session, body: { passkey } });

const factorsOf = async (owner: Owner) => {
  const listed = await api.call('get', '/v1/second-factors', owner);
  expectAnswer(listed, 'listSecondFactors', 200);
  return listed.body;
};

const auditOf = async ({ session }: Owner) => {
  const { body } = await api.call('get', '/v1/audit-log', { session });
  return (body.data as { action: string }[]).map(({ action }) => action);
};

async function outdateProofs(): Promise<void> {
  await api.store.sql`update sessions set reauthenticated_at = reauthenticated_at - interval '11 minutes'`;
}

async function expireChallenges(): Promise<void> {
  await api.store.sql`update passkey_challenges set expires_at = now()`;
}

/** Answers of a wrong site, challenge or user. Each is signed rightly. */
const FORGERIES: [string, Forgery][] = [
  ['of another origin', { origin: 'https://pay.example.evil.test' }],
  ['of another port', { origin: 'https://pay.example:8443' }],
  ['without https', { origin: 'http://pay.example' }],
  ['for another RP id', { rpId: 'example' }],
  ['without a touch', { isPresent: false }],
];

describe('adding a passkey', () => {
  it('protects the account at once; the first one brings recovery codes', async () => {
    const owner = await openOwner();
    const options = await startPasskey(owner);
    expect(options).toMatchObject({ rp: { id: 'pay.example' }, attestation: 'none', excludeCredentials: [] });
    const passkey = createSoftwarePasskey(ORIGIN);
    const added = await send(owner, passkey.register(options));
    expectAnswer(added, 'addPasskey', 201);
    expect(added.body.recovery_codes).toHaveLength(10);
    expect(added.body.factor).toMatchObject({ kind: 'passkey', name: 'My laptop', last_used_at: null });
    expect(await factorsOf(owner)).toMatchObject({ data: [added.body.factor], recovery_codes_left: 10 });
    expectProblem(await login(owner), 401, 'second_factor_required');
    const { codes } = await openProtected(owner);
    expect(codes).toBeNull();
    expect(await auditOf(owner)).toEqual(
      expect.arrayContaining(['second_factor.added', 'second_factor.added']),
    );
  });

  it('names the passkeys that the account has, and the same random user each time', async () => {
    const { owner, passkey } = await openProtected();
    const [one, two] = [await startPasskey(owner), await startPasskey(owner)];
    expect(one.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([passkey.credentialId]);
    expect(one.user.id).toBe(two.user.id);
    expect(Buffer.from(one.user.id, 'base64url')).toHaveLength(16);
    const other = await startPasskey(await openOwner());
    expect(other.user.id).not.toBe(one.user.id);
  });

  it('needs the current password, and a recent factor if there is one', async () => {
    const owner = await openOwner();
    const body = { current_password: 'wrong horse battery' };
    const path = '/v1/second-factors/passkeys/options';
    expectProblem(await api.call('post', path, { ...owner, body }), 401, 'invalid_credentials');
    await openProtected(owner);
    const options = await startPasskey(owner);
    await outdateProofs();
    const right = { current_password: PASSWORD };
    expectProblem(await api.call('post', path, { ...owner, body: right }), 403, 'reauthentication_required');
    const late = await send(owner, createSoftwarePasskey(ORIGIN).register(options));
    expectProblem(late, 403, 'reauthentication_required');
    expect((await factorsOf(owner)).data).toHaveLength(1);
  });

  it.each([
    ...FORGERIES,
    ['as the use of a passkey', { type: 'webauthn.get' }],
    ['with an algorithm that was not asked for', { algorithm: -47 }],
  ] as [string, Forgery][])('refuses one %s, and adds nothing', async (_, forgery) => {
    const owner = await openOwner();
    expectProblem(await register(owner, createSoftwarePasskey(ORIGIN), forgery), 401, 'invalid_passkey');
    expect(await factorsOf(owner)).toEqual({ data: [], recovery_codes_left: 0 });
    expectAnswer(await login(owner), 'login', 200);
  });

  it('accepts each challenge once, from the session it was made for, for five minutes', async () => {
    const [owner, other] = [await openOwner(), await openOwner()];
    const options = await startPasskey(owner);
    const passkey = createSoftwarePasskey(ORIGIN);
    expectProblem(await send(other, passkey.register(options)), 410, 'challenge_expired');
    expectProblem(
      await send(owner, passkey.register(options, { origin: 'https://evil.test' })),
      401,
      'invalid_passkey',
    );
    expectProblem(await send(owner, passkey.register(options)), 410, 'challenge_expired');
    const late = await startPasskey(owner);
    await expireChallenges();
    expectProblem(await send(owner, passkey.register(late)), 410, 'challenge_expired');
    const [replaced, last] = [await startPasskey(owner), await startPasskey(owner)];
    expectProblem(await send(owner, passkey.register(replaced)), 410, 'challenge_expired');
    expectAnswer(await send(owner, passkey.register(last)), 'addPasskey', 201);
    const made = createSoftwarePasskey(ORIGIN).register({ ...last, challenge: randomBase58(43) });
    expectProblem(await send(owner, made), 410, 'challenge_expired');
  });

  it('refuses a challenge of a login or of a reauthentication', async () => {
    const { owner, passkey } = await openProtected();
    const options = await startPasskey(owner);
    for (const { challenge } of [await startLogin(), await startReauthentication(owner)]) {
      const made = createSoftwarePasskey(ORIGIN).register({ ...options, challenge });
      expectProblem(await send(owner, made), 410, 'challenge_expired');
    }
    expect(passkey.credentialId).toBeDefined();
  });

  it('refuses the credential id of any account', async () => {
    const { owner, passkey } = await openProtected();
    const credentialId = Buffer.from(passkey.credentialId, 'base64url');
    const copy = () => createSoftwarePasskey(ORIGIN, { credentialId });
    const thief = await openOwner();
    expectProblem(await register(thief, copy()), 409, 'passkey_exists');
    expect(await factorsOf(thief)).toEqual({ data: [], recovery_codes_left: 0 });
    expectProblem(await register(owner, copy()), 409, 'passkey_exists');
    expectAnswer(await loginAlone(passkey.answer(await startLogin())), 'loginWithPasskey', 200);
  });

  it('refuses a credential id of more than 1,023 bytes, and accepts the longest', async () => {
    const owner = await openOwner();
    const [longest, longer] = [1023, 1024].map((length) =>
      createSoftwarePasskey(ORIGIN, { credentialId: randomBytes(length) }),
    );
    expectProblem(await register(owner, longer!), 422, 'validation_error');
    expectAnswer(await register(owner, longest!), 'addPasskey', 201);
  });

  it('reads no attestation, so that nothing is fetched for one', async () => {
    const owner = await openOwner();
    // fmt: packed, attStmt: { alg: -7, sig: h'00', x5c: [h'00'] }
    const attestation = Buffer.from(
      '63666d74667061636b65646761747453746d74a363616c672663736967410063783563814100',
      'hex',
    );
    expectAnswer(await register(owner, createSoftwarePasskey(ORIGIN), { attestation }), 'addPasskey', 201);
  });

  it.each([
    ['no CBOR', Buffer.from('not CBOR at all')],
    ['nested lists without end', Buffer.alloc(12_000, 0x81)],
    ['a list of four billion', Buffer.from('9affffffff00', 'hex')],
  ])('refuses %s without an error of its own', async (_, bytes) => {
    const owner = await openOwner();
    const made = createSoftwarePasskey(ORIGIN).register(await startPasskey(owner));
    made.response.attestationObject = bytes.toString('base64url');
    expectProblem(await send(owner, made), 401, 'invalid_passkey');
  });

  it('stops at five factors of any kind', async () => {
    const owner = await openOwner();
    for (let factor = 0; factor < 5; factor += 1) await openProtected(owner);
    const body = { current_password: PASSWORD };
    const sixth = await api.call('post', '/v1/second-factors/passkeys/options', { ...owner, body });
    expectProblem(sixth, 409, 'too_many_factors');
    const app = await api.call('post', '/v1/second-factors', { ...owner, body: { name: 'App', ...body } });
    expectProblem(app, 409, 'too_many_factors');
  });

  it('leaves no room for a sixth factor, also for an app that was begun before the fifth', async () => {
    const owner = await openOwner();
    const body = { name: 'App', current_password: PASSWORD };
    for (let factor = 0; factor < 4; factor += 1) await openProtected(owner);
    const { body: app } = await api.call('post', '/v1/second-factors', { ...owner, body }).expect(201);
    await openProtected(owner);
    const code = new TOTP({ secret: Secret.fromBase32(app.secret) }).generate();
    const path = `/v1/second-factors/${app.factor_id}/confirm`;
    const confirmed = await api.call('post', path, { ...owner, body: { code } });
    expectProblem(confirmed, 409, 'too_many_factors');
    expect((await factorsOf(owner)).data).toHaveLength(5);
  });
});

describe('a login with password and passkey', () => {
  it('offers the passkeys of the account after the right password only', async () => {
    const { owner, passkey } = await openProtected();
    const { challenge, passkey: options } = await challengeOf(owner);
    expect(options).toMatchObject({ challenge, rpId: 'pay.example', userVerification: 'preferred' });
    expect(options.allowCredentials).toEqual([
      { id: passkey.credentialId, type: 'public-key', transports: ['internal'] },
    ]);
    const body = { email: owner.email, password: 'wrong horse battery' };
    const wrong = await api.call('post', '/v1/auth/login', { body });
    expectProblem(wrong, 401, 'invalid_credentials');
    expect(wrong.body).not.toHaveProperty('second_factor');
  });

  it('opens a session that may make changes, once for each challenge', async () => {
    const { owner, passkey } = await openProtected();
    await outdateProofs();
    const { challenge, passkey: options } = await challengeOf(owner);
    const answer = passkey.answer(options, { isVerified: false });
    const opened = await verify(challenge, { passkey: answer });
    expectAnswer(opened, 'verifyLogin', 200);
    const session = String(opened.body.session_token);
    expectAnswer(await api.call('post', '/v1/api-keys', { session }), 'createApiKey', 201);
    expectProblem(await verify(challenge, { passkey: answer }), 410, 'challenge_expired');
    const next = await challengeOf(owner);
    expectProblem(await verify(next.challenge, { passkey: answer }), 401, 'invalid_passkey');
    expect((await factorsOf(owner)).data[0].last_used_at).not.toBeNull();
  });

  it.each(FORGERIES)('refuses an answer %s', async (_, forgery) => {
    const { owner, passkey } = await openProtected();
    const { challenge, passkey: options } = await challengeOf(owner);
    const answer = passkey.answer(options, forgery);
    expectProblem(await verify(challenge, { passkey: answer }), 401, 'invalid_passkey');
  });

  it('refuses passkeys of others, damaged signatures, and challenges of others', async () => {
    const [one, two] = [await openProtected(), await openProtected()];
    const { challenge, passkey: options } = await challengeOf(one.owner);
    const other = two.passkey.answer(options);
    expectProblem(await verify(challenge, { passkey: other }), 401, 'invalid_passkey');
    const signedByOther = { ...one.passkey.answer(options), response: other.response };
    expectProblem(await verify(challenge, { passkey: signedByOther }), 401, 'invalid_passkey');
    const { passkey: ofTwo } = await challengeOf(two.owner);
    const foreign = one.passkey.answer(ofTwo);
    expectProblem(await verify(challenge, { passkey: foreign }), 401, 'invalid_passkey');
    const handle = one.passkey.answer(options, { userHandle: Buffer.alloc(16).toString('base64url') });
    expectProblem(await verify(challenge, { passkey: handle }), 401, 'invalid_passkey');
    const right = one.passkey.answer(options, { userHandle: null });
    expectAnswer(await verify(challenge, { passkey: right }), 'verifyLogin', 200);
  });

  it('refuses a counter that does not grow: the passkey was copied', async () => {
    const { owner, passkey } = await openProtected();
    const attempt = async (counter: number) => {
      const { challenge, passkey: options } = await challengeOf(owner);
      return verify(challenge, { passkey: passkey.answer(options, { counter }) });
    };
    expectAnswer(await attempt(7), 'verifyLogin', 200);
    for (const counter of [7, 6, 0]) expectProblem(await attempt(counter), 401, 'invalid_passkey');
    expectAnswer(await attempt(8), 'verifyLogin', 200);
    expectAnswer(await attempt(4_294_967_295), 'verifyLogin', 200);
  });

  it('accepts synced passkeys, which do not count', async () => {
    const { owner, passkey } = await openProtected(
      undefined,
      createSoftwarePasskey(ORIGIN, { isSynced: true }),
    );
    for (let use = 0; use < 3; use += 1) {
      const { challenge, passkey: options } = await challengeOf(owner);
      expectAnswer(await verify(challenge, { passkey: passkey.answer(options) }), 'verifyLogin', 200);
    }
  });

  it('opens one session when an answer is sent many times at once', async () => {
    const { owner, passkey } = await openProtected(
      undefined,
      createSoftwarePasskey(ORIGIN, { isSynced: true }),
    );
    const { challenge, passkey: options } = await challengeOf(owner);
    const answer = passkey.answer(options);
    const sent = await Promise.all([1, 2, 3, 4].map(() => verify(challenge, { passkey: answer })));
    expect(sent.map(({ status }) => status).toSorted((one, two) => one - two)[0]).toBe(200);
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('accepts a recovery code in place of the passkey, and either code or passkey', async () => {
    const { owner, passkey, codes } = await openProtected();
    const { challenge, passkey: options } = await challengeOf(owner);
    const both = { code: codes?.[0], passkey: passkey.answer(options) };
    expectProblem(await verify(challenge, both), 422, 'validation_error');
    expectProblem(await verify(challenge, {}), 422, 'validation_error');
    expectAnswer(await verify(challenge, { code: codes?.[0] }), 'verifyLogin', 200);
  });

  it('counts wrong answers like wrong codes', async () => {
    const { owner, passkey } = await openProtected();
    for (let round = 0; round < 2; round += 1) {
      const { challenge, passkey: options } = await challengeOf(owner);
      for (let wrong = 0; wrong < 5; wrong += 1)
        await verify(challenge, { passkey: passkey.answer(options, { origin: 'https://evil.test' }) });
    }
    const { challenge, passkey: options } = await challengeOf(owner);
    expectProblem(await verify(challenge, { passkey: passkey.answer(options) }), 429, 'rate_limited');
  });
});

describe('a login with a passkey alone', () => {
  it('from a page sets the cookie of the account area', async () => {
    const { passkey } = await openProtected();
    const answer = passkey.answer(await startLogin());
    const opened = await loginAlone(answer).set({ 'X-Paywatch-Page': 'account', Origin: ORIGIN });
    expectAnswer(opened, 'loginWithPasskey', 200);
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    await api.call('get', '/v1/me').set({ 'X-Paywatch-Page': 'account', Cookie: cookie }).expect(200);
  });

  it('opens a session that may make changes, once for each challenge', async () => {
    const { owner, passkey } = await openProtected();
    await outdateProofs();
    const answer = passkey.answer(await startLogin());
    const opened = await loginAlone(answer);
    expectAnswer(opened, 'loginWithPasskey', 200);
    const session = String(opened.body.session_token);
    const { body: me } = await api.call('get', '/v1/me', { session }).expect(200);
    expect(me.account.email).toBe(owner.email);
    expectAnswer(await api.call('post', '/v1/api-keys', { session }), 'createApiKey', 201);
    expectProblem(await loginAlone(answer), 410, 'challenge_expired');
  });

  it('names nobody in its options, which differ by the challenge only', async () => {
    await openProtected();
    const [one, two] = [await startLogin(), await startLogin()];
    expect(one).toEqual({ ...two, challenge: one.challenge });
    expect(one).toMatchObject({ allowCredentials: [], userVerification: 'required' });
    expect(one.challenge).not.toBe(two.challenge);
  });

  it.each([
    ...FORGERIES,
    ['without user verification', { isVerified: false }],
    ['without a user', { userHandle: null }],
    ['of another user', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
    ['as a new passkey', { type: 'webauthn.create' }],
  ] as [string, Forgery][])('refuses an answer %s, and its challenge is used up', async (_, forgery) => {
    const { passkey } = await openProtected();
    const options = await startLogin();
    expectProblem(await loginAlone(passkey.answer(options, forgery)), 401, 'invalid_passkey');
    expectProblem(await loginAlone(passkey.answer(options)), 410, 'challenge_expired');
  });

  it('answers to an unknown passkey as to a wrong one', async () => {
    const { passkey } = await openProtected();
    const wrong = await loginAlone(passkey.answer(await startLogin(), { isVerified: false }));
    const unknown = createSoftwarePasskey(ORIGIN).answer(await startLogin(), { userHandle: 'AAAA' });
    const { request_id: _one, ...first } = wrong.body;
    const { request_id: _two, ...second } = (await loginAlone(unknown)).body;
    expect(second).toEqual(first);
  });

  it('refuses challenges of others: unknown, expired, of a password login, of a reauthentication', async () => {
    const { owner, passkey } = await openProtected();
    const options = await startLogin();
    await expireChallenges();
    expectProblem(await loginAlone(passkey.answer(options)), 410, 'challenge_expired');
    const { passkey: second } = await challengeOf(owner);
    for (const challenge of [
      randomBase58(43),
      second.challenge,
      (await startReauthentication(owner)).challenge,
    ])
      expectProblem(await loginAlone(passkey.answer({ ...options, challenge })), 410, 'challenge_expired');
    expectProblem(await loginAlone(passkey.answer({ ...options, challenge: '' })), 410, 'challenge_expired');
  });

  it('limits wrong answers like wrong passwords, and does not lock out a known network', async () => {
    const { passkey } = await openProtected();
    const home = randomAddress();
    expectAnswer(await loginAlone(passkey.answer(await startLogin()), home), 'loginWithPasskey', 200);
    for (let wrong = 0; wrong < 10; wrong += 1)
      await loginAlone(passkey.answer(await startLogin(), { isVerified: false }));
    expectProblem(await loginAlone(passkey.answer(await startLogin())), 429, 'rate_limited');
    expectAnswer(await loginAlone(passkey.answer(await startLogin()), home), 'loginWithPasskey', 200);
  });

  it('cannot be opened by a writer to Redis: challenges are in Postgres', async () => {
    const options = await startLogin();
    const [stored] = await api.store.sql`
      select count(*)::int as count from passkey_challenges where challenge_hash = ${sha256(options.challenge)}`;
    expect(stored?.['count']).toBe(1);
  });
});

const createKey = (session: string) => api.call('post', '/v1/api-keys', { session });

describe('a change', () => {
  it('is allowed after the passkey is given again, in that session only', async () => {
    const { owner, passkey } = await openProtected();
    await outdateProofs();
    expectProblem(await createKey(owner.session), 403, 'reauthentication_required');
    const options = await startReauthentication(owner);
    const opened = await loginAlone(passkey.answer(await startLogin()));
    const other = { ...owner, session: String(opened.body.session_token) };
    expectProblem(await reauthenticate(other, passkey.answer(options)), 410, 'challenge_expired');
    const answer = passkey.answer(options);
    expectAnswer(await reauthenticate(owner, answer), 'reauthenticate', 200);
    expectAnswer(await createKey(owner.session), 'createApiKey', 201);
    await outdateProofs();
    expectProblem(await reauthenticate(owner, answer), 410, 'challenge_expired');
    expectProblem(await createKey(owner.session), 403, 'reauthentication_required');
  });

  it.each(FORGERIES)('is not allowed by an answer %s', async (_, forgery) => {
    const { owner, passkey } = await openProtected();
    const options = await startReauthentication(owner);
    expectProblem(await reauthenticate(owner, passkey.answer(options, forgery)), 401, 'invalid_passkey');
    expectProblem(await reauthenticate(owner, passkey.answer(options)), 410, 'challenge_expired');
  });

  it('is not allowed by the passkey of another account', async () => {
    const [{ owner }, other] = [await openProtected(), await openProtected()];
    const options = await startReauthentication(owner);
    expectProblem(await reauthenticate(owner, other.passkey.answer(options)), 401, 'invalid_passkey');
  });

  it('needs no options where the account has no passkey', async () => {
    const owner = await openOwner();
    const refused = await api.call('post', '/v1/auth/reauthenticate/options', owner);
    expectProblem(refused, 404, 'factor_not_found');
  });
});

describe('a passkey', () => {
  it('is renamed and removed; with the last factor go the recovery codes', async () => {
    const { owner, passkey, factorId } = await openProtected();
    const path = `/v1/second-factors/${factorId}`;
    const body = { name: 'Work laptop' };
    const renamed = await api.call('patch', path, { ...owner, body });
    expectAnswer(renamed, 'renameSecondFactor', 200);
    expect((await factorsOf(owner)).data[0].name).toBe('Work laptop');
    const stranger = await openOwner();
    expectProblem(await api.call('patch', path, { ...stranger, body }), 404, 'factor_not_found');
    await outdateProofs();
    expectProblem(await api.call('patch', path, { ...owner, body }), 403, 'reauthentication_required');
    expectProblem(await api.call('delete', path, owner), 403, 'reauthentication_required');
    const answer = passkey.answer(await startReauthentication(owner));
    expectAnswer(await reauthenticate(owner, answer), 'reauthenticate', 200);
    expectAnswer(await api.call('delete', path, owner), 'removeSecondFactor', 200);
    expect(await factorsOf(owner)).toEqual({ data: [], recovery_codes_left: 0 });
    expectAnswer(await login(owner), 'login', 200);
    expectProblem(await loginAlone(passkey.answer(await startLogin())), 401, 'invalid_passkey');
    expect(await auditOf(owner)).toEqual(
      expect.arrayContaining(['second_factor.removed', 'second_factor.renamed', 'second_factor.added']),
    );
    // It can be added again.
    expectAnswer(await register(owner, passkey), 'addPasskey', 201);
  });

  it('is removed by the operator, with all challenges of ended sessions', async () => {
    const { owner, passkey } = await openProtected();
    const [account] = await api.store.sql<{ id: bigint }[]>`
      select id from accounts where email = ${owner.email}`;
    expect(await resetSecondFactors(api.store, account?.id ?? 0n, 'laptop lost, called back')).toBe(1);
    expectAnswer(await login(owner), 'login', 200);
    expectProblem(await loginAlone(passkey.answer(await startLogin())), 401, 'invalid_passkey');
  });

  it('is announced by mail as a passkey', async () => {
    const owner = await openOwner();
    await api.store.sql`update accounts set email_verified_at = now() where email = ${owner.email}`;
    const { factorId } = await openProtected(owner);
    await api.call('delete', `/v1/second-factors/${factorId}`, owner).expect(200);
    const mails = await api.store.sql<{ data: { change: string; name: string } }[]>`
      select data from mails where recipient = ${owner.email} and kind = 'second_factor_changed' order by id`;
    expect(mails.map(({ data }) => data)).toEqual([
      { change: 'passkey_added', name: 'My laptop' },
      { change: 'passkey_removed', name: 'My laptop' },
    ]);
  });
});

describe('the address of a deployment', () => {
  it.each([
    ['https://pay.example', { id: 'pay.example', origin: 'https://pay.example' }],
    ['https://pay.example:8443/', { id: 'pay.example', origin: 'https://pay.example:8443' }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://pay.localhost', { id: 'pay.localhost', origin: 'http://pay.localhost' }],
    ['http://pay.example', null],
    ['https://192.0.2.1', null],
    ['http://127.0.0.1:8080', null],
    ['https://[2001:db8::1]', null],
  ])('%s', (url, party) => {
    expect(relyingParty(url)).toEqual(party);
  });

  it('that cannot have passkeys answers a clear error, and logins need codes', async () => {
    const { owner, passkey, codes } = await openProtected();
    const byIp = await startApi({ beside: api, env: { ...env, PUBLIC_URL: 'http://192.0.2.1' } });
    const refused = [
      await byIp.call('post', '/v1/auth/login/passkey/options'),
      await byIp.call('post', '/v1/auth/reauthenticate/options', owner),
      await byIp.call('post', '/v1/second-factors/passkeys/options', {
        ...owner,
        body: { current_password: PASSWORD },
      }),
      await byIp.call('post', '/v1/auth/login/passkey', {
        body: { passkey: passkey.answer(await startLogin()) },
      }),
    ];
    for (const one of refused) expectProblem(one, 409, 'passkeys_unavailable');
    const body = { email: owner.email, password: PASSWORD };
    const { second_factor: second } = (await byIp.call('post', '/v1/auth/login', { body })).body;
    expect(second.passkey).toBeNull();
    const proof = { challenge: second.challenge, code: codes?.[0] };
    expectAnswer(await byIp.call('post', '/v1/auth/login/verify', { body: proof }), 'verifyLogin', 200);
    await byIp.close();
  });
});

it('no log line contains a challenge or an answer', async () => {
  const { owner, passkey } = await openProtected();
  const { challenge, passkey: options } = await challengeOf(owner);
  const wrong = passkey.answer(options, { origin: 'https://evil.test' });
  await verify(challenge, { passkey: wrong });
  const alone = await startLogin();
  const answer = passkey.answer(alone);
  await loginAlone(answer).expect(200);
  const log = api.logLines.join('');
  for (const secret of [challenge, alone.challenge, answer.response.signature, wrong.response.clientDataJSON])
    expect(log).not.toContain(secret);
});
