import type { Donor, NewInvoice } from '../invoices/new-invoice.ts';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { type DonationCapacity, readDonationCapacity } from './donation-capacity.ts';
import { SHOW_WITHIN_SECONDS } from './shown-donations.ts';

/** Leading bytes of `Donor.network` that all networks of a site share. */
const SITE_BYTES = 8;
/** What any network and any site may hold, however small the pool is. */
const LEAST_SHARE = 3;

/** What the addresses that are left allow one donor, or one buyer from the operator. */
export type DonorLimits = {
  /** The hash of the network or site that already holds its share; null if there is none. */
  usedShare: Uint8Array | null;
  /** Few donation addresses are left, so a donation uses up its proof of work. */
  isScarce: boolean;
  /** The proof of work is missing, used or too easy. */
  needsProof: boolean;
  /** Whether a donation could get an address now. */
  hasAddress: boolean;
};

/**
 * Reads the limits of a donor. Run it in the transaction that creates the invoice, before the creation: it first locks the
 * donor's site and proof, so the counts include everything that the site holds, and a proof is used once. Buyers have the same
 * share. Those from the operator, who have an account, need no proof.
 */
export async function readDonorLimits(
  tx: TransactionSql,
  { projectId, currency, creator }: NewInvoice,
  donor: Donor,
  quarantineSeconds: number,
): Promise<DonorLimits> {
  await lockDonor(tx, donor);
  const capacities = await readDonationCapacity(tx, projectId, quarantineSeconds);
  const found = capacities.find((capacity) => capacity.currency === currency);
  // Without a verified wallet the creation is refused anyway.
  if (!found) return { usedShare: null, isScarce: false, needsProof: false, hasAddress: false };
  const held = await countHeld(tx, { projectId, poolId: found.poolId, quarantineSeconds }, donor.network);
  const isScarce = creator.kind !== 'operator' && found.isScarce;
  return {
    usedShare: usedShare(found, held, donor.network),
    isScarce,
    needsProof: isScarce && !(await isProofGood(tx, found, donor.proof)),
    hasAddress: found.hasAddress,
  };
}

/** Marks a proof of work as used. Run it in the transaction of the donation that needed it. */
export async function useProof(tx: TransactionSql, proof: NonNullable<Donor['proof']>): Promise<void> {
  await tx`
    insert into donation_proofs (id, expires_at) values (${Buffer.from(proof.id)}, ${new Date(proof.expiresAtMs)})`;
}

/** A separate statement, so that the next ones see everything committed until the locks were granted. Always in this order. */
async function lockDonor(tx: TransactionSql, { network, proof }: Donor): Promise<void> {
  const id = proof === null ? null : Buffer.from(proof.id);
  await tx`
    select pg_advisory_xact_lock(hashtextextended('donor ' || encode(${siteOf(network)}, 'hex'), 0)),
      pg_advisory_xact_lock(hashtextextended('proof ' || encode(${id}::bytea, 'hex'), 0))`;
}

function siteOf(network: Uint8Array): Buffer {
  return Buffer.from(network.subarray(0, SITE_BYTES));
}

type Held = { byNetwork: number; bySite: number };

/**
 * The addresses that a network and its site hold. Those in quarantine after its unpaid donations count, too: otherwise it could
 * take new ones meanwhile.
 */
async function countHeld(
  tx: TransactionSql,
  { projectId, poolId, quarantineSeconds }: Omit<Share, 'holder'>,
  network: Uint8Array,
): Promise<Held> {
  const site = siteOf(network);
  const [held] = await tx<Held[]>`
    select count(*)::int as "bySite", (count(*) filter (where donor_network = ${Buffer.from(network)}))::int as "byNetwork"
    from pool_addresses
    where pool_id = ${poolId} and donor_network between ${site} and ${site} || '\\xffffffffffffffff'::bytea
      and last_project_id = ${projectId}
      and (state = 'leased' or state = 'free' and released_at > now() - make_interval(secs => ${quarantineSeconds}))`;
  if (!held) throw new Error(`addresses held in pool ${poolId} were not counted`);
  return held;
}

/**
 * The network or site that already holds its share, or null. A network may hold a quarter of the capacity, and all networks of
 * one site together half, because a whole IPv6 /48 costs no more than a /56. Pure.
 */
function usedShare(
  { capacity }: DonationCapacity,
  { byNetwork, bySite }: Held,
  network: Uint8Array,
): Uint8Array | null {
  if (byNetwork >= Math.max(LEAST_SHARE, Math.floor(capacity / 4))) return network;
  return bySite >= Math.max(LEAST_SHARE, Math.floor(capacity / 2)) ? siteOf(network) : null;
}

async function isProofGood(
  tx: TransactionSql,
  { extraProofBits }: DonationCapacity,
  proof: Donor['proof'],
): Promise<boolean> {
  if (proof === null || proof.extraBits < extraProofBits) return false;
  const used = await tx`select from donation_proofs where id = ${Buffer.from(proof.id)}`;
  return used.length === 0;
}

/** The addresses of a pool that one network, or all networks of a site, hold; `holder` is the common prefix of their hashes. */
type Share = {
  projectId: bigint;
  poolId: bigint;
  holder: Uint8Array;
  quarantineSeconds: number;
};

/** Seconds until the holder has one address less if nobody pays: its donation expires and the quarantine of its address ends. */
export async function secondsUntilShareFrees(
  sql: AnySql,
  { projectId, poolId, holder, quarantineSeconds }: Share,
): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select ceil(extract(epoch from min(case
      when a.state = 'free' then a.released_at + rest.time
      when i.shown_at is null then i.created_at + make_interval(secs => ${SHOW_WITHIN_SECONDS})
      else i.deadline_at + rest.time end) - now()))::int as seconds
    from make_interval(secs => ${quarantineSeconds}) as rest (time), pool_addresses a
    join pools p on p.id = a.pool_id
    left join address_leases l on l.currency = p.currency and l.script = a.script and l.released_at is null
    left join invoices i on i.id = l.invoice_id
    where a.pool_id = ${poolId} and a.last_project_id = ${projectId}
      and a.donor_network between ${Buffer.from(holder)} and ${Buffer.from(holder)} || '\\xffffffffffffffff'::bytea
      and (a.state = 'leased' or a.state = 'free' and a.released_at > now() - rest.time)`;
  return row?.seconds ?? null;
}
