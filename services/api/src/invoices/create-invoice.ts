import { parseFiat, type CreateInvoiceBody } from '@paywatch/domain/contract';
import { buildOwnerView, confirmationsRequired } from '@paywatch/domain/invoices';
import { AppError } from '@paywatch/domain/requests';
import { sha256 } from '@paywatch/runtime/security';
import type { CreationOutcome, InvoiceCreator, NewInvoice } from '@paywatch/store/invoices';
import type { Credential } from '@paywatch/store/redis';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler, OperationInput } from '../operation-handler.ts';
import { assertCurrencyOffered } from '../offered-currency.ts';
import { invoiceOf } from './creation-outcome.ts';
import { orderDetails } from './order-details.ts';
import { PRICED_TTL_SECONDS, priceInvoice, type PricedBody } from './price-invoice.ts';

const DEFAULT_TTL_SECONDS = { order: 3600, donation: 1800 } as const;

/** Creates an invoice, or returns the one that the same order_id or Idempotency-Key created before. */
export function createInvoice(dependencies: Dependencies): OperationHandler<'createInvoice'> {
  const { config, createInvoice: create } = dependencies;
  return async (input) => {
    assertCurrencyOffered(config, input.body.currency);
    const { price } = input.body;
    const outcome =
      price === null
        ? await create(newInvoice(config, input))
        : await createPriced(dependencies, input, { ...input.body, price });
    const created = invoiceOf(outcome);
    const body = buildOwnerView(created.invoice);
    if (created.isNew) return { status: 201, body };
    const mismatch = created.isSameRequest ? {} : { 'Idempotency-Mismatch': 'true' };
    return { status: 200, body, headers: { 'Idempotent-Replayed': 'true', ...mismatch } };
  };
}

/** Without a rate only a repeat is answered, with the rate of its first request. */
async function createPriced(
  dependencies: Dependencies,
  input: OperationInput<'createInvoice'>,
  body: PricedBody,
): Promise<CreationOutcome> {
  const { config, createInvoice: create } = dependencies;
  const priced = await priceInvoice(dependencies, input.caller.projectId, body);
  if (!(priced instanceof AppError)) {
    const invoice = newInvoice(config, input, priced.expectedAmount);
    return create({ ...invoice, price: priced.price });
  }
  const outcome = await create({ ...newInvoice(config, input), isReplayOnly: true });
  if (outcome.kind === 'not_repeated') throw priced;
  return outcome;
}

function newInvoice(
  config: ApiConfig,
  { caller, headers, body, context }: OperationInput<'createInvoice'>,
  expectedAmount: bigint | null = body.expected_amount,
): NewInvoice {
  const { type, currency } = body;
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
    ...orderDetails(body),
    ttlSeconds: body.ttl_seconds ?? (body.price ? PRICED_TTL_SECONDS : DEFAULT_TTL_SECONDS[type]),
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
  // With all decimals, like the price.
  const lines = body.lines && [...(orderDetails(body).details?.lines ?? [])];
  const fields = Object.entries({ ...body, lines }).filter(([, value]) => value !== null);
  const sorted = fields
    .map(([name, value]) => [name, hashedText(value)])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted));
}

function hashedText(value: CreateInvoiceBody[keyof CreateInvoiceBody]): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'object' && value !== null ? priceText(value) : String(value);
}

/** `20` and `20.00` are the same price. */
function priceText({ amount, currency }: PricedBody['price']): string {
  return `${parseFiat(amount, currency)} ${currency}`;
}
