import { buildOwnerView, buildPublicView } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import type { ListInvoicesQuery } from '@paywatch/domain/contract';
import { byCredential } from '@paywatch/store/accounts';
import { showDonations } from '@paywatch/store/donations';
import {
  extendInvoice,
  hasInvoice,
  invoiceCreation,
  listInvoices,
  type InvoiceFilter,
} from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationRouter } from '../operation-router.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { createInvoice } from './create-invoice.ts';
import { creationSettings, REFILL_NOT_ASKED } from './creation-settings.ts';
import { snapshotReader } from './snapshot-reader.ts';

/** Invoices as their owner and their payer see them. */
export function bindInvoices(operations: OperationRouter, { config, store, logger }: Dependencies): void {
  const settings = creationSettings(config);
  const create = invoiceCreation(store, settings, (err) => logger.warn({ err }, REFILL_NOT_ASKED));
  const read = snapshotReader(store, settings);
  operations.handle({
    getPublicInvoice: async ({ params }) => {
      const invoice = await read(params.publicId);
      if (invoice === null) throw new AppError('invoice_not_found');
      return { status: 200, body: buildPublicView(invoice) };
    },

    createInvoice: async ({ caller, headers, body, context }) => {
      const named = { idempotencyKey: headers['Idempotency-Key'], requestId: context.id };
      const created = await createInvoice({ config, create }, caller, body, named);
      const view = buildOwnerView(created.invoice);
      if (created.isNew) return { status: 201, body: view };
      const mismatch = created.isSameRequest ? {} : { 'Idempotency-Mismatch': 'true' };
      return { status: 200, body: view, headers: { 'Idempotent-Replayed': 'true', ...mismatch } };
    },

    listInvoices: async ({ caller: { projectId }, query }) => {
      const { limit, cursor: after = null } = query;
      const page = { limit: limit + 1, after };
      const found = await store.readLists((from) =>
        listInvoices(from, projectId, filterOf(query), page, settings),
      );
      const invoices = await showDonations(store.sql, found, settings);
      if (invoices.length === 0 && after !== null && !(await hasInvoice(store, projectId, after))) {
        throw unknownCursor();
      }
      return { status: 200, body: pageOf(invoices.map(buildOwnerView), limit, (last) => last.public_id) };
    },

    getInvoice: async ({ caller, params }) => {
      const invoice = await read(params.publicId);
      // Another project's invoice is as unknown as none.
      if (invoice?.projectId !== caller.projectId) throw new AppError('invoice_not_found');
      return { status: 200, body: buildOwnerView(invoice) };
    },

    extendInvoice: async ({ caller, params }) => {
      const extension = await extendInvoice(
        store,
        byCredential(caller),
        caller.projectId,
        params.publicId,
        settings,
      );
      if (extension.kind !== 'extended') throw new AppError(extension.kind);
      return { status: 200, body: buildOwnerView(extension.invoice) };
    },
  });
}

function filterOf(query: ListInvoicesQuery): InvoiceFilter {
  return {
    status: query.status ?? null,
    type: query.type ?? null,
    currency: query.currency ?? null,
    orderId: query.order_id ?? null,
    isReversed: query.reversed ?? null,
    createdFromMs: query.created_from ?? null,
    createdToMs: query.created_to ?? null,
  };
}
