import type { components, operations } from './generated/openapi.ts';

/** Every named schema of the OpenAPI document. */
export type Schemas = components['schemas'];

/** The name of an operation in the OpenAPI document: `createInvoice`. */
export type OperationId = keyof operations;

/** An invoice as the merchant sees it. */
export type Invoice = Schemas['Invoice'];
/** An invoice as the payer sees it. */
export type PublicInvoice = Schemas['PublicInvoice'];
/** One output that pays the address of an invoice. */
export type Payment = Schemas['Payment'];
/** A payment to the wallet that belongs to no invoice. */
export type UnassignedPayment = Schemas['UnassignedPayment'];
/** The status of an invoice. */
export type InvoiceStatus = Schemas['InvoiceStatus'];
/** BTC or LTC. */
export type Currency = Schemas['Currency'];
/** The payload of a webhook. Deduplicate by `id`, and order by `data.invoice.version`. */
export type WebhookEvent = Schemas['EventBody'];
/** An event with its delivery status. */
export type Event = Schemas['Event'];
/** An event with its payload and delivery attempts. */
export type EventDetail = Schemas['EventDetail'];
/** A confirmed transaction of a donation, as the overlay shows it. */
export type OverlayDonation = Schemas['OverlayDonation'];
/** An API key without its token, which only the creation returns. */
export type ApiKey = Schemas['ApiKey'];
/** A line of the audit log. */
export type AuditLine = Schemas['AuditLine'];
/** The `code` of an error response. */
export type ErrorCode = Schemas['Problem']['code'];
/** One invalid field of a request. */
export type FieldError = Schemas['FieldError'];

/** The request body of an operation; includes undefined if it is optional. */
export type BodyOf<Id extends OperationId> = operations[Id]['requestBody'] extends infer Request
  ? Request extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : never;

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** The response body of an operation. */
export type AnswerOf<Id extends OperationId> = JsonOf<
  operations[Id]['responses'][keyof operations[Id]['responses']]
>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** The path parameter of an operation. */
export type ParameterOf<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Path }
  ? Path[keyof Path]
  : never;
