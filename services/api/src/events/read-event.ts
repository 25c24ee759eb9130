import { AppError } from '@paywatch/domain/requests';
import type { Store } from '@paywatch/store';
import { getEvent, type EventDetail } from '@paywatch/store/webhooks';

/** An event of the project. Throws AppError `event_not_found`. */
export async function readEvent(store: Store, projectId: bigint, id: string): Promise<EventDetail> {
  const event = await getEvent(store, projectId, id);
  if (event === null) throw new AppError('event_not_found');
  return event;
}
