import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leftTable } from '../../src/accounts/leaving/left-tables.ts';
import { GROWN_BY } from '../../src/postgres/grown-by.ts';
import { CLEAN_UPS, growthTable, GROWTH, type CleanUpName } from '../../src/postgres/retention.ts';
import { createProject, createWallet } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

test('every table has a bound or a retention period', async () => {
  const tables = await store.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  expect(Object.keys(GROWTH).toSorted()).toEqual(tables.map(({ name }) => name));
});

test('rows that requests write are bounded, deleted later, or paid for', () => {
  const grown = new Set(Object.values(GROWN_BY).flat());
  for (const table of grown) expect(GROWTH[table].kind, table).not.toBe('operated');
  const kept = Object.entries(GROWTH).filter(([, { kind, cleanUps }]) => kind === 'kept' && !cleanUps);
  // The services' role cannot delete a line of it.
  expect(kept.map(([table]) => table)).toEqual(['audit_log']);
});

test('the documented tables are up to date', () => {
  const page = readFileSync(new URL('../../../../docs/data-retention.md', import.meta.url), 'utf8');
  expect(cellsOf(page)).toEqual([...cellsOf(growthTable()), ...cellsOf(leftTable())]);
});

/** The others fold rows into sums: fold-stats.test.ts. */
type Deleting = Exclude<CleanUpName, 'foldShards' | 'foldDays'>;

/** What a clean-up must delete, and what it must leave: each inserts both and returns how many rows of each are left. */
const SCENARIOS: Record<Deleting, () => Promise<() => Promise<{ old: number; young: number }>>> = {
  deleteOldIdempotencyKeys: async () => {
    const { projectId } = await createProject(store);
    await store.sql`
      insert into idempotency_keys (project_id, key, invoice_id, created_at)
      values (${projectId}, 'old', 1, now() - interval '49 hours'), (${projectId}, 'young', 1, now() - interval '47 hours')`;
    return () => byName('idempotency_keys', 'key');
  },
  deleteExpiredSessions: async () => {
    const accountId = await newAccount();
    await store.sql`
      insert into sessions (token_hash, account_id, expires_at)
      values ('old', ${accountId}, now() - interval '1 second'), ('young', ${accountId}, now() + interval '1 hour')`;
    return () => byName('sessions', "encode(token_hash, 'escape')");
  },
  deleteExpiredChallenges: async () => {
    const accountId = await newAccount();
    await store.sql`
      insert into login_challenges (token_hash, account_id, expires_at)
      values ('old', ${accountId}, now() - interval '1 second'), ('young', ${accountId}, now() + interval '1 minute')`;
    return () => byName('login_challenges', "encode(token_hash, 'escape')");
  },
  deleteExpiredPasskeyChallenges: async () => {
    await store.sql`
      insert into passkey_challenges (challenge_hash, purpose, expires_at)
      values ('old', 'login', now() - interval '1 second'), ('young', 'login', now() + interval '1 minute')`;
    return () => byName('passkey_challenges', "encode(challenge_hash, 'escape')");
  },
  deleteUnconfirmedFactors: async () => {
    const accountId = await newAccount();
    await store.sql`
      insert into second_factors (account_id, name, secret_sealed, created_at, confirmed_at)
      values (${accountId}, 'old', 'x', now() - interval '31 minutes', null),
        (${accountId}, 'young', 'x', now() - interval '29 minutes', null),
        (${accountId}, 'confirmed', 'x', now() - interval '31 minutes', now())`;
    return () => byName('second_factors', 'name');
  },
  deleteOldLoginOrigins: async () => {
    const accountId = await newAccount();
    await store.sql`
      insert into login_origins (account_id, origin, last_login_at)
      values (${accountId}, 'old', now() - interval '181 days'), (${accountId}, 'young', now() - interval '179 days')`;
    return () => byName('login_origins', 'origin');
  },
  deleteExpiredProofs: async () => {
    await store.sql`
      insert into donation_proofs (id, expires_at)
      values ('old', now() - interval '1 second'), ('young', now() + interval '1 minute')`;
    return () => byName('donation_proofs', "encode(id, 'escape')");
  },
  deleteExpiredEmailTokens: async () => {
    const accountId = await newAccount();
    await store.sql`
      insert into email_tokens (token_hash, account_id, purpose, email, expires_at)
      values ('old', ${accountId}, 'reset', 'a@example.com', now() - interval '1 second'),
        ('young', ${accountId}, 'reset', 'a@example.com', now() + interval '1 minute')`;
    return () => byName('email_tokens', "encode(token_hash, 'escape')");
  },
  deleteExpiredEmailChanges: async () => {
    const [old, young] = [await newAccount(), await newAccount()];
    await store.sql`
      insert into email_changes (account_id, new_email, expires_at)
      values (${old}, 'old', now() - interval '1 second'), (${young}, 'young', now() + interval '1 minute')`;
    return () => byName('email_changes', 'new_email');
  },
  deleteExpiredInvitations: async () => {
    const { projectId } = await createProject(store);
    const accountId = await newAccount();
    await store.sql`
      insert into project_invitations (project_id, email, role, invited_by, expires_at)
      values (${projectId}, 'old', 'support', ${accountId}, now() - interval '1 second'),
        (${projectId}, 'young', 'support', ${accountId}, now() + interval '1 minute')`;
    return () => byName('project_invitations', 'email');
  },
  deleteOldMails: async () => {
    await store.sql`
      insert into mails (recipient, kind, language, status, expires_at, ended_at, created_at)
      values ('old', 'reset_password', 'en', 'sent', now(), now(), now() - interval '15 days'),
        ('young', 'reset_password', 'en', 'sent', now(), now(), now() - interval '13 days'),
        ('a stranger', 'reset_password', 'en', 'dropped', now(), now(), now() - interval '25 hours'),
        ('recently dropped', 'reset_password', 'en', 'dropped', now(), now(), now() - interval '23 hours')`;
    return async () => {
      const strangers = await byName(
        'mails',
        "case recipient when 'a stranger' then 'old' when 'recently dropped' then 'young' end",
      );
      const counts = await byName('mails', 'recipient');
      expect(strangers).toEqual(counts);
      return counts;
    };
  },
  forgetDonorNetworks: async () => {
    const { projectId } = await createProject(store);
    const { poolId } = await createWallet(store, projectId);
    await store.sql`
      update pool_addresses set donor_network = 'hash', address = case address_index when 1 then 'old' else 'young' end,
        state = case address_index when 3 then 'leased' else 'free' end,
        released_at = case address_index when 1 then now() - interval '25 hours' end
      where pool_id = ${poolId} and address_index in (1, 3)`;
    return () => byName('pool_addresses', 'address', 'and donor_network is not null');
  },
  forgetReplacedSecrets: async () => {
    const [old, young] = [await createProject(store), await createProject(store)];
    await store.sql`
      insert into webhook_endpoints (project_id, url, secret_sealed, previous_secret_sealed, previous_secret_until)
      values (${old.projectId}, 'old', 'sealed', 'sealed', now() - interval '1 second'),
        (${young.projectId}, 'young', 'sealed', 'sealed', now() + interval '1 hour')`;
    return () => byName('webhook_endpoints', 'url', 'and previous_secret_sealed is not null');
  },
  deleteOldTestEvents: async () => {
    const { projectId } = await createProject(store);
    for (const [name, days] of [
      ['old', 31],
      ['young', 29],
    ] as const)
      await store.sql`
        with event as (
          insert into events (public_id, project_id, type, body, created_at)
          values (${name}, ${projectId}, 'invoice.expired', '{}', now() - make_interval(days => ${days})) returning id
        ), delivery as (
          insert into deliveries (event_id, project_id, status, next_attempt_at)
          select id, ${projectId}, 'delivered', null from event returning id
        )
        insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms)
        select id, 1, ${name}, now(), 1 from delivery`;
    await store.sql`
      insert into events (public_id, project_id, invoice_id, type, body, created_at)
      values ('of an invoice', ${projectId}, 1, 'invoice.expired', '{}', now() - interval '400 days')`;
    return async () => {
      expect(await store.sql`select 1 from events where public_id = 'of an invoice'`).toHaveLength(1);
      const counts = await byName('events', 'public_id');
      expect(await byName('delivery_attempts', 'url')).toEqual(counts);
      expect(await store.sql`select 1 from deliveries`).toHaveLength(counts.old + counts.young);
      return counts;
    };
  },
  deleteOldTestDonations: async () => {
    const { projectId } = await createProject(store);
    await store.sql`
      insert into overlay_donations (project_id, public_id, currency, amount, confirmed_at, test)
      select ${projectId}, case when n = 1 then 'old' when n = 2 then 'young' else 'other' end, 'BTC', 1,
        now() - interval '25 hours', n <> 3
      from generate_series(1, 1001) n order by n`;
    return () => byName('overlay_donations', 'public_id');
  },
  deleteOldDonorTotals: async () => {
    await store.sql`
      insert into donor_totals (project_id, period, since, donor, donor_name)
      values (1, 'day', now()::date - 33, 'a', 'old'), (1, 'month', now()::date - 30, 'a', 'young'),
        (1, 'all', '-infinity', 'a', 'other')`;
    return () => byName('donor_totals', 'donor_name');
  },
  removeOldDonorTexts: async () => {
    const { projectId } = await createProject(store);
    await store.sql`update projects set donor_texts_days = 30 where id = ${projectId}`;
    await store.sql`
      insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
        confirmations_required, donor_name, ttl_seconds, expires_at, deadline_at, created_at)
      select 'inv_' || name, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, name, 60, now(), now(),
        now() - make_interval(days => days)
      from (values ('old', 31), ('young', 29)) as donor (name, days)`;
    return () => byName('invoices', 'donor_name');
  },
  deleteIdlePools: async () => {
    const { projectId } = await createProject(store);
    const [{ poolId: old }, { poolId: young }] = [
      await createWallet(store, projectId, { currency: 'BTC' }),
      await createWallet(store, projectId, { currency: 'LTC' }),
    ];
    await store.sql`update pools set key_id = 'old', created_at = now() - interval '8 days' where id = ${old}`;
    await store.sql`update pools set key_id = 'young', created_at = now() - interval '8 days' where id = ${young}`;
    await store.sql`
      update wallets set status = 'replaced', replaced_at = now() - interval '8 days' where pool_id = ${old}`;
    return () => byName('pools', 'key_id');
  },
  deleteUnusedAccounts: async () => {
    for (const name of ['old', 'young']) {
      const { projectId } = await createProject(store);
      await store.sql`delete from api_keys where project_id = ${projectId}`;
      await store.sql`
        update projects set subscription_active_until = now() - interval '1 year' where id = ${projectId}`;
      await store.sql`
        update accounts set email = ${name}, created_at = now() - interval '401 days'
        where id = (select account_id from projects where id = ${projectId})`;
    }
    await store.sql`
      insert into login_origins (account_id, origin, last_login_at)
      select id, 'home', now() from accounts where email = 'young'`;
    return () => byName('accounts', 'email');
  },
  deleteOldIncidents: async () => {
    await store.sql`
      insert into incidents (component, started_at, ended_at)
      select component, now() - interval '95 days', now() - make_interval(days => ended_days_ago)
      from (values ('BTC', 91), ('LTC', 89)) as t (component, ended_days_ago)`;
    const count = async () => {
      const left = await store.sql<{ old: number; young: number }[]>`
        select count(*) filter (where component = 'BTC')::int as old,
          count(*) filter (where component = 'LTC')::int as young from incidents`;
      return left[0]!;
    };
    return count;
  },
  emptyDeletedProjects: async () => {
    for (const [name, days] of [
      ['old', 401],
      ['young', 399],
    ] as const) {
      const { projectId } = await createProject(store);
      await store.sql`
        update projects set name = ${name}, deleted_at = now() - make_interval(days => ${days}) where id = ${projectId}`;
    }
    return () => byName('projects', 'name');
  },
  deleteReconciledOutputs: async () => {
    await store.sql`
      with run as (
        insert into reconciliations (currency, since, is_full, is_requested, ended_at)
        values ('BTC', now(), true, true, now()), ('BTC', now(), true, true, null) returning id, ended_at
      )
      insert into reconciliation_outputs (reconciliation_id, txid, vout, script, amount, height, block_time)
      select id, case when ended_at is null then 'young' else 'old' end::bytea, 0, 'script', 1, 1, now() from run`;
    return () => byName('reconciliation_outputs', "encode(txid, 'escape')");
  },
};

test.each(Object.keys(SCENARIOS) as Deleting[])('%s deletes only old rows', async (name) => {
  const count = await SCENARIOS[name]();
  expect(await count()).toEqual({ old: 1, young: 1 });
  await CLEAN_UPS[name](store, 1000);
  await CLEAN_UPS[name](store, 1000);
  expect(await count()).toEqual({ old: 0, young: 1 });
});

test('the last 100 test events of a project are kept, whatever their age, and all of its invoices', async () => {
  const [busy, quiet] = [await createProject(store), await createProject(store)];
  for (const [{ projectId }, count] of [
    [busy, 130],
    [quiet, 100],
  ] as const)
    await store.sql`
      with event as (
        insert into events (public_id, project_id, type, body)
        select ${projectId} || '-' || n, ${projectId}, 'invoice.expired', '{}' from generate_series(1, ${count}::int) n
        returning id
      )
      insert into deliveries (event_id, project_id) select id, ${projectId} from event`;
  await store.sql`
    insert into events (public_id, project_id, invoice_id, type, body)
    select 'order-' || n, ${busy.projectId}, 1000 + n, 'invoice.expired', '{}' from generate_series(1, 130) n`;
  // The clean-ups of other tests have left theirs.
  for (let deleted = 10; deleted === 10;) deleted = await CLEAN_UPS.deleteOldTestEvents(store, 10);
  const countOf = async ({ projectId }: { projectId: bigint }) => {
    const [row] = await store.sql`
      select count(*) filter (where e.invoice_id is null)::int as tests, count(e.invoice_id)::int as orders,
        count(d.id)::int as deliveries,
        min(split_part(e.public_id, '-', 2)::int) filter (where e.invoice_id is null) as oldest
      from events e left join deliveries d on d.event_id = e.id where e.project_id = ${projectId}`;
    return row;
  };
  expect(await countOf(busy)).toEqual({ tests: 100, orders: 130, deliveries: 100, oldest: 31 });
  expect(await countOf(quiet)).toEqual({ tests: 100, orders: 0, deliveries: 100, oldest: 1 });
});

test('a donor’s network is stored as long as its address is in quarantine', async () => {
  const { projectId } = await createProject(store);
  const { poolId } = await createWallet(store, projectId);
  await store.sql`
    update pool_addresses set donor_network = 'hash', state = 'free', released_at = now() - interval '25 hours'
    where pool_id = ${poolId} and address_index = 1`;
  const known = () =>
    store.sql`select from pool_addresses where pool_id = ${poolId} and donor_network is not null`;
  await CLEAN_UPS.forgetDonorNetworks(store, 1000, 26 * 3600);
  expect(await known()).toHaveLength(1);
  await CLEAN_UPS.forgetDonorNetworks(store, 1000, 24 * 3600);
  expect(await known()).toHaveLength(0);
});

async function byName(table: string, name: string, condition = ''): Promise<{ old: number; young: number }> {
  const [row] = await store.sql.unsafe<{ old: number; young: number }[]>(`
    select count(*) filter (where ${name} = 'old')::int as old, count(*) filter (where ${name} = 'young')::int as young
    from ${table} where true ${condition}`);
  return row ?? { old: -1, young: -1 };
}

async function newAccount(): Promise<bigint> {
  const { projectId } = await createProject(store);
  const [row] = await store.sql<
    { id: bigint }[]
  >`select account_id as id from projects where id = ${projectId}`;
  return row!.id;
}

/** The lines of a table, whatever its columns are padded with. */
function cellsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replaceAll(/ +/g, ' '));
}
