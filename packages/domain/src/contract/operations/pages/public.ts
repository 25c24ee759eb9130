import {
  createDonationBodySchema,
  donateParamsSchema,
  donationLinkInfoSchema,
  newDonationViewSchema,
} from '../../resources/donations/donations.ts';
import { feeParamsSchema, feeViewSchema } from '../../resources/fees.ts';
import { invoiceParamsSchema, publicInvoiceViewSchema } from '../../resources/invoices/invoices.ts';
import { overlayDonationSchema, overlayParamsSchema } from '../../resources/donations/overlay.ts';
import {
  overlaySettingsSchema,
  updateOverlaySettingsBodySchema,
} from '../../resources/donations/overlay-settings.ts';
import { exchangeRateViewSchema, rateParamsSchema, rateQuerySchema } from '../../resources/rates.ts';
import {
  overlaySourcesSchema,
  updateOverlaySourcesBodySchema,
} from '../../resources/donations/overlay-sources.ts';
import { serviceStatusSchema } from '../../resources/service-status.ts';
import { overlayStreamQuerySchema, streamHeadersSchema } from '../../resources/streams.ts';
import type { Operation } from '../operation.ts';

/** What payers, donors and overlays call without credentials, and the settings and the test of the overlay. */
export const publicOperations = {
  getPublicInvoice: {
    method: 'get',
    path: '/v1/public/invoices/{publicId}',
    tag: 'Public',
    summary: 'Read an invoice as its payer',
    auth: 'none',
    rateLimits: ['public_read'],
    params: invoiceParamsSchema,
    unknownParam: 'invoice_not_found',
    responses: { 200: { description: 'The invoice as the payer sees it.', schema: publicInvoiceViewSchema } },
    errors: [],
  },
  streamPublicInvoice: {
    method: 'get',
    path: '/v1/public/invoices/{publicId}/events',
    tag: 'Streams',
    summary: 'Follow an invoice',
    description:
      'Sends `event: status` on connect and after every change; `id:` is the version of the invoice. With Last-Event-ID equal to the current version nothing is repeated. The stream ends up to 10 minutes after an outcome.',
    auth: 'none',
    rateLimits: ['public_read', 'stream'],
    params: invoiceParamsSchema,
    unknownParam: 'invoice_not_found',
    headers: streamHeadersSchema,
    responses: {
      200: { description: 'The stream.' },
      204: {
        description: 'The invoice is finished and Last-Event-ID is its last version: do not reconnect.',
      },
    },
    stream: { event: 'status', data: publicInvoiceViewSchema },
    errors: [],
  },
  getDonationLink: {
    method: 'get',
    path: '/v1/public/donate/{token}',
    tag: 'Public',
    summary: 'Read a donation link',
    auth: 'none',
    rateLimits: ['public_read'],
    params: donateParamsSchema,
    unknownParam: 'not_found',
    responses: { 200: { description: 'What a donation form needs.', schema: donationLinkInfoSchema } },
    errors: [],
  },
  createDonation: {
    method: 'post',
    path: '/v1/public/donate/{token}',
    tag: 'Public',
    summary: 'Start a donation',
    description:
      'Any amount above zero confirms it, whatever `amount` asked for. An address is issued at once; it goes back unless the payment page, the public view or its stream is read within two minutes. One network may hold a quarter of the addresses that donations may hold (429). While less than half of them are left, `proof_of_work` is needed. A page of another origin cannot send this from a browser (403).',
    auth: 'none',
    isSameOriginOnly: true,
    rateLimits: ['donation_creation'],
    params: donateParamsSchema,
    unknownParam: 'not_found',
    body: createDonationBodySchema,
    responses: {
      201: { description: 'The donation, with its payment page.', schema: newDonationViewSchema },
    },
    errors: [
      'forbidden',
      'subscription_inactive',
      'wallet_not_verified',
      'proof_of_work_required',
      'address_pool_busy',
      'rate_unavailable',
    ],
  },
  getFeeEstimate: {
    method: 'get',
    path: '/v1/public/fee/{currency}',
    tag: 'Public',
    summary: 'Estimate the network fee',
    auth: 'none',
    rateLimits: ['public_read'],
    params: feeParamsSchema,
    responses: { 200: { description: 'The estimate.', schema: feeViewSchema } },
    errors: ['validation_error', 'fee_unavailable'],
  },
  getExchangeRate: {
    method: 'get',
    path: '/v1/public/rates/{currency}',
    tag: 'Public',
    summary: 'Read an exchange rate',
    description:
      'The rate that an order priced in this currency would get now: the median of several markets. At most two minutes old.',
    auth: 'none',
    rateLimits: ['public_read'],
    params: rateParamsSchema,
    query: rateQuerySchema,
    responses: { 200: { description: 'The rate.', schema: exchangeRateViewSchema } },
    errors: ['validation_error', 'rate_unavailable'],
  },
  getServiceStatus: {
    method: 'get',
    path: '/v1/public/status',
    tag: 'Public',
    summary: 'Read the status of the service',
    description: 'What the page /status shows. At most five seconds old.',
    auth: 'none',
    rateLimits: ['public_read'],
    responses: { 200: { description: 'The status.', schema: serviceStatusSchema } },
    errors: [],
  },
  streamOverlay: {
    method: 'get',
    path: '/v1/public/overlay/{token}/events',
    tag: 'Streams',
    summary: 'Follow the confirmed donations of a project',
    description:
      'Sends `event: donation` for each confirmed transaction of a donation. With Last-Event-ID or last_event_id the donations missed since are sent first, none twice; with neither, only new ones. The header wins over the query. `include=settings` adds `event: settings`, whose data is `OverlaySettings`, and `event: control`, what moderators want: both have no `id:` and do not change the position. `include=latest` adds them, too, and without a position it begins with the newest five donations that are no tests and not below the minimum. `include=summary` sends no donations but their sums: `event: summary`, whose data is `OverlaySummary`, on connect and after every change, and `event: settings`.',
    auth: 'none',
    rateLimits: ['public_read', 'stream'],
    params: overlayParamsSchema,
    unknownParam: 'not_found',
    headers: streamHeadersSchema,
    query: overlayStreamQuerySchema,
    responses: { 200: { description: 'The stream.' } },
    stream: { event: 'donation', data: overlayDonationSchema },
    errors: [],
  },
  getOverlaySettings: {
    method: 'get',
    path: '/v1/overlay/settings',
    tag: 'Project',
    summary: 'Read the settings of the overlay',
    auth: 'bearer',
    role: 'accountant',
    rateLimits: ['account'],
    responses: { 200: { description: 'The settings.', schema: overlaySettingsSchema } },
    errors: [],
  },
  updateOverlaySettings: {
    method: 'patch',
    path: '/v1/overlay/settings',
    tag: 'Project',
    summary: 'Change the settings of the overlay',
    description:
      'What is left out stays as it is. Open overlays apply the change within a second; parameters in the URL of an overlay take precedence.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    body: updateOverlaySettingsBodySchema,
    responses: { 200: { description: 'The settings as they are now.', schema: overlaySettingsSchema } },
    errors: [],
  },
  getOverlaySources: {
    method: 'get',
    path: '/v1/overlay/sources',
    tag: 'Project',
    summary: 'Read the goal and the counter of the overlay',
    auth: 'bearer',
    role: 'accountant',
    rateLimits: ['account'],
    responses: { 200: { description: 'The goal and the counter.', schema: overlaySourcesSchema } },
    errors: [],
  },
  updateOverlaySources: {
    method: 'patch',
    path: '/v1/overlay/sources',
    tag: 'Project',
    summary: 'Change the goal and the counter of the overlay',
    description:
      'What is left out stays as it is; a goal is replaced as a whole. Open overlays show the change within a second.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    body: updateOverlaySourcesBodySchema,
    responses: {
      200: { description: 'The goal and the counter as they are now.', schema: overlaySourcesSchema },
    },
    errors: [],
  },
  testOverlay: {
    method: 'post',
    path: '/v1/overlay/test',
    tag: 'Project',
    summary: 'Show a test donation on the overlay',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    responses: {
      202: {
        description: 'The donation that the overlay shows, `test: true`.',
        schema: overlayDonationSchema,
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
