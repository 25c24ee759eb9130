import { z } from 'zod';
import type { Market } from './market.ts';

const answerSchema = z.object({
  currency: z.string(),
  in: z.string(),
  value: z.string(),
  taken_at: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
});

/** A source of the operator's own; docs/exchange-rates.md documents its response. It may have any pair. */
export const ownSource: Market = {
  name: 'own',
  pathOf: (pair) => `/${pair.currency}?in=${pair.in}`,
  read: (answer, pair) => {
    const parsed = answerSchema.parse(answer);
    if (parsed.currency !== pair.currency || parsed.in !== pair.in)
      throw new Error('response is for another currency pair');
    return { bid: parsed.value, ask: parsed.value, timeMs: parsed.taken_at };
  },
};
