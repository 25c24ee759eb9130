import { CHAINS, type Network } from '@paywatch/domain/chain';
import type { Branding, InvoiceStatus, InvoiceType } from '@paywatch/domain/contract';
import {
  isOpen,
  type InvoiceSnapshot,
  type LockedPrice,
  type OrderDetails,
  type PaymentSnapshot,
} from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';

/** The settings of a snapshot that come from the configuration. */
export type SnapshotSettings = {
  /** The public base URL without a trailing slash. */
  publicUrl: string;
  /** How much an order may be underpaid and still count as paid, in hundredths of a percent. */
  toleranceBps: number;
  networks: Readonly<Record<Currency, Network>>;
  /** How long after `expires_at` a payment still counts as in time. Payers do not see this period. 120 seconds by default. */
  graceSeconds?: number;
};

/** The default grace period, so that a payment sent in the last second still counts. */
export const GRACE_SECONDS = 120;

/** An invoice snapshot with the ids that the product needs. */
export type StoredSnapshot = InvoiceSnapshot & {
  invoiceId: bigint;
  projectId: bigint;
  /** An open donation whose address nobody has seen yet; see shown-donations.ts. */
  isUnshown: boolean;
};

/** Our view of a chain is stale if the last complete read is older than this, even if no process is up to store that. */
export const STALE_AFTER_SECONDS = 30;

/** Snapshots of these invoices with their payments, newest invoice first; unknown ids are left out. One statement. */
export async function loadSnapshotsById(
  sql: AnySql,
  invoiceIds: readonly bigint[],
  settings: SnapshotSettings,
): Promise<StoredSnapshot[]> {
  if (invoiceIds.length === 0) return [];
  return selectSnapshots(sql, sql`where i.id = any(${sql.array([...invoiceIds])}::bigint[])`, settings);
}

/** As `loadSnapshotsById`, by public id. Needs no owner: knowing the id is enough to see the public view. */
export async function loadSnapshotsByPublicId(
  sql: AnySql,
  publicIds: readonly string[],
  settings: SnapshotSettings,
): Promise<StoredSnapshot[]> {
  if (publicIds.length === 0) return [];
  return selectSnapshots(sql, sql`where i.public_id = any(${[...publicIds]}::text[])`, settings);
}

/** One invoice of one project; null if the project has no invoice with this id. */
export async function loadProjectSnapshot(
  sql: AnySql,
  projectId: bigint,
  publicId: string,
  settings: SnapshotSettings,
): Promise<StoredSnapshot | null> {
  const condition = sql`where i.public_id = ${publicId} and i.project_id = ${projectId}`;
  const [snapshot] = await selectSnapshots(sql, condition, settings);
  return snapshot ?? null;
}

/** Snapshots of the invoices `i` that the clause selects: `where …`, optionally with `limit`. Newest first. */
export async function selectSnapshots(
  sql: AnySql,
  pick: Fragment,
  settings: SnapshotSettings,
): Promise<StoredSnapshot[]> {
  // The page is selected before the joins, so that a limit bounds the whole cost.
  const rows = await sql<SnapshotRow[]>`
    select
      i.*,
      nullif(p.name, '') as project_name,
      p.branding,
      case when i.donation_link = sha256(convert_to(p.donate_token, 'UTF8')) then p.donate_token end as donate_token,
      -- Looked up for few rows only: others have neither the status nor the name.
      case when i.status = 'expired' and i.order_id like 'plink\\_%' then (
        select l.token from payment_link_sales s join payment_links l on l.id = s.payment_link_id
        where s.invoice_id = i.id
      ) end as link_token,
      coalesce(c.tip_height, 0) as tip_height,
      c.stale_since is not null
        or coalesce(c.checked_at < statement_timestamp() - make_interval(secs => ${STALE_AFTER_SECONDS}), true)
        as chain_delayed,
      statement_timestamp() as read_at,
      payments.list as payments
    from (select i.* from invoices i ${pick}) i
    join projects p on p.id = i.project_id
    left join chains c on c.currency = i.currency
    cross join lateral (
      select coalesce(json_agg(json_build_object(
        'txid', encode(y.txid, 'hex'),
        'vout', y.vout,
        'amount', y.amount::text,
        'firstSeenMs', floor(extract(epoch from y.first_seen_at) * 1000)::bigint,
        'blockHeight', t.block_height,
        'blockHash', encode(t.block_hash, 'hex'),
        'isVoid', t.state = 'void'
      ) order by y.first_seen_at, y.id), '[]') as list
      from payments y
      join transactions t on t.currency = y.currency and t.txid = y.txid
      where y.invoice_id = i.id
    ) payments
    order by i.id desc`;
  return rows.map((row) => toSnapshot(row, settings));
}

/** Amounts in JSON are text: a JSON number loses precision above 2^53. */
type PaymentJson = Omit<PaymentSnapshot, 'amount'> & { amount: string };

/** A row of `invoices` with everything its snapshot needs. */
export type SnapshotRow = {
  id: bigint;
  public_id: string;
  project_id: bigint;
  type: InvoiceType;
  status: InvoiceStatus;
  currency: Currency;
  address_index: number;
  address: string;
  address_reused: boolean;
  expected_amount: bigint | null;
  price_amount: bigint | null;
  price_currency: string | null;
  rate_value: string | null;
  rate_sources: string[] | null;
  rate_taken_at: Date | null;
  fiat_currency: string | null;
  fiat_rate: string | null;
  confirmations_required: number;
  order_id: string | null;
  donor_name: string | null;
  donor_message: string | null;
  return_url: string | null;
  details: OrderDetails | null;
  ttl_seconds: number;
  created_at: Date;
  expires_at: Date;
  deadline_at: Date;
  extended: boolean;
  reversed: boolean;
  shown_at: Date | null;
  version: number;
  /** The token of the donation link that created it, unless it was replaced since. */
  donate_token: string | null;
  /** The token of the payment link of an expired purchase, while the link exists. */
  link_token: string | null;
  project_name: string | null;
  branding: Partial<Branding>;
  tip_height: number;
  chain_delayed: boolean;
  read_at: Date;
  payments: PaymentJson[];
};

/** Combines a row and the settings. Pure. */
export function toSnapshot(row: SnapshotRow, settings: SnapshotSettings): StoredSnapshot {
  const network = settings.networks[row.currency];
  return {
    invoiceId: row.id,
    projectId: row.project_id,
    publicId: row.public_id,
    type: row.type,
    status: row.status,
    currency: row.currency,
    network,
    // A payment proves that somebody knows the address.
    address: row.shown_at === null && row.payments.length === 0 ? null : row.address,
    isUnshown: row.shown_at === null && isOpen(row.status),
    addressIndex: row.address_index,
    isAddressReused: row.address_reused,
    expectedAmount: row.expected_amount,
    price: priceOf(row),
    fiatRate:
      row.fiat_currency === null || row.fiat_rate === null
        ? null
        : { value: row.fiat_rate, currency: row.fiat_currency },
    confirmationsRequired: row.confirmations_required,
    toleranceBps: settings.toleranceBps,
    orderId: row.order_id,
    donorName: row.donor_name,
    donorMessage: row.donor_message,
    returnUrl: row.return_url,
    details: row.details,
    isReversed: row.reversed,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    deadlineMs: row.deadline_at.getTime(),
    isExtended: row.extended,
    ttlSeconds: row.ttl_seconds,
    version: row.version,
    payments: row.payments.map((payment) => ({ ...payment, amount: BigInt(payment.amount) })),
    tipHeight: row.tip_height,
    nowMs: row.read_at.getTime(),
    publicUrl: settings.publicUrl,
    donateUrl: row.donate_token === null ? null : `${settings.publicUrl}/donate/${row.donate_token}`,
    linkUrl: row.link_token === null ? null : `${settings.publicUrl}/l/${row.link_token}`,
    projectName: row.project_name,
    branding: row.branding,
    explorerUrl: explorerUrl(row.currency, network),
    isChainDelayed: row.chain_delayed,
  };
}

/** The constraint `invoices_price` sets all five columns or none. */
function priceOf(row: SnapshotRow): LockedPrice | null {
  const { price_amount: amount, price_currency: currency, rate_value: value } = row;
  const { rate_sources: sources, rate_taken_at: takenAt } = row;
  if (amount === null || currency === null || value === null || sources === null || takenAt === null)
    return null;
  return { amount, currency, rate: { value, sources, takenAtMs: takenAt.getTime() } };
}

/** The base URL of an explorer, to which `/tx/{txid}` and `/address/{address}` are appended. */
function explorerUrl(currency: Currency, network: Network): string | null {
  const template = CHAINS[currency].networks[network].addressExplorerUrl;
  return template?.replace('/address/{address}', '') ?? null;
}
