import { AppError } from '@paywatch/domain/requests';
import type { AnySql } from '@paywatch/store/postgres';
import { getEvent as find, type EventDetail } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { eventDetailView } from './event-view.ts';

/** An event with its payload and delivery attempts. */
export function getEvent({ store }: Dependencies): OperationHandler<'getEvent'> {
  return async ({ caller, params }) => {
    const event = await readEvent(store, caller.projectId, params.id);
    return { status: 200, body: eventDetailView(event, caller) };
  };
}

/** Reads an event of a project. Throws AppError `event_not_found`. */
export async function readEvent(store: { sql: AnySql }, projectId: bigint, id: string): Promise<EventDetail> {
  const event = await find(store, projectId, id);
  if (event === null) throw new AppError('event_not_found');
  return event;
}
