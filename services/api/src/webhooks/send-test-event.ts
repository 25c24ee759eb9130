import { AppError } from '@paywatch/domain/requests';
import { buildEventBody } from '@paywatch/domain/webhooks';
import type { EventType } from '@paywatch/domain/contract';
import { randomBase58 } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { inTransaction } from '@paywatch/store/postgres';
import type { Credential } from '@paywatch/store/redis';
import { getWebhookEndpoint, insertEvent } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import { testInvoice } from './test-invoice.ts';

/**
 * Sends an event about an invoice that does not exist, marked as a test, the way real ones are sent. Returns its id.
 * Throws AppError `webhook_not_configured` or `webhook_disabled`.
 */
export async function sendTestEvent(
  { store, clock, config }: Dependencies,
  caller: Credential,
  type: EventType,
  requestId: string,
): Promise<string> {
  const { projectId } = caller;
  const endpoint = await getWebhookEndpoint(store, projectId);
  if (endpoint === null) throw new AppError('webhook_not_configured');
  if (endpoint.status === 'disabled') throw new AppError('webhook_disabled');
  const name = randomBase58(16);
  const createdAtMs = clock.nowMs();
  const publicId = `evt_${name}`;
  const test = testInvoice(type, testInvoiceId(publicId), config.publicUrl, createdAtMs);
  const body = buildEventBody({ id: publicId, type, createdAtMs, isTest: true, ...test });
  const txid = type === 'invoice.late_payment' ? (test.payments[0]?.txid ?? null) : null;
  await inTransaction(store, async (tx) => {
    await byCredential(caller)(tx);
    await insertEvent(tx, { publicId, projectId, invoiceId: null, type, txid, body, requestId });
  });
  return publicId;
}

/** A test event is about no stored invoice: the one that it shows has the event's own digits. */
export function testInvoiceId(eventId: string): string {
  return `inv_${eventId.slice('evt_'.length)}`;
}
