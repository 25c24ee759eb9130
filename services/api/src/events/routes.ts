import { AppError } from '@paywatch/domain/requests';
import { byCredential } from '@paywatch/store/accounts';
import { getEvent, listEvents, redeliverEvent, type Redelivery } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { eventDetailView, eventView } from './event-view.ts';
import { readEvent } from './read-event.ts';

/** What was reported about a project's invoices, and how its delivery went. */
export function bindEvents(operations: OperationRouter, { store }: Dependencies): void {
  operations.handle({
    listEvents: async ({ caller: { projectId }, query }) => {
      const { limit, cursor, type, public_id: invoicePublicId } = query;
      // The cursor is the public id of the last event shown: the counter behind it is nobody's business.
      const last = cursor === undefined ? null : await getEvent(store, projectId, cursor);
      if (cursor !== undefined && last === null) throw unknownCursor();
      const page = { limit: limit + 1, before: last?.id, type, invoicePublicId };
      const events = await store.readLists((from) => listEvents(from, projectId, page));
      return { status: 200, body: pageOf(events.map(eventView), limit, (event) => event.id) };
    },

    getEvent: async ({ caller, params }) => {
      const event = await readEvent(store, caller.projectId, params.id);
      return { status: 200, body: eventDetailView(event, caller) };
    },

    redeliverEvent: async ({ caller, params, context }) => {
      const { projectId } = caller;
      assertScheduled(await redeliverEvent(store, byCredential(caller), projectId, params.id, context.id));
      return { status: 202, body: eventView(await readEvent(store, projectId, params.id)) };
    },
  });
}

function assertScheduled(redelivery: Redelivery): void {
  switch (redelivery) {
    case 'scheduled':
      return;
    case 'event_not_found':
      throw new AppError('event_not_found');
    case 'no_endpoint':
      throw new AppError('webhook_not_configured');
    case 'endpoint_disabled':
      throw new AppError('webhook_disabled');
  }
}
