import type { UpdateWebhookEndpointBody } from '@paywatch/domain/contract';
import { byRecentProof } from '@paywatch/store/accounts';
import { changeEndpoint, type EndpointChange } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endpointView } from './endpoint-view.ts';
import { existing } from './get-webhook-endpoint.ts';

/** Changes, disables or enables a webhook endpoint. */
export function updateWebhookEndpoint({
  store,
  webhookGuard,
}: Dependencies): OperationHandler<'updateWebhookEndpoint'> {
  return async ({ caller, params, body, context }) => {
    if (body.url !== undefined) await webhookGuard.assertAllowed(body.url);
    const name = { projectId: caller.projectId, publicId: params.endpointId };
    const changed = await changeEndpoint(store, byRecentProof(caller, context.address), name, changeOf(body));
    return { status: 200, body: endpointView(existing(changed)) };
  };
}

/** Absent fields are left out: they stay as they are. */
function changeOf(body: UpdateWebhookEndpointBody): EndpointChange {
  const { url, description, event_types: eventTypes, disabled: isDisabled } = body;
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(eventTypes !== undefined && { eventTypes: eventTypes && [...new Set(eventTypes)] }),
    ...(isDisabled !== undefined && { isDisabled }),
  };
}
