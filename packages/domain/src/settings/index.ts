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
} from './variables.ts';
