export {
  donationConfirmationVariables,
  gapLimitVariables,
  graceVariables,
  networkVariables,
  orderConfirmationVariables,
  poolVariables,
  rateVariables,
  subscriptionVariables,
  toleranceVariables,
  walletChangeVariables,
} from './variables.ts';
