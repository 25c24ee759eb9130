import { byRecentProof } from '@paywatch/store/accounts';
import { deleteEndpoint } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endpointView } from './endpoint-view.ts';
import { existing } from './get-webhook-endpoint.ts';

/** Deletes a webhook endpoint. Nothing more is sent to it. */
export function deleteWebhookEndpoint({ store }: Dependencies): OperationHandler<'deleteWebhookEndpoint'> {
  return async ({ caller, params, context }) => {
    const name = { projectId: caller.projectId, publicId: params.endpointId };
    const deleted = await deleteEndpoint(store, byRecentProof(caller, context.address), name);
    return { status: 200, body: endpointView(existing(deleted)) };
  };
}
