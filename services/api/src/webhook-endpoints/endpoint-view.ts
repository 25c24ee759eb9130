import { eventTypeSchema, type WebhookEndpointView } from '@paywatch/domain/contract';
import type { EndpointOverview } from '@paywatch/store/webhooks';

/** An endpoint without its secret. */
export function endpointView(endpoint: EndpointOverview): WebhookEndpointView {
  return {
    id: endpoint.publicId,
    first: endpoint.isFirst,
    url: endpoint.url,
    description: endpoint.description === '' ? null : endpoint.description,
    event_types: endpoint.eventTypes && eventTypeSchema.array().parse(endpoint.eventTypes),
    status: endpoint.status === 'healthy' && !endpoint.isTried ? 'untested' : endpoint.status,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    last_error: endpoint.lastError,
    next_attempt_at: endpoint.nextAttemptAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}
