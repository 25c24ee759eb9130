import type { Branding } from '@paywatch/domain/contract';
import { SETTING_LIMITS } from '@paywatch/domain/limits';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';

/** What an owner chooses for a link. Amounts in minimal units, prices in the smallest units of their currency. */
export type PaymentLinkTerms = {
  title: string;
  description: string;
  amount: bigint | null;
  /** Null where the buyer names the price. */
  priceAmount: bigint | null;
  priceCurrency: string | null;
  /** Null for every currency with a verified wallet. */
  currencies: Currency[] | null;
  stock: number | null;
  returnUrl: string | null;
  expiresAt: Date | null;
  isDisabled: boolean;
};

/** A payment link. */
export type PaymentLink = PaymentLinkTerms & {
  id: bigint;
  publicId: string;
  projectId: bigint;
  token: string;
  isSingleUse: boolean;
  /** Pieces that are left; null for any number. */
  available: number | null;
  /** By the clock of Postgres. */
  isExpired: boolean;
  createdAt: Date;
};

/** The links of a project, newest first. */
export async function listPaymentLinks({ sql }: { sql: AnySql }, projectId: bigint): Promise<PaymentLink[]> {
  const rows = await sql<PaymentLink[]>`${links(sql)} where l.project_id = ${projectId} order by l.id desc`;
  return rows.map((row) => ({ ...row }));
}

/** One link of a project; null if the project has no such link. */
export async function findPaymentLink(
  { sql }: { sql: AnySql },
  projectId: bigint,
  publicId: string,
): Promise<PaymentLink | null> {
  const [row] = await sql<PaymentLink[]>`
    ${links(sql)} where l.project_id = ${projectId} and l.public_id = ${publicId}`;
  return row ? { ...row } : null;
}

/** A link with what a buyer may know about its project. */
export type PublicPaymentLink = PaymentLink & {
  /** Null until the project has a name. */
  projectName: string | null;
  /** What the project changed of the look of its pages. */
  branding: Partial<Branding>;
  isSubscribed: boolean;
  /** The currencies of the link that have a verified wallet. */
  payable: Currency[];
};

/** The link of a token; null if the token is not valid (any more). */
export async function findPublicPaymentLink(
  { sql }: { sql: AnySql },
  token: string,
): Promise<PublicPaymentLink | null> {
  const [row] = await sql<PublicPaymentLink[]>`
    select l.*, nullif(p.name, '') as "projectName", p.branding,
      coalesce(p.subscription_active_until > now(), false) as "isSubscribed",
      array(
        select w.currency from wallets w
        where w.project_id = p.id and w.status = 'verified' and (l.currencies is null or w.currency = any (l.currencies))
        order by 1) as payable
    from (${links(sql)} where l.token = ${token}) l join projects p on p.id = l."projectId"`;
  return row ? { ...row } : null;
}

function links(sql: AnySql) {
  return sql`
    select l.id, l.public_id as "publicId", l.project_id as "projectId", l.token, l.title, l.description, l.amount,
      l.price_amount as "priceAmount", l.price_currency as "priceCurrency", l.currencies, l.stock,
      l.single_use as "isSingleUse", l.return_url as "returnUrl", l.expires_at as "expiresAt",
      coalesce(l.expires_at <= now(), false) as "isExpired", l.disabled as "isDisabled", l.created_at as "createdAt",
      -- A stock may be lowered below what is sold.
      case when capacity.pieces is not null then greatest(0, capacity.pieces - held.count) end as available
    from payment_links l
    cross join lateral (values (case when l.single_use then 1 else l.stock end)) as capacity (pieces)
    left join lateral (
      select count(*)::int as count from (
        select from payment_link_sales s join invoices i on i.id = s.invoice_id
        where s.payment_link_id = l.id and not s.returned and i.status <> 'expired'
        limit ${SETTING_LIMITS.linkStock.max}) enough
    ) held on capacity.pieces is not null`;
}
