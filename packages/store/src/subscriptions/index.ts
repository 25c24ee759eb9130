export {
  type OpenPurchase,
  type PurchaseSummary,
  type Seller,
  findSeller,
  grantPurchases,
  applyPurchase,
  linkPurchase,
  listPurchases,
  openPurchase,
} from './subscription-purchases.ts';
export {
  type AccountIds,
  type SubscriptionChange,
  type SubscriptionTerm,
  endSubscription,
  grantSubscription,
} from './subscriptions.ts';
