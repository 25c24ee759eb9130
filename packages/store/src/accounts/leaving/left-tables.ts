import type { TableName } from '../../postgres/retention.ts';

/**
 * What becomes of an account's rows when it is deleted. at_once: they are deleted with it. books: they are deleted, or lose what the
 * merchant wrote, 400 days later. expires: their own clean-up deletes them soon. stays: they stay, for the stated reason. unowned: no row
 * belongs to an account.
 */
type Left = { kind: 'at_once' | 'books' | 'expires' | 'stays' | 'unowned'; how: string };

const AT_ONCE: Left = { kind: 'at_once', how: 'deleted' };
const UNOWNED: Left = { kind: 'unowned', how: 'of the chain or the deployment' };
const UNTIL_DECIDED: Left = {
  kind: 'expires',
  how: 'until open invoices are decided, which they are to the end',
};
const PAID: Left = { kind: 'stays', how: 'which payment belongs to which invoice must not change' };

/** One entry for each table: a new table does not compile without one. */
export const LEFT_TABLES: Readonly<Record<TableName, Left>> = {
  accounts: { kind: 'stays', how: 'a row without email, password and settings, which the audit log names' },
  projects: {
    kind: 'books',
    how: 'settings, branding, links and subscription at once, the name after 400 days; the row stays for its invoices',
  },
  project_members: AT_ONCE,
  project_invitations: AT_ONCE,
  sessions: AT_ONCE,
  second_factors: AT_ONCE,
  passkeys: AT_ONCE,
  recovery_codes: AT_ONCE,
  passkey_challenges: { kind: 'expires', how: 'names a session that has ended; 5 minutes' },
  login_challenges: AT_ONCE,
  email_tokens: AT_ONCE,
  login_origins: AT_ONCE,
  api_keys: AT_ONCE,
  audit_log: {
    kind: 'expires',
    how: '400 days, then the operator’s scheduled `paywatch audit prune`; contains no email, of an invited address the first letter and the domain',
  },
  mails: {
    kind: 'expires',
    how: 'unsent ones are dropped; who was written to, for 14 days, because the limits of mails count them',
  },
  email_changes: AT_ONCE,
  wallets: {
    kind: 'stays',
    how: 'verified ones as replaced, without service; others are deleted with the account',
  },
  pools: {
    kind: 'stays',
    how: 'the extended public key: late payments are recognized, and a registration of the key finds its addresses',
  },
  pool_addresses: { kind: 'stays', how: 'what was given out once is given to nobody else' },
  address_leases: PAID,
  invoices: {
    kind: 'books',
    how: 'names and messages of donors after 30 days, order ids and links after 400; amounts, address and times stay',
  },
  parked_invoices: UNTIL_DECIDED,
  donation_proofs: UNOWNED,
  idempotency_keys: { kind: 'expires', how: '48 hours' },
  project_stats: { kind: 'stays', how: 'sums without names' },
  fiat_totals: { kind: 'stays', how: 'sums without names' },
  overlay_donations: { kind: 'books', how: 'tests at once, donations after 400 days' },
  donation_days: { kind: 'books', how: 'after 400 days' },
  donor_totals: { kind: 'books', how: 'names after 30 days, all after 400' },
  counted_donations: { kind: 'stays', how: 'a position' },
  overlay_controls: { kind: 'books', how: 'the link at once, the settings after 400 days' },
  held_donations: { kind: 'books', how: 'names and messages of donors after 30 days, all after 400' },
  events: { kind: 'books', how: 'names and messages of donors after 30 days, all after 400' },
  deliveries: { kind: 'books', how: 'with their events' },
  delivery_attempts: { kind: 'books', how: 'with their events' },
  webhook_endpoints: AT_ONCE,
  uploads: AT_ONCE,
  payment_links: AT_ONCE,
  payment_link_sales: { kind: 'books', how: 'after 400 days' },
  subscription_purchases: { kind: 'stays', how: 'the books of the operator, who sold them' },
  chains: UNOWNED,
  chain_blocks: UNOWNED,
  disconnected_blocks: UNOWNED,
  transactions: UNOWNED,
  transaction_inputs: UNOWNED,
  payments: PAID,
  due_decisions: UNTIL_DECIDED,
  agreements: UNOWNED,
  chain_rescans: UNOWNED,
  reconciliations: UNOWNED,
  reconciliation_invoices: UNOWNED,
  reconciliation_outputs: UNOWNED,
  reconciliation_differences: { kind: 'expires', how: 'with one of the next reconciliations' },
  chain_sources: UNOWNED,
  incidents: UNOWNED,
  fee_estimates: UNOWNED,
  exchange_rates: UNOWNED,
};

/** What becomes of an account's rows, in the form of the documentation. */
export function leftTable(): string {
  const owned = Object.entries(LEFT_TABLES).filter(([, { kind }]) => kind !== 'unowned');
  const lines = owned
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { kind, how }]) => `| \`${name}\` | ${kind.replace('_', ' ')} | ${how} |`);
  return ['| Table | When | What happens |', '| --- | --- | --- |', ...lines].join('\n');
}
