import {
  createPurchaseBodySchema,
  purchaseViewSchema,
  subscriptionViewSchema,
} from '../../resources/account/subscription.ts';
import type { Operation } from '../operation.ts';

/** What the account area shows of the subscription, and how it is paid for. */
export const subscriptionOperations = {
  getSubscription: {
    method: 'get',
    path: '/v1/subscription',
    tag: 'Account',
    summary: 'Read the subscription, and what extends it',
    auth: 'bearer',
    role: 'accountant',
    rateLimits: ['account'],
    responses: { 200: { description: 'The subscription of the project.', schema: subscriptionViewSchema } },
    errors: [],
  },
  createPurchase: {
    method: 'post',
    path: '/v1/subscription/purchases',
    tag: 'Account',
    summary: 'Pay for more days',
    description:
      'Makes an invoice of the operator. Its confirmation adds the days to what is left of the subscription, once. Where one of the currency can still be paid, that one is answered. Nothing for sale answers 404.',
    auth: 'bearer',
    role: 'manager',
    rateLimits: ['account', 'project_change'],
    body: createPurchaseBodySchema,
    responses: {
      200: { description: 'The purchase that is open already.', schema: purchaseViewSchema },
      201: { description: 'A new purchase, to be paid at pay_url.', schema: purchaseViewSchema },
    },
    errors: ['not_found', 'address_pool_busy'],
  },
} as const satisfies Record<string, Operation>;
