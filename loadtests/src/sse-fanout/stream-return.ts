import type { Measure } from '@paywatch/dev/commands';
import { waitUntil } from '@paywatch/dev/testing';
import type { Store } from '@paywatch/store';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOpenFiles } from '../shared/process-limits.ts';
import { startStreamClients } from './stream-clients.ts';
import { setStreamStage } from './stream-stage.ts';

/*
 * A replica was restarted, and 10,000 overlays of as many projects come back at once, each of which has missed some donations.
 * Counted is what that costs Postgres: where each of them cost a statement of its own, all else would wait behind them.
 */

const OVERLAYS = 10_000;
const MISSED = 3;
/** Backends tell what they have done a second later. */
const COUNTED_AFTER_MS = 2500;

export const run: Measure = async ({ terminal, share }) => {
  await using parts = new AsyncDisposableStack();
  const overlays = Math.ceil(OVERLAYS * share);
  assertOpenFiles(overlays);
  const stage = await terminal.step('Starting Postgres, Redis and an API replica', () =>
    setStreamStage(parts, 1),
  );
  const clients = startStreamClients();
  parts.defer(clients.stop);
  const paths = await missDonations(stage.store, overlays);
  await sleep(COUNTED_AFTER_MS);
  const [before, startedMs] = [await countStatements(stage.store), performance.now()];
  const port = stage.api.port ?? 0;
  await terminal.step(`${overlays} overlays come back`, async () => {
    await clients.open({ port, paths, positionLine: 'id', every: true });
    const hasAll = () => clients.counts().delivered === MISSED * overlays;
    await waitUntil(hasAll, { what: 'all that was missed' });
  });
  const seconds = (performance.now() - startedMs) / 1000;
  await sleep(COUNTED_AFTER_MS);
  const statements = (await countStatements(stage.store)) - before;
  return [
    { name: 'overlays', value: overlays },
    { name: 'seconds', value: seconds },
    { name: 'statements', value: statements },
    { name: 'statements_per_overlay', value: statements / overlays, reach: { atMost: 0.5 } },
  ];
};

/** Opens projects, gives each the same number of donations, and answers where their overlays come back to. */
async function missDonations({ sql }: Store, overlays: number): Promise<string[]> {
  await sql`
    with accounts as (
      insert into accounts (email, password_hash)
      select n || '@example.org', 'none' from generate_series(1, ${overlays}::int) n returning id
    ), projects as (
      insert into projects (account_id, name, donate_token, overlay_token)
      select id, 'Shop', 'donate-' || id, 'overlay-' || id from accounts returning id
    )
    insert into overlay_donations (project_id, public_id, currency, amount)
    select id, 'inv_1', 'BTC', 1 from projects cross join generate_series(1, ${MISSED}::int) order by id`;
  const rows = await sql<{ overlay_token: string; first: string }[]>`
    select overlay_token, min(d.id) - 1 as first
    from projects p join overlay_donations d on d.project_id = p.id group by p.id`;
  return rows.map(
    ({ overlay_token, first }) => `/v1/public/overlay/${overlay_token}/events?last_event_id=${first}`,
  );
}

/** Of this database, ours included: each is a transaction of its own. */
async function countStatements({ sql }: Store): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select xact_commit::int as count from pg_stat_database where datname = current_database()`;
  return row?.count ?? Number.NaN;
}
