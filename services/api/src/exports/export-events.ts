import type { EventView, ExportEventsQuery } from '@paywatch/domain/contract';
import { listEvents } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import { endpointKeyOf } from '../events/endpoint-key.ts';
import { eventView } from '../events/event-view.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { streamFile } from './stream-file.ts';
import { tableFile, type Columns } from './table-file.ts';

/** Streams the events of a project as a file. */
export function exportEvents({ store }: Dependencies): StreamHandler<'exportEvents'> {
  return async ({ caller: { projectId }, query }, _request, response) => {
    const pages = readEvents(store, projectId, query);
    await streamFile(response, {
      name: 'paywatch-events',
      ...tableFile(query.format, EVENT_COLUMNS),
      pages,
    });
  };
}

const EVENT_COLUMNS: Columns<EventView> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  created_at: ({ created_at: createdAt }) => createdAt,
  public_id: ({ public_id: publicId }) => publicId,
  test: ({ test }) => test,
  delivery_status: ({ delivery }) => delivery.status,
  attempt_count: ({ delivery }) => delivery.attempt_count,
  next_attempt_at: ({ delivery }) => delivery.next_attempt_at,
  delivered_at: ({ delivery }) => delivery.delivered_at,
};

/** Events read at once. */
const PAGE = 500;

/** Throws AppError `endpoint_not_found` at the first page. */
async function* readEvents(
  store: Dependencies['store'],
  projectId: bigint,
  { type, public_id: invoicePublicId, endpoint_id: endpointId }: ExportEventsQuery,
): AsyncGenerator<readonly EventView[]> {
  const endpointKey = await endpointKeyOf({ store }, projectId, endpointId);
  const filter = { type, invoicePublicId, endpointKey, limit: PAGE };
  for (let before: bigint | undefined; ;) {
    const events = await listEvents(store, projectId, { ...filter, before });
    yield events.map(eventView);
    before = events.at(-1)?.id;
    if (events.length < PAGE) return;
  }
}
