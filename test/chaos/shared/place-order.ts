import type { SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiStage } from './api-stage.ts';
import { ask, type Answer } from './ask.ts';

/** An order as a shop's server asks for it. */
export type Order = { apiKey: string; orderId?: string; idempotencyKey?: string };

/** The invoice of an order, and whether an answer may have been lost on the way to it. */
export type Placed = {
  isNew: boolean;
  publicId: string;
  address: string;
  answeredAtMs: number;
  mayHaveLostAnswer: boolean;
};

const ANSWER_WITHIN_MS = 5000;
const TRIES = 20;
const LONGEST_PAUSE_MS = 500;

/**
 * Asks one API process after the other until an invoice is acknowledged, as a shop does whose request was lost or refused for the
 * moment. Null when it gives up. Throws on an answer that no shop should ever get.
 */
export async function placeOrder(
  { apis }: Pick<ApiStage, 'apis'>,
  order: Order,
  random: SeededRandom,
): Promise<Placed | null> {
  let mayHaveLostAnswer = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await ask({
      port: random.pick(apis).port ?? 0,
      method: 'POST',
      path: '/v1/invoices',
      headers: headersOf(order),
      body: { currency: 'LTC', type: 'order', expected_amount: '1000000', order_id: order.orderId },
      timeoutMs: ANSWER_WITHIN_MS,
    });
    const placed = placedBy(answer);
    if (placed !== null) return { ...placed, mayHaveLostAnswer };
    mayHaveLostAnswer ||= answer.isLost || answer.body['code'] !== 'address_pool_busy';
    await sleep(random.fraction() * LONGEST_PAUSE_MS);
  }
  return null;
}

function headersOf({ apiKey, idempotencyKey }: Order): Record<string, string> {
  const named = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return { 'x-api-key': apiKey, ...named };
}

/** Null where it is to be asked again: nobody answered, or not now. */
function placedBy(answer: Answer): Omit<Placed, 'mayHaveLostAnswer'> | null {
  if (answer.isLost || answer.status === 503) return null;
  const { public_id: publicId, address } = answer.body;
  const isInvoice = typeof publicId === 'string' && typeof address === 'string';
  if ((answer.status !== 201 && answer.status !== 200) || !isInvoice)
    throw new Error(`an order was answered with ${answer.status} ${JSON.stringify(answer.body)}`);
  return { isNew: answer.status === 201, publicId, address, answeredAtMs: Date.now() };
}
