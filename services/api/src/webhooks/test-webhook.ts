import { AppError } from '@paywatch/domain/requests';
import { buildEventBody } from '@paywatch/domain/webhooks';
import type { EventType } from '@paywatch/domain/contract';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { inTransaction } from '@paywatch/store/postgres';
import type { Credential } from '@paywatch/store/redis';
import { getWebhookEndpoint, insertEvent } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { eventView } from '../events/event-view.ts';
import { readEvent } from '../events/get-event.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { testInvoice, testInvoiceId } from './test-invoice.ts';

/** Sends a test event to the project's endpoint, in the same way as a real one. */
export function testWebhook(dependencies: Dependencies): OperationHandler<'testWebhook'> {
  return async ({ caller, body, context }) => {
    await assertEndpoint(dependencies, caller.projectId);
    const eventId = await insertTestEvent(dependencies, caller, body.type, context);
    const event = await readEvent(dependencies.store, caller.projectId, eventId);
    return { status: 202, body: eventView(event) };
  };
}

async function assertEndpoint({ store }: Dependencies, projectId: bigint): Promise<void> {
  const endpoint = await getWebhookEndpoint(store, projectId);
  if (endpoint === null) throw new AppError('webhook_not_configured');
  if (endpoint.status === 'disabled') throw new AppError('webhook_disabled');
}

/** Inserts an event about an invoice that does not exist. Returns the id of the event. */
async function insertTestEvent(
  { store, clock, config }: Dependencies,
  caller: Credential,
  type: EventType,
  { id: requestId, address }: RequestContext,
): Promise<string> {
  const { projectId } = caller;
  const createdAtMs = clock.nowMs();
  const eventId = publicId('evt_', secureRandomBytes(16));
  const test = testInvoice(type, testInvoiceId(eventId), config.publicUrl, createdAtMs);
  const body = buildEventBody({ id: eventId, type, createdAtMs, isTest: true, ...test });
  const txid = type === 'invoice.late_payment' ? (test.payments[0]?.txid ?? null) : null;
  await inTransaction(store, async (tx) => {
    await byCredential(caller, address)(tx);
    await insertEvent(tx, { publicId: eventId, projectId, invoiceId: null, type, txid, body, requestId });
  });
  return eventId;
}
