import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import type { Store } from '../store.ts';
import { findPaymentLink, type PaymentLink, type PaymentLinkTerms } from './payment-links.ts';

/** A link to create. */
export type NewPaymentLink = PaymentLinkTerms & {
  projectId: bigint;
  publicId: string;
  token: string;
  isSingleUse: boolean;
};

/** The maximum number of links of a project. */
const MAX_LINKS = 100;

/** Creates a link. Null if the project has the maximum number. Not safe to repeat: each call creates a link. */
export async function createPaymentLink(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  link: NewPaymentLink,
): Promise<PaymentLink | null> {
  const { projectId, publicId } = link;
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    if ((await countLinks(tx, projectId)) >= MAX_LINKS) return null;
    await insertLink(tx, link);
    const [detail, after] = [{ payment_link: publicId }, auditedTerms(link)];
    await writeAudit(tx, { projectId, action: 'payment_link.created', actor, detail, before: null, after });
    return findPaymentLink({ sql: tx }, projectId, publicId);
  });
}

/** What the audit log holds of a link: never its token. The host of the return URL only, since merchants put tokens into paths. */
export function auditedTerms(terms: PaymentLinkTerms) {
  return {
    title: terms.title,
    amount: terms.amount === null ? null : String(terms.amount),
    price: terms.priceAmount === null ? null : String(terms.priceAmount),
    price_currency: terms.priceCurrency,
    currencies: terms.currencies,
    stock: terms.stock,
    return_host: terms.returnUrl === null ? null : (URL.parse(terms.returnUrl)?.host ?? null),
    expires_at: terms.expiresAt?.toISOString() ?? null,
    disabled: terms.isDisabled,
  };
}

async function countLinks(tx: TransactionSql, projectId: bigint): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from payment_links where project_id = ${projectId}`;
  return row?.count ?? 0;
}

async function insertLink(tx: TransactionSql, link: NewPaymentLink): Promise<void> {
  await tx`
    insert into payment_links
      (public_id, project_id, token, title, description, amount, price_amount, price_currency, currencies, single_use,
       stock, return_url, expires_at, disabled)
    values (${link.publicId}, ${link.projectId}, ${link.token}, ${link.title}, ${link.description}, ${link.amount},
      ${link.priceAmount}, ${link.priceCurrency}, ${link.currencies && tx.array([...link.currencies])}::text[],
      ${link.isSingleUse}, ${link.stock}, ${link.returnUrl}, ${link.expiresAt}, ${link.isDisabled})`;
}
