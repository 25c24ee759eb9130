import { writeAudit, type Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import type { Store } from '../store.ts';
import { auditedTerms } from './create-payment-link.ts';
import { findPaymentLink, type PaymentLink, type PaymentLinkTerms } from './payment-links.ts';

/** The link that a change is about. */
export type PaymentLinkName = { projectId: bigint; publicId: string };

/**
 * Changes a link; absent fields stay. `check` gets the link as it would be, and throws if its terms do not fit. Null if the project
 * has no such link. Safe to repeat.
 */
export async function changePaymentLink(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  name: PaymentLinkName,
  { change, check }: { change: Partial<PaymentLinkTerms>; check: (changed: PaymentLink) => void },
): Promise<PaymentLink | null> {
  return changeLocked(store, authorize, name, async (tx, link, actor) => {
    const changed = { ...link, ...change };
    check(changed);
    await updateTerms(tx, changed);
    const [before, after] = [auditedTerms(link), auditedTerms(changed)];
    await writeChange(tx, name, actor, { action: 'payment_link.changed', before, after });
  });
}

/** Replaces the token of a link; pages with the old one are gone. Null if the project has no such link. */
export async function rotatePaymentLinkToken(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  name: PaymentLinkName,
  token: string,
): Promise<PaymentLink | null> {
  return changeLocked(store, authorize, name, async (tx, { id }, actor) => {
    await tx`update payment_links set token = ${token} where id = ${id}`;
    await writeChange(tx, name, actor, { action: 'payment_link.token_rotated' });
  });
}

/** Deletes a link and returns what it was; its invoices stay. Null if the project has no such link. */
export async function deletePaymentLink(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  name: PaymentLinkName,
): Promise<PaymentLink | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, name.projectId);
    const link = await findPaymentLink({ sql: tx }, name.projectId, name.publicId);
    if (link === null) return null;
    await tx`delete from payment_links where id = ${link.id}`;
    await writeChange(tx, name, actor, {
      action: 'payment_link.deleted',
      before: auditedTerms(link),
      after: null,
    });
    return link;
  });
}

/** Runs a change under the project's lock. Returns the changed link. */
async function changeLocked(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, publicId }: PaymentLinkName,
  change: (tx: TransactionSql, link: PaymentLink, actor: Actor) => Promise<void>,
): Promise<PaymentLink | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const link = await findPaymentLink({ sql: tx }, projectId, publicId);
    if (link === null) return null;
    await change(tx, link, actor);
    return findPaymentLink({ sql: tx }, projectId, publicId);
  });
}

async function updateTerms(tx: TransactionSql, link: PaymentLink): Promise<void> {
  await tx`
    update payment_links set title = ${link.title}, description = ${link.description}, amount = ${link.amount},
      price_amount = ${link.priceAmount}, price_currency = ${link.priceCurrency},
      currencies = ${link.currencies && tx.array([...link.currencies])}::text[], stock = ${link.stock},
      return_url = ${link.returnUrl}, expires_at = ${link.expiresAt}, disabled = ${link.isDisabled}
    where id = ${link.id}`;
}

type Line = Pick<Parameters<typeof writeAudit>[1], 'action' | 'before' | 'after'>;

function writeChange(
  tx: TransactionSql,
  { projectId, publicId }: PaymentLinkName,
  actor: Actor,
  line: Line,
): Promise<void> {
  return writeAudit(tx, { projectId, actor, detail: { payment_link: publicId }, ...line });
}
