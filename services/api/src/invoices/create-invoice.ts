import type { CreateInvoiceBody } from '@paywatch/domain/contract';
import { buildOwnerView, confirmationsRequired } from '@paywatch/domain/invoices';
import { sha256 } from '@paywatch/runtime/security';
import type { InvoiceCreator, NewInvoice } from '@paywatch/store/invoices';
import type { Credential } from '@paywatch/store/redis';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler, OperationInput } from '../operation-handler.ts';
import { assertCurrencyOffered } from '../offered-currency.ts';
import { invoiceOf } from './creation-outcome.ts';

const DEFAULT_TTL_SECONDS = { order: 3600, donation: 1800 } as const;

/** Creates an invoice, or returns the one that the same order_id or Idempotency-Key created before. */
export function createInvoice({
  config,
  createInvoice: create,
}: Dependencies): OperationHandler<'createInvoice'> {
  return async (input) => {
    assertCurrencyOffered(config, input.body.currency);
    const created = invoiceOf(await create(newInvoice(config, input)));
    const body = buildOwnerView(created.invoice);
    if (created.isNew) return { status: 201, body };
    const mismatch = created.isSameRequest ? {} : { 'Idempotency-Mismatch': 'true' };
    return { status: 200, body, headers: { 'Idempotent-Replayed': 'true', ...mismatch } };
  };
}

function newInvoice(
  config: ApiConfig,
  { caller, headers, body, context }: OperationInput<'createInvoice'>,
): NewInvoice {
  const { type, currency, expected_amount: expectedAmount } = body;
  return {
    projectId: caller.projectId,
    creator: creatorOf(caller),
    type,
    currency,
    expectedAmount,
    confirmationsRequired: confirmationsRequired(config.confirmations, type, currency, expectedAmount),
    orderId: body.order_id,
    donorName: body.donor_name,
    donorMessage: body.donor_message,
    returnUrl: body.return_url,
    ttlSeconds: body.ttl_seconds ?? DEFAULT_TTL_SECONDS[type],
    requestHash: requestHash(body),
    idempotencyKey: headers['Idempotency-Key'] ?? null,
    requestId: context.id,
  };
}

function creatorOf(caller: Credential): InvoiceCreator {
  if (caller.kind === 'api_key') return { kind: 'api_key', apiKeyId: caller.apiKeyId };
  return { kind: 'session', tokenHash: caller.tokenHash };
}

/** Identifies repeated requests. The order of fields does not matter, and a null field counts as absent. */
function requestHash(body: CreateInvoiceBody): Uint8Array {
  const fields = Object.entries(body).filter(([, value]) => value !== null);
  const sorted = fields
    .map(([name, value]) => [name, String(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted));
}
