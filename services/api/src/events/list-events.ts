import { getEvent, listEvents as list } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { endpointKeyOf } from './endpoint-key.ts';
import { eventView } from './event-view.ts';

/** The events of a project with the state of their delivery, newest first. */
export function listEvents({ store }: Dependencies): OperationHandler<'listEvents'> {
  return async ({ caller: { projectId }, query }) => {
    const { limit, cursor, type, public_id: invoicePublicId, endpoint_id: endpointId } = query;
    // The cursor is the public id of the last event: the internal id would show how many events there are.
    const last = cursor === undefined ? null : await getEvent(store, projectId, cursor);
    if (cursor !== undefined && last === null) throw unknownCursor();
    const endpointKey = await endpointKeyOf({ store }, projectId, endpointId);
    const page = { limit: limit + 1, before: last?.id, type, invoicePublicId, endpointKey };
    const events = await store.readLists((from) => list(from, projectId, page));
    return { status: 200, body: pageOf(events.map(eventView), limit, (event) => event.id) };
  };
}
