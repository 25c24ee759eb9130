import type { SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiStage } from './api-stage.ts';
import { ask, type Answer } from './ask.ts';

/** The request of a shop's server for an order. */
export type Order = { apiKey: string; orderId?: string; idempotencyKey?: string };

/** The invoice of an order, and whether an earlier response may have been lost. */
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
 * Retries an order at one API process after another until an invoice is acknowledged, as a shop does after a lost request or a
 * temporary rejection. Returns null when it gives up. Throws for a response that no shop should get.
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

/** The invoice; null if the request should be retried, without a response or after a temporary rejection. */
function placedBy(answer: Answer): Omit<Placed, 'mayHaveLostAnswer'> | null {
  if (answer.isLost || answer.status === 503) return null;
  const { public_id: publicId, address } = answer.body;
  const isInvoice = typeof publicId === 'string' && typeof address === 'string';
  if ((answer.status !== 201 && answer.status !== 200) || !isInvoice)
    throw new Error(`an order returned ${answer.status} ${JSON.stringify(answer.body)}`);
  return { isNew: answer.status === 201, publicId, address, answeredAtMs: Date.now() };
}
