import {
  deleteExpiredChallenges,
  deleteExpiredEmailChanges,
  deleteExpiredEmailTokens,
  deleteExpiredInvitations,
  deleteExpiredPasskeyChallenges,
  deleteExpiredProofs,
  deleteExpiredSessions,
  deleteOldIdempotencyKeys,
  deleteOldIncidents,
  deleteOldLoginOrigins,
  deleteOldMails,
  deleteOldTestDonations,
  deleteOldTestEvents,
  deleteUnconfirmedFactors,
  forgetDonorNetworks,
  forgetReplacedSecrets,
  type CleanUp,
} from './clean-up.ts';
import { foldDays, foldShards } from '../stats/fold-stats.ts';
import { deleteIdlePools } from '../pools/idle-pools.ts';
import { deleteReconciledOutputs } from '../reconciliation/reconciliations.ts';
import { removeOldDonorTexts } from '../donations/remove-donor-texts.ts';
import { deleteOldDonorTotals } from '../donations/totals/count-donations.ts';
import type * as schema from '../schema/index.ts';
import { emptyDeletedProjects } from '../accounts/leaving/empty-deleted-projects.ts';
import { deleteUnusedAccounts } from '../accounts/unused-accounts.ts';

/** Every clean-up that watchers run, by name. */
export const CLEAN_UPS = {
  deleteOldIdempotencyKeys,
  deleteExpiredSessions,
  deleteExpiredChallenges,
  deleteExpiredPasskeyChallenges,
  deleteUnconfirmedFactors,
  deleteOldLoginOrigins,
  deleteExpiredProofs,
  deleteExpiredEmailTokens,
  deleteExpiredEmailChanges,
  deleteExpiredInvitations,
  deleteOldMails,
  forgetDonorNetworks,
  forgetReplacedSecrets,
  deleteOldTestEvents,
  deleteOldTestDonations,
  deleteOldDonorTotals,
  removeOldDonorTexts,
  deleteIdlePools,
  deleteUnusedAccounts,
  emptyDeletedProjects,
  deleteReconciledOutputs,
  deleteOldIncidents,
  foldShards,
  foldDays,
} as const satisfies Record<string, CleanUp>;
export type CleanUpName = keyof typeof CLEAN_UPS;

type Tables = typeof schema;
/** Every table of the schema, by its name in Postgres. */
export type TableName = {
  [Export in keyof Tables]: Tables[Export] extends { _: { name: infer Name extends string } } ? Name : never;
}[keyof Tables];

/**
 * What keeps a table from growing without bound. bounded: it holds a limited number of rows for each account, currency or other
 * row. kept: rows are deleted after a time. paid: each row stands for something that somebody pays for, on the chain or with a
 * subscription. operated: only the operator or the configuration adds rows.
 */
export type Growth = {
  kind: 'bounded' | 'kept' | 'paid' | 'operated';
  /** The bound, the retention time or what is paid for, as text. */
  rule: string;
  /** The clean-ups that delete from it. */
  cleanUps?: readonly CleanUpName[];
};

/** One entry for each table of the schema. */
export const GROWTH: Record<TableName, Growth> = {
  accounts: {
    kind: 'kept',
    rule: 'one that nothing was set up in: 400 days, unless somebody has logged in within 180; of a deleted one only a row without a person stays',
    cleanUps: ['deleteUnusedAccounts'],
  },
  projects: {
    kind: 'bounded',
    rule: '10 for each account; what was kept of a deleted one: 400 days',
    cleanUps: ['deleteUnusedAccounts', 'emptyDeletedProjects'],
  },
  project_members: { kind: 'bounded', rule: '20 for each project, invitations included' },
  project_invitations: {
    kind: 'kept',
    rule: 'until they are accepted or expire: 7 days; 20 for each project, members included',
    cleanUps: ['deleteExpiredInvitations'],
  },
  sessions: { kind: 'kept', rule: 'until they expire: 7 days', cleanUps: ['deleteExpiredSessions'] },
  second_factors: {
    kind: 'bounded',
    rule: 'five for each account; an unconfirmed one: 30 minutes',
    cleanUps: ['deleteUnconfirmedFactors'],
  },
  passkeys: { kind: 'bounded', rule: 'five for each account, together with other second factors' },
  passkey_challenges: {
    kind: 'kept',
    rule: 'until they are answered or expire: 5 minutes; one for each session and purpose, and those of logins',
    cleanUps: ['deleteExpiredPasskeyChallenges'],
  },
  recovery_codes: { kind: 'bounded', rule: 'ten for each account' },
  login_challenges: {
    kind: 'kept',
    rule: 'until they are used or expire: 5 minutes, 20 for each account',
    cleanUps: ['deleteExpiredChallenges'],
  },
  login_origins: { kind: 'kept', rule: '180 days after the last login', cleanUps: ['deleteOldLoginOrigins'] },
  api_keys: {
    kind: 'bounded',
    rule: '100 that work and the last 100 revoked or expired ones for each project',
  },
  audit_log: { kind: 'kept', rule: '400 days, then the operator’s scheduled `paywatch audit prune`' },
  mails: {
    kind: 'kept',
    rule: '14 days; 1 day if no account has the address. At most 5 of a kind in an hour and 20 in a day for each recipient',
    cleanUps: ['deleteOldMails'],
  },
  email_tokens: {
    kind: 'kept',
    rule: 'until they are used or expire: 30 minutes; those that cancel changes of wallets a day after these; those of invitations 7 days',
    cleanUps: ['deleteExpiredEmailTokens'],
  },
  email_changes: {
    kind: 'bounded',
    rule: 'one for each account, until it is confirmed or expires: 30 minutes',
    cleanUps: ['deleteExpiredEmailChanges'],
  },
  pools: {
    kind: 'kept',
    rule: '7 days, unless verified or an address was given out',
    cleanUps: ['deleteIdlePools'],
  },
  wallets: {
    kind: 'bounded',
    rule: 'one for each project and pool, and one more for each currency that waits; unverified and unused ones go after 7 days',
    cleanUps: ['deleteIdlePools'],
  },
  pool_addresses: {
    kind: 'bounded',
    rule: '2,000 for each account, 20 more for each payment, and 200 more for wallets that replace others (`ACCOUNT_ADDRESSES`, `paywatch accounts limit`); the hash of a donor’s or buyer’s network: until the address is free for 24 hours, or its quarantine if this is longer or is given out again',
    cleanUps: ['deleteIdlePools', 'forgetDonorNetworks'],
  },
  address_leases: {
    kind: 'paid',
    rule: 'one for each invoice; none for a donation that expired before anybody could know its address',
  },
  invoices: {
    kind: 'paid',
    rule: 'need a subscription, and an address of the account each; an unpaid one rests a day, or an hour while the pool is dry; a donation or a purchase by a payment link that nobody looked at holds it for two minutes; names and messages of donors: as long as the project keeps them (`donor_texts_days`)',
    cleanUps: ['removeOldDonorTexts'],
  },
  parked_invoices: { kind: 'bounded', rule: 'one for each invoice, until it is decided' },
  donation_proofs: { kind: 'kept', rule: 'until they expire: 10 minutes', cleanUps: ['deleteExpiredProofs'] },
  idempotency_keys: { kind: 'kept', rule: '48 hours', cleanUps: ['deleteOldIdempotencyKeys'] },
  project_stats: {
    kind: 'bounded',
    rule: 'one row for each project and day for 40 days, then one sum',
    cleanUps: ['foldShards', 'foldDays'],
  },
  fiat_totals: { kind: 'bounded', rule: '16 for each project and currency of prices that it had' },
  overlay_donations: {
    kind: 'paid',
    rule: 'one for each confirmed donation; tests: 24 hours, and the last 1,000 of a project; names and messages of donors: as long as the project keeps them (`donor_texts_days`)',
    cleanUps: ['deleteOldTestDonations', 'removeOldDonorTexts'],
  },
  donation_days: { kind: 'bounded', rule: 'one for each project and day on which it got a donation' },
  donor_totals: {
    kind: 'paid',
    rule: 'one for each name in confirmed donations, and for each of its days, weeks and months that began within 31 days; while a donation with the name is left',
    cleanUps: ['deleteOldDonorTotals', 'removeOldDonorTexts'],
  },
  counted_donations: { kind: 'bounded', rule: 'one for each project' },
  overlay_controls: { kind: 'bounded', rule: 'one for each project' },
  held_donations: {
    kind: 'paid',
    rule: 'one for each confirmed donation that was held for moderators; names and messages of donors: as those of invoices',
    cleanUps: ['removeOldDonorTexts'],
  },
  events: {
    kind: 'paid',
    rule: 'at most one of a kind for each invoice and transaction; tests: 30 days, the last 100 of a project; names and messages of donors: as those of invoices',
    cleanUps: ['deleteOldTestEvents', 'removeOldDonorTexts', 'emptyDeletedProjects'],
  },
  deliveries: { kind: 'bounded', rule: 'one for each event and endpoint', cleanUps: ['deleteOldTestEvents'] },
  delivery_attempts: {
    kind: 'bounded',
    rule: 'the last 100 of each delivery',
    cleanUps: ['deleteOldTestEvents'],
  },
  webhook_endpoints: {
    kind: 'bounded',
    rule: 'ten for each project; a replaced secret: 24 hours',
    cleanUps: ['forgetReplacedSecrets'],
  },
  uploads: { kind: 'bounded', rule: '20 for each project, 512 KiB each', cleanUps: ['deleteUnusedAccounts'] },
  payment_links: { kind: 'bounded', rule: '100 for each project' },
  payment_link_sales: { kind: 'paid', rule: 'one for each invoice of a payment link' },
  subscription_purchases: { kind: 'paid', rule: 'one for each of the seller’s invoices; one open at a time' },
  chains: { kind: 'operated', rule: 'one for each currency' },
  chain_blocks: { kind: 'bounded', rule: 'the last blocks of each chain' },
  disconnected_blocks: {
    kind: 'paid',
    rule: 'one for each block that a reorganization takes off: costs its work',
  },
  transactions: { kind: 'paid', rule: 'pay a derived address, or compete with one that does: cost a fee' },
  transaction_inputs: { kind: 'paid', rule: 'of these transactions' },
  payments: { kind: 'paid', rule: 'of these transactions' },
  due_decisions: { kind: 'bounded', rule: 'one for each invoice, until it is decided' },
  agreements: { kind: 'paid', rule: 'one for each transaction that a large order waits for' },
  chain_rescans: { kind: 'operated', rule: 'one for each rescan and import' },
  reconciliations: { kind: 'bounded', rule: 'the last 100 of each chain' },
  reconciliation_invoices: {
    kind: 'bounded',
    rule: 'those that an open reconciliation has still to compare',
  },
  reconciliation_outputs: {
    kind: 'kept',
    rule: 'until the reconciliation that read them has ended',
    cleanUps: ['deleteReconciledOutputs'],
  },
  reconciliation_differences: {
    kind: 'bounded',
    rule: '10,000 of each of the last 10 reconciliations of a chain',
  },
  chain_sources: { kind: 'operated', rule: 'one for each source' },
  fee_estimates: { kind: 'operated', rule: 'one for each currency' },
  incidents: {
    kind: 'kept',
    rule: '90 days after their end; at most one open for each part of the service',
    cleanUps: ['deleteOldIncidents'],
  },
  exchange_rates: { kind: 'operated', rule: 'one for each currency and each of `RATE_CURRENCIES`' },
};

/** The table above in the form of the documentation. */
export function growthTable(): string {
  const names = (Object.keys(GROWTH) as TableName[]).toSorted();
  const lines = names.map((name) => {
    const { kind, rule, cleanUps = [] } = GROWTH[name];
    return `| \`${name}\` | ${kind} | ${rule} | ${cleanUps.map((cleanUp) => `\`${cleanUp}\``).join(', ')} |`;
  });
  return ['| Table | Growth | Rule | Clean-up |', '| --- | --- | --- | --- |', ...lines].join('\n');
}
