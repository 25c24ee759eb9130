export {
  donationConfirmationVariables,
  gapLimitVariables,
  graceVariables,
  networkVariables,
  orderConfirmationVariables,
  poolVariables,
  rateVariables,
  sessionVariables,
  subscriptionVariables,
  toleranceVariables,
  walletChangeVariables,
} from './variables.ts';
