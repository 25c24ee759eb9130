import type { components, operations } from './generated/openapi.ts';

/** Every named schema of the OpenAPI document. */
export type Schemas = components['schemas'];

/** The name of an operation in the OpenAPI document: `createInvoice`. */
export type OperationId = keyof operations;

/** An invoice as its owner sees it. */
export type Invoice = Schemas['Invoice'];
/** An invoice as the payer sees it. */
export type PublicInvoice = Schemas['PublicInvoice'];
/** One output that pays the address of an invoice. */
export type Payment = Schemas['Payment'];
/** Money that came to the wallet and belongs to no invoice. */
export type UnassignedPayment = Schemas['UnassignedPayment'];
/** The states of an invoice. */
export type InvoiceStatus = Schemas['InvoiceStatus'];
/** BTC or LTC. */
export type Currency = Schemas['Currency'];
/** An event as Paywatch delivers it. Deduplicate by `id`, and order by `data.invoice.version`. */
export type WebhookEvent = Schemas['EventBody'];
/** An event as it is listed, with the state of its delivery. */
export type Event = Schemas['Event'];
/** An event with its body and every attempt to deliver it. */
export type EventDetail = Schemas['EventDetail'];
/** One confirmed transaction of a donation, as an overlay shows it. */
export type OverlayDonation = Schemas['OverlayDonation'];
/** A key as it is listed; its secret is shown at its creation alone. */
export type ApiKey = Schemas['ApiKey'];
/** What a problem answer names as its reason. */
export type ErrorCode = Schemas['Problem']['code'];
/** One invalid field of a request. */
export type FieldError = Schemas['FieldError'];

/** The body that an operation takes; undefined is among it where it may be left out. */
export type BodyOf<Id extends OperationId> = operations[Id]['requestBody'] extends infer Request
  ? Request extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : never;

/** The query parameters that an operation takes. */
export type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** The body that an operation answers with. */
export type AnswerOf<Id extends OperationId> = JsonOf<
  operations[Id]['responses'][keyof operations[Id]['responses']]
>;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

/** The one parameter in the path of an operation. */
export type ParameterOf<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Path }
  ? Path[keyof Path]
  : never;
