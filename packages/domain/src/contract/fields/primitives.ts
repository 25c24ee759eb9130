import { z } from 'zod';

/** The two currencies. */
export const currencySchema = z.enum(['BTC', 'LTC']).meta({ id: 'Currency' });
export type Currency = z.infer<typeof currencySchema>;

/** The network of a currency; one per currency and deployment. */
export const networkSchema = z.enum(['mainnet', 'testnet', 'regtest']);
export type Network = z.infer<typeof networkSchema>;

/** How addresses are made from the keys of a wallet. */
export const scriptTypeSchema = z.enum(['p2pkh', 'p2sh_p2wpkh', 'p2wpkh']).meta({ id: 'ScriptType' });
export type ScriptType = z.infer<typeof scriptTypeSchema>;

/** What an invoice is for: an order has an amount that must be paid, a donation takes any. */
export const invoiceTypeSchema = z.enum(['donation', 'order']).meta({ id: 'InvoiceType' });
export type InvoiceType = z.infer<typeof invoiceTypeSchema>;

/** The states of an invoice. */
export const invoiceStatusSchema = z
  .enum(['new', 'pending', 'confirmed', 'underpaid', 'expired', 'late_payment'])
  .meta({ id: 'InvoiceStatus' });
export type InvoiceStatus = z.infer<typeof invoiceStatusSchema>;

/** The outcomes of an invoice that are reported by webhook. */
export const eventTypeSchema = z
  .enum(['invoice.confirmed', 'invoice.expired', 'invoice.underpaid', 'invoice.late_payment'])
  .meta({ id: 'EventType' });
export type EventType = z.infer<typeof eventTypeSchema>;

/** What an API key may do. */
export const scopeSchema = z
  .enum(['invoices:write', 'invoices:read', 'events:read', 'webhooks:write', 'wallets:write', 'stats:read'])
  .meta({ id: 'Scope' });
export type Scope = z.infer<typeof scopeSchema>;

/** A name for a set of scopes: `invoices` has everything but wallets and webhooks. */
export const scopeSetSchema = z.enum(['full', 'invoices']).meta({ id: 'ScopeSet' });
export type ScopeSet = z.infer<typeof scopeSetSchema>;

/** The scopes of each set. */
export const SCOPES_OF: Readonly<Record<ScopeSet, readonly Scope[]>> = {
  full: scopeSchema.options,
  invoices: ['invoices:write', 'invoices:read', 'events:read', 'stats:read'],
};

/** An amount in a response: minimal units as a decimal string, zero included. */
export const amountSchema = z
  .string()
  .regex(/^(0|[1-9][0-9]*)$/)
  .meta({ description: 'Minimal units (satoshi or litoshi), a decimal string.', example: '123400' });

/** What an output pays: more than zero. */
export const paidAmountSchema = z
  .string()
  .regex(/^[1-9][0-9]*$/)
  .meta({
    description: 'Minimal units (satoshi or litoshi), a decimal string above zero.',
    example: '123400',
  });

/** A time in a response: RFC 3339, UTC, milliseconds. */
export const timestampSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'RFC 3339, UTC, with milliseconds.', example: '2026-11-20T12:00:00.000Z' });

/** RFC 3339 with any offset, parsed to epoch milliseconds. The years are those that Postgres and Date agree on. */
export function momentSchema() {
  return z.iso
    .datetime({
      offset: true,
      error: 'Must be an RFC 3339 time such as 2026-11-20T12:00:00Z; write the + of an offset as %2B.',
      abort: true,
    })
    .transform((text) => Date.parse(text))
    .refine((ms) => ms >= 0 && ms < YEAR_10000_MS, { error: 'Must be between the years 1970 and 9999.' });
}

const YEAR_10000_MS = Date.UTC(10_000, 0);

/** A calendar day in UTC. */
export const dateSchema = z.iso.date().meta({ description: 'A UTC day.', example: '2026-11-20' });

/** A transaction id or block hash in display order. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Base58 without prefix: the alphabet leaves out 0, O, I and l. */
export const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** The identifier of an invoice. */
export const publicIdSchema = z
  .string()
  .regex(new RegExp(`^inv_${BASE58}{1,32}$`), { error: 'Must be a public_id: inv_ and base58.' })
  .meta({ description: 'Identifier of an invoice.', example: 'inv_8yXq3mJ2NdPz5KcVh7RtWb' });

/** The identifier of an event; the same on every delivery attempt. */
export const eventIdSchema = z
  .string()
  .regex(new RegExp(`^evt_${BASE58}{1,32}$`), { error: 'Must be an event id: evt_ and base58.' })
  .meta({
    description: 'Identifier of an event; the same on every attempt.',
    example: 'evt_4GqYw9TtC2sLx6DnKa8ZhM',
  });

/** The identifier of a webhook endpoint. */
export const endpointIdSchema = z
  .string()
  .regex(/^we_[A-Za-z0-9]{1,32}$/, { error: 'Must be an endpoint id: we_, letters and digits.' })
  .meta({ description: 'Identifier of a webhook endpoint.', example: 'we_6Rk2vTqWm9XcDz4LhYbNpA' });

/** The identifier of a payment link. */
export const paymentLinkIdSchema = z
  .string()
  .regex(new RegExp(`^plink_${BASE58}{1,32}$`), {
    error: 'Must be the id of a payment link: plink_ and base58.',
  })
  .meta({ description: 'Identifier of a payment link.', example: 'plink_5Tz8pWm3KvXq7NdRc2YhJs' });

/** The identifier of a project. */
export const projectIdSchema = z
  .string()
  .regex(/^prj_[0-9a-f]{32}$/, { error: 'Must be the id of a project: prj_ and 32 hexadecimal digits.' })
  .meta({
    description: 'Identifier of a project; it is no credential.',
    example: 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90',
  });

/** The identifier of an account, by which operators name it. */
export const accountIdSchema = z
  .string()
  .regex(/^acc_[0-9a-f]{32}$/, { error: 'Must be the id of an account: acc_ and 32 hexadecimal digits.' })
  .meta({
    description: 'Identifier of an account; it is no credential.',
    example: 'acc_1b9d6bcdbbfd4b2d9b5dab8dfbbd4bed',
  });

/** The identifier of an uploaded file. Everyone who knows it may load the file. */
export const uploadIdSchema = z
  .string()
  .regex(new RegExp(`^upl_${BASE58}{1,32}$`), { error: 'Must be the id of an upload: upl_ and base58.' })
  .meta({ description: 'Identifier of an upload.', example: 'upl_4Hn7kTq2ZsWx9LmVb3YcRp' });

/** The public part of an API key. */
export const keyPublicSchema = z
  .string()
  .regex(/^[A-Za-z0-9]{1,64}$/)
  .meta({ description: 'Public part of an API key.', example: '7Hq2VxN9' });

/** The secret in the path of a public page: everyone who knows it may use it. */
export const capabilityTokenSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/)
  .meta({
    description: 'Token of a donation link, a payment link, an overlay or a control page.',
    example: 'q7Zt4nHvW2kXy9BcLm3Rd8',
  });

/** The accent color of the pages of an owner. */
export const accentColorSchema = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, { error: 'Must be a color such as "#6441a5".' })
  .toLowerCase()
  .nullable()
  .meta({
    description:
      'The color of buttons, null for the usual one. The page makes it darker or lighter where texts and buttons would be hard to see.',
    example: '#6441a5',
  });
