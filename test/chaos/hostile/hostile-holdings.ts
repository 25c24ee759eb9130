import type { Store } from '@paywatch/store';

/** The rows of an account in one table. */
type Held = { rows: number; bytes: number };

/**
 * The rows that one account may have after minutes of misbehaviour: the limits of addresses, keys and changes (60 in ten minutes, twice
 * that across a window boundary), and one invoice per address.
 */
const MOST_CHANGES = 120;
const MOST_ADDRESSES = 2000;
export const BOUNDS: Readonly<Record<string, number>> = {
  pools: MOST_CHANGES,
  wallets: MOST_CHANGES,
  pool_addresses: MOST_ADDRESSES,
  api_keys: 200,
  overlay_donations: MOST_CHANGES,
  audit_log: 6 * MOST_CHANGES,
  sessions: 20,
  login_origins: 5,
  invoices: MOST_ADDRESSES,
  address_leases: MOST_ADDRESSES,
};
/** The bound of these tables together. */
const MOST_BYTES = 5_000_000;

export type Holdings = { addresses: number; rows: number; bytes: number; beyondBounds: string[] };

/** Counts the rows of the project and its account in each table. */
export async function readHoldings({ sql }: Store, email: string): Promise<Holdings> {
  const [ids] = await sql<{ project: string; account: string }[]>`
    select p.id::text as project, a.id::text as account
    from accounts a join projects p on p.account_id = a.id where a.email = ${email}`;
  if (!ids) throw new Error('no hostile account');
  const held = new Map<string, Held>();
  for (const [table, condition] of Object.entries(conditionsOf(ids))) {
    const [row] = await sql.unsafe<Held[]>(
      `select count(*)::int as rows, coalesce(sum(pg_column_size(t.*)), 0)::int as bytes from ${table} t where ${condition}`,
    );
    held.set(table, row ?? { rows: 0, bytes: 0 });
  }
  return sumUp(held);
}

function conditionsOf({ project, account }: { project: string; account: string }): Record<string, string> {
  const pools = `select id from pools where coalesce(owner_project_id, registered_by) = ${project}`;
  return {
    pools: `coalesce(t.owner_project_id, t.registered_by) = ${project}`,
    wallets: `t.project_id = ${project}`,
    pool_addresses: `t.pool_id in (${pools})`,
    api_keys: `t.project_id = ${project}`,
    overlay_donations: `t.project_id = ${project}`,
    audit_log: `t.project_id = ${project} or t.account_id = ${account}`,
    sessions: `t.account_id = ${account}`,
    login_origins: `t.account_id = ${account}`,
    invoices: `t.project_id = ${project}`,
    address_leases: `t.pool_id in (${pools})`,
  };
}

/** Lists the tables that exceed their bound. Pure. */
export function sumUp(held: ReadonlyMap<string, Held>): Holdings {
  const all = [...held.values()];
  const rows = all.reduce((sum, table) => sum + table.rows, 0);
  const bytes = all.reduce((sum, table) => sum + table.bytes, 0);
  const beyond = [...held].filter(([table, of]) => of.rows > (BOUNDS[table] ?? 0)).map(([table]) => table);
  return {
    addresses: held.get('pool_addresses')?.rows ?? 0,
    rows,
    bytes,
    beyondBounds: bytes > MOST_BYTES ? [...beyond, 'bytes'] : beyond,
  };
}
