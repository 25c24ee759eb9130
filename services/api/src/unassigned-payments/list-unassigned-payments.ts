import type { UnassignedPaymentView } from '@paywatch/domain/contract';
import {
  findUnassignedPosition,
  listUnassignedPayments as list,
  type UnassignedPayment,
} from '@paywatch/store/payments';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';

/** Payments to addresses of the project that belong to no invoice, newest first. */
export function listUnassignedPayments({ store }: Dependencies): OperationHandler<'listUnassignedPayments'> {
  return async ({ caller: { projectId }, query: { limit, cursor } }) => {
    const outpoint = cursor === undefined ? null : parseCursor(cursor);
    const before = outpoint && (await findUnassignedPosition(store, projectId, outpoint));
    if (cursor !== undefined && before === null) throw unknownCursor();
    const page = { limit: limit + 1, before };
    const payments = await store.readLists((from) => list(from, projectId, page));
    return { status: 200, body: pageOf(payments.map(viewOf), limit, cursorOf) };
  };
}

function viewOf(payment: UnassignedPayment): UnassignedPaymentView {
  const { confirmations, isVoid } = payment;
  const isMined = payment.blockHeight !== null;
  return {
    currency: payment.currency,
    txid: payment.txid,
    vout: payment.vout,
    address: payment.address,
    address_index: payment.addressIndex,
    amount: String(payment.amount),
    status: isMined ? 'confirmed' : isVoid ? 'void' : 'unconfirmed',
    confirmations,
    block_height: payment.blockHeight,
    block_hash: payment.blockHash,
    first_seen_at: payment.firstSeenAt.toISOString(),
  };
}

function cursorOf({ txid, vout }: UnassignedPaymentView): string {
  return `${txid}_${vout}`;
}

function parseCursor(cursor: string): { txid: string; vout: number } | null {
  const [, txid, vout] = /^([0-9a-f]{64})_([0-9]{1,9})$/.exec(cursor) ?? [];
  return txid === undefined ? null : { txid, vout: Number(vout) };
}
