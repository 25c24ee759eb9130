import type { HeldDecision } from '@paywatch/domain/contract';
import { holdReason, type HoldRule } from '@paywatch/domain/moderation';
import type { TransactionSql } from '../../postgres/database.ts';
import { joinRate } from '../join-rate.ts';
import { lockControl } from './overlay-controls.ts';
import type { NewOverlayDonation } from './overlay-donations.ts';
import { notifyControl } from './overlay-notifications.ts';
import { countDonations } from '../totals/count-donations.ts';
import { shownMessage } from '../shown-message.ts';

/**
 * Holds a donation for the moderators if the rule of its project requires it, and returns whether it is held or was decided about before.
 * Requires the lock of the overlay. Safe to repeat.
 */
export async function holdDonation(tx: TransactionSql, donation: NewOverlayDonation): Promise<boolean> {
  const { projectId, invoiceId, txid, amount } = donation;
  const [rule] = await tx<HoldRule[]>`
    select hold, words from overlay_controls where project_id = ${projectId} and hold <> 'none'`;
  const reason = rule ? await reasonToHold(tx, rule, donation) : null;
  if (reason === null) return false;
  await tx`
    insert into held_donations
      (project_id, invoice_id, txid, public_id, currency, amount, donor_name, donor_message, reason, fiat_currency, fiat_rate)
    select i.project_id, i.id, decode(${txid}, 'hex'), i.public_id, i.currency, ${amount}, i.donor_name, ${shownMessage(tx, amount)}, ${reason},
      r.price_currency, r.value
    from invoices i ${joinRate(tx, tx`i.project_id`, tx`i.currency`)} where i.id = ${invoiceId}
    on conflict (invoice_id, txid) do nothing`;
  await tx`update overlay_controls set version = version + 1 where project_id = ${projectId}`;
  return true;
}

/** As far back as it is checked whether a donor's name was shown before. */
const REMEMBERED_DONATIONS = 10_000;

async function reasonToHold(
  tx: TransactionSql,
  rule: HoldRule,
  { projectId, invoiceId, amount }: NewOverlayDonation,
) {
  const [texts] = await tx<
    { donorName: string | null; donorMessage: string | null; isKnownDonor: boolean }[]
  >`
    select i.donor_name as "donorName", ${shownMessage(tx, amount)} as "donorMessage",
      ${rule.hold} = 'first_time' and exists (
        select from (
          select donor_name, test from overlay_donations
          where project_id = ${projectId} order by id desc limit ${REMEMBERED_DONATIONS}
        ) shown
        where lower(shown.donor_name) = lower(i.donor_name) and not shown.test
      ) as "isKnownDonor"
    from invoices i where i.id = ${invoiceId}`;
  return texts ? holdReason(rule, texts) : null;
}

/** A held donation after its decision. */
export type DecidedDonation = { projectId: bigint; decision: HeldDecision };

/**
 * Decides about a held donation. One that is shown gets its position in the stream now, so a client that resumes from any position gets
 * it once. The first decision stands and is returned, so it is safe to repeat. Null if the token opens no control page, or the donation is
 * not of its project.
 */
export async function decideHeldDonation(
  tx: TransactionSql,
  token: string,
  heldId: bigint,
  decision: HeldDecision,
): Promise<DecidedDonation | null> {
  const projectId = await lockControl(tx, token);
  if (projectId === null) return null;
  const [held] = await tx<{ decision: HeldDecision | null }[]>`
    select decision from held_donations where id = ${heldId} and project_id = ${projectId} for update`;
  if (!held) return null;
  if (held.decision !== null) return { projectId, decision: held.decision };
  await tx`update held_donations set decision = ${decision}, decided_at = now() where id = ${heldId}`;
  if (decision !== 'dismissed') {
    await showHeldDonation(tx, heldId, decision);
    await countDonations(tx, projectId);
  }
  await tx`update overlay_controls set version = version + 1 where project_id = ${projectId}`;
  await notifyControl(tx, projectId);
  return { projectId, decision };
}

async function showHeldDonation(
  tx: TransactionSql,
  heldId: bigint,
  decision: Exclude<HeldDecision, 'dismissed'>,
): Promise<void> {
  const isTextShown = decision === 'approved';
  await tx`
    insert into overlay_donations
      (project_id, invoice_id, txid, public_id, currency, amount, donor_name, donor_message, confirmed_at, approved_at,
      fiat_currency, fiat_rate)
    select project_id, invoice_id, txid, public_id, currency, amount, case when ${isTextShown} then donor_name end,
      case when ${isTextShown} then donor_message end, confirmed_at, now(), fiat_currency, fiat_rate
    from held_donations where id = ${heldId}
    on conflict (invoice_id, txid) do nothing`;
}
