import { AppError } from '@paywatch/domain/requests';
import { byCredential } from '@paywatch/store/accounts';
import { redeliverEvent as redeliver, type Redelivery } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { eventView } from './event-view.ts';
import { readEvent } from './get-event.ts';

/** Schedules another delivery of an event. */
export function redeliverEvent({ store }: Dependencies): OperationHandler<'redeliverEvent'> {
  return async ({ caller, params, body, context }) => {
    const { projectId } = caller;
    assertScheduled(
      await redeliver(store, byCredential(caller, context.address), projectId, params.id, {
        requestId: context.id,
        endpointId: body.endpoint_id,
      }),
    );
    return { status: 202, body: eventView(await readEvent(store, projectId, params.id)) };
  };
}

function assertScheduled(redelivery: Redelivery): void {
  switch (redelivery) {
    case 'scheduled':
      return;
    case 'event_not_found':
      throw new AppError('event_not_found');
    case 'no_endpoint':
      throw new AppError('webhook_not_configured');
    case 'endpoint_not_found':
      throw new AppError('endpoint_not_found');
    case 'endpoint_disabled':
      throw new AppError('webhook_disabled');
  }
}
