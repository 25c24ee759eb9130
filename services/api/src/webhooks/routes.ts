import type { Dependencies } from '../dependencies.ts';
import { eventView } from '../events/event-view.ts';
import { readEvent } from '../events/read-event.ts';
import type { OperationRouter } from '../operation-router.ts';
import { sendTestEvent } from './send-test-event.ts';
import { setWebhook } from './set-webhook.ts';

/** Where a project's events go. */
export function bindWebhooks(operations: OperationRouter, dependencies: Dependencies): void {
  operations.handle({
    setWebhook: async ({ caller, body }) => {
      const { url, secret, createdAt } = await setWebhook(dependencies, caller, body.url);
      return { status: 201, body: { url, secret, created_at: createdAt.toISOString() } };
    },

    testWebhook: async ({ caller, body, context }) => {
      const publicId = await sendTestEvent(dependencies, caller, body.type, context.id);
      const event = await readEvent(dependencies.store, caller.projectId, publicId);
      return { status: 202, body: eventView(event) };
    },
  });
}
