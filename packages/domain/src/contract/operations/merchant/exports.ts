import { exportEventsQuerySchema, exportInvoicesQuerySchema } from '../../resources/exports.ts';
import type { Operation } from '../operation.ts';

const FILES = ['text/csv', 'application/jsonl'] as const;

/** Downloads of everything that a list shows, of any size. */
export const exportOperations = {
  exportInvoices: {
    method: 'get',
    path: '/v1/exports/invoices',
    tag: 'Invoices',
    summary: 'Download invoices',
    description:
      'All invoices that match, newest first. The connection closes early if something fails, so an incomplete file is not mistaken for a complete one.',
    auth: 'key',
    role: 'accountant',
    scope: 'invoices:read',
    rateLimits: ['api_key', 'export'],
    query: exportInvoicesQuerySchema,
    responses: { 200: { description: 'The file.', files: FILES } },
    errors: ['validation_error'],
  },
  exportPayments: {
    method: 'get',
    path: '/v1/exports/payments',
    tag: 'Invoices',
    summary: 'Download payments',
    description:
      'A line for each payment of the invoices that match, with the invoice and a link to an explorer.',
    auth: 'key',
    role: 'accountant',
    scope: 'invoices:read',
    rateLimits: ['api_key', 'export'],
    query: exportInvoicesQuerySchema,
    responses: { 200: { description: 'The file.', files: FILES } },
    errors: ['validation_error'],
  },
  exportEvents: {
    method: 'get',
    path: '/v1/exports/events',
    tag: 'Events',
    summary: 'Download events',
    description: 'All events that match, newest first, with the state of their delivery.',
    auth: 'key',
    role: 'accountant',
    scope: 'events:read',
    rateLimits: ['api_key', 'export'],
    query: exportEventsQuerySchema,
    responses: { 200: { description: 'The file.', files: FILES } },
    errors: ['validation_error', 'endpoint_not_found'],
  },
} as const satisfies Record<string, Operation>;
