import { z } from 'zod';
import { listEventsQuerySchema } from './webhooks/events.ts';
import { invoiceFilterShape, isForwardInTime, TIMES_IN_ORDER } from './invoices/invoices.ts';

const format = z
  .enum(['csv', 'jsonl'])
  .default('csv')
  .meta({ description: 'CSV for spreadsheets, or one JSON object a line.' });

/** GET /v1/exports/invoices and GET /v1/exports/payments: the filters of GET /v1/invoices. */
export const exportInvoicesQuerySchema = z
  .strictObject({ ...invoiceFilterShape, format })
  .refine(isForwardInTime, TIMES_IN_ORDER);
export type ExportInvoicesQuery = z.output<typeof exportInvoicesQuerySchema>;

/** GET /v1/exports/events: the filters of GET /v1/events. */
export const exportEventsQuerySchema = listEventsQuerySchema
  .omit({ limit: true, cursor: true })
  .extend({ format });
export type ExportEventsQuery = z.output<typeof exportEventsQuerySchema>;
