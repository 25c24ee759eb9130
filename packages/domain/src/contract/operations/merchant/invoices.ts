import {
  createInvoiceBodySchema,
  createInvoiceHeadersSchema,
} from '../../resources/invoices/create-invoice.ts';
import {
  invoiceListSchema,
  invoiceParamsSchema,
  invoiceViewSchema,
  listInvoicesQuerySchema,
} from '../../resources/invoices/invoices.ts';
import { statsViewSchema } from '../../resources/stats.ts';
import type { Operation } from '../operation.ts';

/** Invoices as their owner works with them, and the statistics over them. */
export const invoiceOperations = {
  createInvoice: {
    method: 'post',
    path: '/v1/invoices',
    tag: 'Invoices',
    summary: 'Create an invoice',
    description:
      'Repeating a call with the same order_id or Idempotency-Key answers the existing invoice with 200, even when the subscription has ended or no address is free. Checks run in this order: credentials, body, repeat, subscription, wallet, exchange rate, address pool.',
    auth: 'key',
    role: 'manager',
    scope: 'invoices:write',
    rateLimits: ['api_key'],
    headers: createInvoiceHeadersSchema,
    body: createInvoiceBodySchema,
    responses: {
      200: {
        description: 'The existing invoice.',
        schema: invoiceViewSchema,
        headers: ['Idempotent-Replayed', 'Idempotency-Mismatch'],
      },
      201: { description: 'The new invoice.', schema: invoiceViewSchema },
    },
    errors: [
      'idempotency_conflict',
      'subscription_inactive',
      'wallet_not_verified',
      'rate_unavailable',
      'address_pool_busy',
    ],
  },
  listInvoices: {
    method: 'get',
    path: '/v1/invoices',
    tag: 'Invoices',
    summary: 'List invoices',
    auth: 'key',
    role: 'support',
    scope: 'invoices:read',
    rateLimits: ['api_key'],
    query: listInvoicesQuerySchema,
    responses: { 200: { description: 'A page of invoices, newest first.', schema: invoiceListSchema } },
    errors: ['validation_error'],
  },
  getInvoice: {
    method: 'get',
    path: '/v1/invoices/{publicId}',
    tag: 'Invoices',
    summary: 'Read an invoice',
    auth: 'key',
    role: 'support',
    scope: 'invoices:read',
    rateLimits: ['api_key'],
    params: invoiceParamsSchema,
    unknownParam: 'invoice_not_found',
    responses: { 200: { description: 'The invoice.', schema: invoiceViewSchema } },
    errors: [],
  },
  extendInvoice: {
    method: 'post',
    path: '/v1/invoices/{publicId}/extend',
    tag: 'Invoices',
    summary: 'Extend an invoice by 15 minutes',
    description: 'Once for each invoice, while it is new or pending.',
    auth: 'key',
    role: 'manager',
    scope: 'invoices:write',
    rateLimits: ['api_key'],
    params: invoiceParamsSchema,
    unknownParam: 'invoice_not_found',
    responses: { 200: { description: 'The extended invoice.', schema: invoiceViewSchema } },
    errors: ['already_extended', 'invoice_not_extendable'],
  },
  getStats: {
    method: 'get',
    path: '/v1/stats',
    tag: 'Statistics',
    summary: 'Read the statistics of the project',
    auth: 'key',
    role: 'accountant',
    scope: 'stats:read',
    rateLimits: ['api_key'],
    responses: { 200: { description: 'The statistics.', schema: statsViewSchema } },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
