export {
  donationConfirmationVariables,
  gapLimitVariables,
  graceVariables,
  networkVariables,
  orderConfirmationVariables,
  poolVariables,
  subscriptionVariables,
  toleranceVariables,
} from './variables.ts';
