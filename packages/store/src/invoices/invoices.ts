import { onConflictLockQueued } from './due-decisions.ts';
import type { DonationPage, OverlaySettings } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import {
  GRACE_SECONDS,
  loadSnapshotsById,
  type SnapshotSettings,
  type StoredSnapshot,
} from './invoice-snapshots.ts';
import { publishInvoicesChanged } from '../redis/pubsub/publish.ts';
import type { Store } from '../store.ts';

/** The result of an extension. */
export type Extension =
  | { kind: 'extended'; invoice: StoredSnapshot }
  | { kind: 'invoice_not_found' | 'already_extended' | 'invoice_not_extendable' };

const EXTENSION_SECONDS = 900;

/**
 * Gives the payer 15 more minutes, counted from now if the invoice has already expired. Works once for each invoice, while it
 * is new or pending; of concurrent calls one succeeds. Its streams are notified. A watcher decides the invoice again, because
 * late payments may be in time now and no later block might cause a decision.
 */
export async function extendInvoice(
  store: Store,
  authorize: Authorize,
  projectId: bigint,
  publicId: string,
  settings: SnapshotSettings,
): Promise<Extension> {
  const { sql } = store;
  const extended = await inTransaction(store, async (tx) => {
    await authorize(tx);
    return extend(tx, projectId, publicId, settings);
  });
  if (!extended) return { kind: await whyNotExtended(sql, projectId, publicId) };
  await publishInvoicesChanged(store, [{ publicId, version: extended.version }]);
  const [invoice] = await loadSnapshotsById(sql, [extended.id], settings);
  if (!invoice) throw new Error(`invoice ${publicId} not found after it was extended`);
  return { kind: 'extended', invoice };
}

async function extend(
  sql: TransactionSql,
  projectId: bigint,
  publicId: string,
  settings: SnapshotSettings,
): Promise<{ id: bigint; version: number } | undefined> {
  const [extended] = await sql<{ id: bigint; version: number }[]>`
    with wanted as (
      select id, currency from invoices
      where project_id = ${projectId} and public_id = ${publicId} and not extended and status in ('new', 'pending')
    ), queued as (
      -- Before the invoice is locked, like everything that queues or decides it.
      insert into due_decisions (currency, invoice_id)
      select currency, id from wanted ${onConflictLockQueued(sql)} returning 1
    ), extended as (
      update invoices set
        -- Keeps the grace that was added while the view was stale.
        deadline_at = greatest(deadline_at,
          greatest(expires_at, now()) + make_interval(secs => ${EXTENSION_SECONDS + (settings.graceSeconds ?? GRACE_SECONDS)})),
        expires_at = greatest(expires_at, now()) + make_interval(secs => ${EXTENSION_SECONDS}),
        extended = true,
        -- The response shows the address.
        shown_at = coalesce(shown_at, now()),
        deadline_swept = false,
        version = version + 1
      where id = (select id from wanted) and not extended and status in ('new', 'pending')
        and (select count(*) from queued) >= 0
      returning id, version
    )
    select id, version from extended`;
  return extended;
}

async function whyNotExtended(
  sql: AnySql,
  projectId: bigint,
  publicId: string,
): Promise<Exclude<Extension['kind'], 'extended'>> {
  const [invoice] = await sql<{ extended: boolean }[]>`
    select extended from invoices where project_id = ${projectId} and public_id = ${publicId}`;
  if (!invoice) return 'invoice_not_found';
  return invoice.extended ? 'already_extended' : 'invoice_not_extendable';
}

/** The current versions of invoices by public id; unknown ones are left out. One statement, index-only. */
export async function loadInvoiceVersions(
  { sql }: { sql: AnySql },
  publicIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ public_id: string; version: number }[]>`
    select public_id, version from invoices where public_id = any (${[...publicIds]}::text[])`;
  return new Map(rows.map((row) => [row.public_id, row.version]));
}

/** What a donor may know about the project behind a donation link. */
export type DonationLink = {
  projectId: bigint;
  /** Null until the project has a name. */
  projectName: string | null;
  /** Whether the subscription is active. */
  isAccepting: boolean;
  /** Currencies with a verified wallet. */
  currencies: Currency[];
  /** The currency of the project (ISO 4217); null if none was set. */
  fiatCurrency: string | null;
  /** What the owner changed of the page and of the overlay; the rest has its default. */
  page: Partial<DonationPage>;
  overlay: Partial<OverlaySettings>;
  /** The upload that the page shows; null if there is none (any more). */
  picture: string | null;
};

/** The project of a donation token; null if the token is not valid (any more). */
export async function findDonationLink(
  { sql }: { sql: AnySql },
  donateToken: string,
): Promise<DonationLink | null> {
  const [link] = await sql<DonationLink[]>`
    select p.id as "projectId", nullif(p.name, '') as "projectName",
      coalesce(p.subscription_active_until > now(), false) as "isAccepting",
      array(select w.currency from wallets w where w.project_id = p.id and w.status = 'verified' order by 1) as currencies,
      p.fiat_currency as "fiatCurrency", p.donation_page as page, p.overlay_settings as overlay,
      (select u.public_id from uploads u where u.project_id = p.id and u.public_id = p.donation_page ->> 'picture') as picture
    from projects p where p.donate_token = ${donateToken}`;
  return link ?? null;
}
