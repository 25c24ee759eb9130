import type { WebhookEndpointView } from '../../../resources/webhooks/webhook-endpoints.ts';
import type { OperationExample } from '../operation-example.ts';

/** A second endpoint, which no event was sent to yet. */
const endpoint: WebhookEndpointView = {
  id: 'we_6Rk2vTqWm9XcDz4LhYbNpA',
  first: false,
  url: 'https://accounting.example/paywatch',
  description: 'Accounting',
  event_types: ['invoice.confirmed', 'invoice.late_payment'],
  status: 'untested',
  failing_since: null,
  last_error: null,
  next_attempt_at: null,
  created_at: '2026-11-20T09:20:00.000Z',
};

const first: WebhookEndpointView = {
  ...endpoint,
  id: 'we_3Fd8sKjQw5ZxVn2MtRcPyB',
  first: true,
  url: 'https://shop.example/webhooks/paywatch',
  description: null,
  event_types: null,
  status: 'healthy',
  created_at: '2026-11-01T09:20:00.000Z',
};

/** Examples for the webhook endpoints of a project. */
export const webhookEndpointExamples = {
  createWebhookEndpoint: {
    request: { url: endpoint.url, description: 'Accounting', event_types: endpoint.event_types },
    response: { ...endpoint, secret: 'whsec_<base64>' },
  },
  listWebhookEndpoints: { response: { data: [first, endpoint] } },
  getWebhookEndpoint: { response: endpoint },
  updateWebhookEndpoint: {
    request: { disabled: true },
    response: { ...endpoint, status: 'disabled' },
  },
  deleteWebhookEndpoint: { response: { ...endpoint, status: 'disabled' } },
  replayWebhookEvents: {
    request: { from: '2026-11-19T00:00:00Z' },
    response: { scheduled: 1, waiting: 1, next_cursor: 'evt_4GqYw9TtC2sLx6DnKa8ZhM' },
  },
  rotateWebhookSecret: { response: { ...endpoint, secret: 'whsec_<base64>' } },
} as const satisfies Record<string, OperationExample>;
