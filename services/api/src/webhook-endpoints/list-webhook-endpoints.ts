import { listEndpoints } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { endpointView } from './endpoint-view.ts';

/** All webhook endpoints of a project. */
export function listWebhookEndpoints({ store }: Dependencies): OperationHandler<'listWebhookEndpoints'> {
  return async ({ caller: { projectId } }) => {
    const endpoints = await store.readLists((from) => listEndpoints(from, projectId));
    return { status: 200, body: { data: endpoints.map(endpointView) } };
  };
}
