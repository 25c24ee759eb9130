import { AppError } from '@paywatch/domain/requests';
import { byCredential } from '@paywatch/store/accounts';
import { replayEvents, type ReplayOutcome } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import { invalidField } from '../invalid-field.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Schedules a batch of the events of a time range for one endpoint. */
export function replayWebhookEvents({ store }: Dependencies): OperationHandler<'replayWebhookEvents'> {
  return async ({ caller, params, body, context }) => {
    const outcome = await replayEvents(store, byCredential(caller, context.address), {
      projectId: caller.projectId,
      endpointId: params.endpointId,
      since: new Date(body.from),
      until: body.to === null ? null : new Date(body.to),
      isUndeliveredOnly: body.undelivered_only,
      after: body.cursor,
    });
    const { scheduled, waiting, next } = batchOf(outcome);
    return { status: 202, body: { scheduled, waiting, next_cursor: next } };
  };
}

/** Deliveries leave within seconds, unless the endpoint is slow. */
const BUSY_RETRY_SECONDS = 60;

function batchOf(outcome: ReplayOutcome) {
  switch (outcome.kind) {
    case 'scheduled':
      return outcome.batch;
    case 'endpoint_not_found':
      throw new AppError('endpoint_not_found');
    case 'endpoint_disabled':
      throw new AppError('webhook_disabled');
    case 'unknown_cursor':
      throw invalidField('body.cursor', 'Must be a next_cursor of this replay.');
    case 'busy':
      break;
  }
  throw new AppError('rate_limited', 'Too many deliveries wait for this endpoint. Try again later.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}
