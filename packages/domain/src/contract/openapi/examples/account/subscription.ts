import type { MeView } from '../../../resources/account/me.ts';
import type { PurchaseView } from '../../../resources/account/subscription.ts';
import type { OperationExample } from '../operation-example.ts';

/** One that runs. */
export const subscription: MeView['project']['subscription'] = {
  active: true,
  active_until: '2026-12-01T09:00:00.000Z',
};

const purchase: PurchaseView = {
  public_id: 'inv_4GqYw9TtC2sLx6DnKa8ZhM',
  pay_url: 'https://pay.example/pay/inv_4GqYw9TtC2sLx6DnKa8ZhM',
  currency: 'BTC',
  amount: '30000',
  days: 30,
  status: 'new',
  received_amount: '0',
  extended_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T13:00:00.000Z',
};

/** Of subscriptions and their sale. */
export const subscriptionExamples = {
  getSubscription: {
    response: {
      ...subscription,
      offer: { days: 30, prices: [{ currency: 'BTC', amount: purchase.amount }] },
      purchases: [purchase],
    },
  },
  createPurchase: { request: { currency: 'BTC' }, response: purchase },
} as const satisfies Record<string, OperationExample>;
