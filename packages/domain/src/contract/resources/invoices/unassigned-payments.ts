import { z } from 'zod';
import { listOf } from '../../fields/lists.ts';
import { paidAmountSchema, currencySchema, hashSchema, timestampSchema } from '../../fields/primitives.ts';

/** Money that came to an address of the project's wallet and belongs to no invoice. */
export const unassignedPaymentViewSchema = z
  .object({
    currency: currencySchema,
    txid: hashSchema,
    vout: z.int().min(0),
    address: z.string(),
    address_index: z.int().min(0),
    amount: paidAmountSchema,
    status: z.enum(['unconfirmed', 'confirmed', 'void']).meta({
      description: 'confirmed: a block of the best chain holds it; void: a conflicting transaction was seen.',
    }),
    confirmations: z.int().min(0),
    block_height: z.int().nullable(),
    block_hash: hashSchema.nullable(),
    first_seen_at: timestampSchema,
  })
  .meta({ id: 'UnassignedPayment' });
export type UnassignedPaymentView = z.infer<typeof unassignedPaymentViewSchema>;

/** GET /v1/unassigned-payments */
export const unassignedPaymentListSchema = listOf(unassignedPaymentViewSchema, 'UnassignedPaymentList');
export type UnassignedPaymentList = z.infer<typeof unassignedPaymentListSchema>;
