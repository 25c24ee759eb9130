import { CURRENCIES, type Currency } from '@paywatch/domain/values';
import { z } from 'zod';

const httpUrl = z.string().refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be a URL that starts with http:// or https://',
});
const mailUrl = z.string().refine((text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ''), {
  error: 'must be a URL that starts with smtps:// or smtp://',
});
const path = z.string().regex(/^\/[\w./-]+$/, { error: 'must be an absolute path' });

/** Where the blocks of a currency are read. */
const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('node'), url: httpUrl }),
  z.strictObject({ kind: z.literal('esplora'), url: httpUrl }),
]);

/** What the operator decides: the five questions, and settings that only a file can give. */
export const answersSchema = z
  .strictObject({
    domain: z
      .string()
      .toLowerCase()
      .max(253)
      .regex(/^(?=.*[a-z])([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,}$/, {
        error: 'must be a host name such as pay.example.com',
      }),
    sources: z.partialRecord(z.enum(CURRENCIES), sourceSchema).refine((all) => Object.keys(all).length > 0, {
      error: 'at least one currency is required',
    }),
    mail: z
      .strictObject({
        url: mailUrl,
        from: z
          .string()
          .min(3)
          .max(200)
          .regex(/^[^\r\n"\\$`]+$/),
      })
      .nullable()
      .default(null),
    backups: z
      .strictObject({ folder: path, days: z.int().min(1).max(365) })
      .nullable()
      .default(null),
    network: z.enum(['mainnet', 'testnet', 'regtest']).default('mainnet'),
    acme: z.strictObject({ directory: httpUrl, root: path }).nullable().default(null),
  })
  .readonly();
export type Answers = z.infer<typeof answersSchema>;

/** The currencies that have a chain source, in a fixed order. */
export function currenciesOf({ sources }: Answers): Currency[] {
  return CURRENCIES.filter((currency) => sources[currency] !== undefined);
}
