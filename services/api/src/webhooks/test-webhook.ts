import { AppError } from '@paywatch/domain/requests';
import { buildEventBody } from '@paywatch/domain/webhooks';
import type { EventType } from '@paywatch/domain/contract';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import { byCredential } from '@paywatch/store/accounts';
import { inTransaction } from '@paywatch/store/postgres';
import type { Credential } from '@paywatch/store/redis';
import { findReceiver, insertEvent, type EventDetail } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { RequestContext } from '../middleware/request-context.ts';
import { eventView } from '../events/event-view.ts';
import { readEvent } from '../events/get-event.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { testInvoice, testInvoiceId } from './test-invoice.ts';

/** Sends a test event to one of the project's endpoints, in the same way as a real one. */
export function testWebhook(dependencies: Dependencies): OperationHandler<'testWebhook'> {
  return async ({ caller, body, context }) => {
    const endpointKey = await findActive(dependencies, caller.projectId, body.endpoint_id);
    const event = await insertTestEvent(dependencies, caller, { type: body.type, endpointKey }, context);
    return { status: 202, body: eventView(event) };
  };
}

/** The key of the endpoint to send to. */
async function findActive(
  { store }: Dependencies,
  projectId: bigint,
  endpointId: string | null,
): Promise<bigint> {
  const endpoint = await findReceiver(store.sql, projectId, endpointId);
  if (endpoint === null)
    throw new AppError(endpointId === null ? 'webhook_not_configured' : 'endpoint_not_found');
  if (endpoint.status === 'disabled') throw new AppError('webhook_disabled');
  return endpoint.key;
}

/**
 * Inserts an event about an invoice that does not exist. Returns it as inserted: a worker may send it as soon as the transaction
 * is committed.
 */
async function insertTestEvent(
  { store, clock, config }: Dependencies,
  caller: Credential,
  { type, endpointKey }: { type: EventType; endpointKey: bigint },
  { id: requestId, address }: RequestContext,
): Promise<EventDetail> {
  const { projectId } = caller;
  const createdAtMs = clock.nowMs();
  const eventId = publicId('evt_', secureRandomBytes(16));
  const test = testInvoice(type, testInvoiceId(eventId), config.publicUrl, createdAtMs);
  const body = buildEventBody({ id: eventId, type, createdAtMs, isTest: true, ...test });
  const txid = type === 'invoice.late_payment' ? (test.payments[0]?.txid ?? null) : null;
  return inTransaction(store, async (tx) => {
    await byCredential(caller, address)(tx);
    const event = { publicId: eventId, projectId, invoiceId: null, type, txid, body, requestId };
    await insertEvent(tx, { ...event, onlyEndpoint: endpointKey });
    return readEvent({ sql: tx }, projectId, eventId);
  });
}
