import { AppError } from '@paywatch/domain/requests';
import { findEndpoint, type EndpointOverview } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endpointView } from './endpoint-view.ts';

/** One webhook endpoint with the state of its deliveries. */
export function getWebhookEndpoint({ store }: Dependencies): OperationHandler<'getWebhookEndpoint'> {
  return async ({ caller, params }) => {
    const endpoint = await findEndpoint(store, caller.projectId, params.endpointId);
    return { status: 200, body: endpointView(existing(endpoint)) };
  };
}

/** Throws AppError `endpoint_not_found` for null. */
export function existing(endpoint: EndpointOverview | null): EndpointOverview {
  if (endpoint === null) throw new AppError('endpoint_not_found');
  return endpoint;
}
