export { holdReason, type HoldRule, type ModeratedDonation } from './hold-reason.ts';
