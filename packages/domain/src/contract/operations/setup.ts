import {
  eventDetailSchema,
  eventListSchema,
  eventParamsSchema,
  eventViewSchema,
  listEventsQuerySchema,
  redeliverEventBodySchema,
} from '../resources/webhooks/events.ts';
import {
  createWalletBodySchema,
  updateWalletBodySchema,
  verifyWalletBodySchema,
  walletParamsSchema,
  walletViewSchema,
} from '../resources/wallets.ts';
import { listQuerySchema } from '../lists.ts';
import { unassignedPaymentListSchema } from '../resources/invoices/unassigned-payments.ts';
import {
  newWebhookViewSchema,
  setWebhookBodySchema,
  testWebhookBodySchema,
} from '../resources/webhooks/webhooks.ts';
import type { Operation } from './operation.ts';

/** Wallets, the webhook endpoint and the events sent to it. */
export const setupOperations = {
  createWallet: {
    method: 'post',
    path: '/v1/wallets',
    tag: 'Wallets',
    summary: 'Register the wallet of a currency',
    description:
      'Takes an extended public key, never a private one. A second registration takes over once it is verified and its delay has passed; until then the old wallet serves.',
    auth: 'key',
    scope: 'wallets:write',
    rateLimits: ['api_key', 'project_change'],
    body: createWalletBodySchema,
    responses: { 201: { description: 'The wallet, with the address to compare.', schema: walletViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  verifyWallet: {
    method: 'post',
    path: '/v1/wallets/{currency}/verify',
    tag: 'Wallets',
    summary: 'Verify a wallet with one of its own addresses',
    description:
      'Give an address that your wallet software shows. It proves that key, script type and path are the wallet’s. If the project was paid within the last 30 days, the wallet serves from `effective_at` on: the change is mailed and can be cancelled until then. At most 5 such changes in an hour and 20 in a day. Verifying again is 200.',
    auth: 'key',
    scope: 'wallets:write',
    rateLimits: ['api_key', 'project_change'],
    params: walletParamsSchema,
    body: verifyWalletBodySchema,
    responses: {
      200: {
        description: 'The verified wallet, which serves from `effective_at` on.',
        schema: walletViewSchema,
      },
    },
    errors: ['wallet_not_found', 'address_mismatch', 'reauthentication_required', 'password_required'],
  },
  updateWallet: {
    method: 'patch',
    path: '/v1/wallets/{currency}',
    tag: 'Wallets',
    summary: 'Change the gap limit of a verified wallet',
    description:
      'Raise the gap limit of your own wallet software first, or it may not find every payment. Addresses in use stay in use.',
    auth: 'key',
    scope: 'wallets:write',
    rateLimits: ['api_key', 'project_change'],
    params: walletParamsSchema,
    body: updateWalletBodySchema,
    responses: { 200: { description: 'The changed wallet.', schema: walletViewSchema } },
    errors: ['wallet_not_found', 'reauthentication_required', 'password_required'],
  },
  listUnassignedPayments: {
    method: 'get',
    path: '/v1/unassigned-payments',
    tag: 'Wallets',
    summary: 'List payments that belong to no invoice',
    description:
      'Money that came to an address of your wallet before an invoice held it, for example because the wallet receives for other purposes too. It counts for no invoice and sends no webhook. Projects that share a key: only the one that verified it first sees them.',
    auth: 'key',
    scope: 'invoices:read',
    rateLimits: ['api_key'],
    query: listQuerySchema,
    responses: {
      200: { description: 'A page of payments, newest first.', schema: unassignedPaymentListSchema },
    },
    errors: ['validation_error'],
  },
  setWebhook: {
    method: 'post',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'Set the webhook endpoint',
    description:
      'Replaces url and secret of the project’s first endpoint, or adds it. For 24 hours the Standard Webhooks signature carries the old secret too.',
    auth: 'key',
    scope: 'webhooks:write',
    rateLimits: ['api_key', 'project_change'],
    body: setWebhookBodySchema,
    responses: { 201: { description: 'The endpoint, with its secret.', schema: newWebhookViewSchema } },
    errors: ['reauthentication_required', 'password_required'],
  },
  testWebhook: {
    method: 'post',
    path: '/v1/webhooks/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Sends an event about a made-up invoice, marked `test: true`, through the same delivery as real ones. Read the event to see the outcome. The body may be left out: then it goes to the first endpoint.',
    auth: 'key',
    scope: 'webhooks:write',
    rateLimits: ['api_key', 'project_change'],
    body: testWebhookBodySchema,
    bodyIsOptional: true,
    responses: { 202: { description: 'The event that is being sent.', schema: eventViewSchema } },
    errors: ['endpoint_not_found', 'webhook_not_configured', 'webhook_disabled'],
  },
  listEvents: {
    method: 'get',
    path: '/v1/events',
    tag: 'Events',
    summary: 'List events',
    auth: 'key',
    scope: 'events:read',
    rateLimits: ['api_key'],
    query: listEventsQuerySchema,
    responses: { 200: { description: 'A page of events, newest first.', schema: eventListSchema } },
    errors: ['validation_error', 'endpoint_not_found'],
  },
  getEvent: {
    method: 'get',
    path: '/v1/events/{id}',
    tag: 'Events',
    summary: 'Read an event and its delivery attempts',
    auth: 'key',
    scope: 'events:read',
    rateLimits: ['api_key'],
    params: eventParamsSchema,
    unknownParam: 'event_not_found',
    responses: { 200: { description: 'The event.', schema: eventDetailSchema } },
    errors: [],
  },
  redeliverEvent: {
    method: 'post',
    path: '/v1/events/{id}/redeliver',
    tag: 'Events',
    summary: 'Send an event again',
    description:
      'Sends the same bytes under the same id to the endpoint of today, now, whatever happened before, and starts its retries anew. The body may be left out: then it goes to the first endpoint.',
    auth: 'key',
    scope: 'invoices:write',
    rateLimits: ['api_key', 'redelivery'],
    params: eventParamsSchema,
    unknownParam: 'event_not_found',
    body: redeliverEventBodySchema,
    bodyIsOptional: true,
    responses: { 202: { description: 'The event that is being sent.', schema: eventViewSchema } },
    errors: ['endpoint_not_found', 'webhook_not_configured', 'webhook_disabled'],
  },
} as const satisfies Record<string, Operation>;
