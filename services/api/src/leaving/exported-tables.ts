import type { AccountExport } from '@paywatch/domain/contract';
import type { TableName } from '@paywatch/store/postgres';

/** Where an owner finds the rows of a table: in a part of the export, or nowhere, for the stated reason. */
type Exported = { part: keyof AccountExport } | { file: keyof AccountExport['files'] } | { why: string };

const CHAIN = { why: 'of the chain, public, and the same for everybody' };
const WORK = { why: 'what is still to be done about rows that are exported' };
const SECRET = { why: 'holds hashes of secrets only, for minutes' };

/** One entry for each table: a new table does not compile without one. */
export const EXPORTED_TABLES: Readonly<Record<TableName, Exported>> = {
  accounts: { part: 'account' },
  projects: { part: 'project' },
  project_members: { part: 'members' },
  project_invitations: { part: 'invitations' },
  sessions: { part: 'sessions' },
  second_factors: { part: 'second_factors' },
  passkeys: { part: 'second_factors' },
  recovery_codes: { part: 'second_factors' },
  passkey_challenges: SECRET,
  login_challenges: SECRET,
  email_tokens: SECRET,
  login_origins: { part: 'login_networks' },
  api_keys: { part: 'api_keys' },
  audit_log: { file: 'audit_log' },
  mails: { why: 'which mails were sent to the owner within 14 days; the texts are in the mailbox' },
  email_changes: { part: 'account' },
  wallets: { part: 'wallets' },
  pools: { part: 'wallets' },
  pool_addresses: {
    why: 'follow from the extended public key; those that were given out are in the invoices',
  },
  address_leases: { file: 'invoices' },
  invoices: { file: 'invoices' },
  parked_invoices: WORK,
  donation_proofs: { why: 'names nobody' },
  idempotency_keys: { why: 'chosen by the shop itself, for 48 hours' },
  project_stats: { why: 'sums of the invoices' },
  fiat_totals: { why: 'sums of the invoices' },
  overlay_donations: { file: 'invoices' },
  donation_days: { why: 'sums of the donations' },
  donor_totals: { why: 'sums of the donations' },
  counted_donations: WORK,
  overlay_controls: { part: 'moderation' },
  held_donations: { file: 'invoices' },
  events: { file: 'events' },
  deliveries: { file: 'events' },
  delivery_attempts: { why: 'what the endpoints of the shop answered, listed with each event' },
  webhook_endpoints: { part: 'webhook_endpoints' },
  uploads: { part: 'uploads' },
  payment_links: { part: 'payment_links' },
  payment_link_sales: { file: 'invoices' },
  subscription_purchases: { part: 'purchases' },
  chains: CHAIN,
  chain_blocks: CHAIN,
  disconnected_blocks: CHAIN,
  transactions: CHAIN,
  transaction_inputs: CHAIN,
  payments: { file: 'payments' },
  due_decisions: WORK,
  agreements: CHAIN,
  chain_rescans: CHAIN,
  reconciliations: CHAIN,
  reconciliation_invoices: WORK,
  reconciliation_outputs: CHAIN,
  reconciliation_differences: { why: 'what the operator checks' },
  chain_sources: CHAIN,
  fee_estimates: CHAIN,
  incidents: { why: 'public, and the same for everybody' },
  exchange_rates: { why: 'public, and the same for everybody' },
};
