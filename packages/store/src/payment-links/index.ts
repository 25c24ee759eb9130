export { createPaymentLink } from './create-payment-link.ts';
export { changePaymentLink, deletePaymentLink, rotatePaymentLinkToken } from './change-payment-link.ts';
export {
  type PaymentLink,
  type PaymentLinkTerms,
  type PublicPaymentLink,
  findPaymentLink,
  findPublicPaymentLink,
  listPaymentLinks,
} from './payment-links.ts';
export { findOpenSale } from './pieces.ts';
