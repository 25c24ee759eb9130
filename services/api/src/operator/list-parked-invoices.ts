import { publicIdSchema } from '@paywatch/domain/contract';
import { findInvoiceId, listParkedInvoices as list } from '@paywatch/store/invoices';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { parkedInvoiceView } from './parked-invoice-view.ts';

/** The invoices whose status cannot be decided, the oldest invoice first. */
export function listParkedInvoices({ store }: Dependencies): OperationHandler<'listParkedInvoices'> {
  return async ({ query: { limit, cursor } }) => {
    const after = cursor === undefined ? undefined : await requireInvoice(store, cursor);
    const parked = await list(store.sql, limit + 1, after);
    return { status: 200, body: pageOf(parked.map(parkedInvoiceView), limit, ({ public_id: id }) => id) };
  };
}

async function requireInvoice({ sql }: Dependencies['store'], cursor: string): Promise<bigint> {
  const id = publicIdSchema.safeParse(cursor).success ? await findInvoiceId(sql, cursor) : null;
  if (id === null) throw unknownCursor();
  return id;
}
