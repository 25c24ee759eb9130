export {
  type AttemptReport,
  type DeliveryPlan,
  recordAttempts,
  parkOrFailDelivery,
} from './record-attempts.ts';
export {
  type ClaimedDelivery,
  type ClaimedEndpoint,
  claimDeliveries,
  claimNextDeliveries,
} from './claim-deliveries.ts';
export {
  type DueDelivery,
  type LeaseTerms,
  findLeasedDeliveries,
  listenForDeliveries,
  measureRelayLag,
  postponeDeliveries,
  leaseDueDeliveries,
} from './lease-deliveries.ts';
export {
  type AttemptSummary,
  type DeliveryStatus,
  type EventDetail,
  type EventSummary,
  type NewEvent,
  type Redelivery,
  findEventPosition,
  findReceiver,
  getEvent,
  insertEvent,
  insertEvents,
  listEvents,
  redeliverEvent,
} from './events.ts';
export {
  type DeliveryBacklog,
  type RedeliveryRun,
  beginRedeliveries,
  countDueDeliveries,
  countRedeliverable,
  listDeliveryBacklogs,
  scheduleRedeliveries,
} from './redeliveries.ts';
export {
  type EndpointReport,
  type EndpointStatus,
  type WebhookEndpoint,
  endpointSecretPlace,
  getWebhookEndpoint,
  reportEndpoints,
  setWebhookEndpoint,
} from './webhook-endpoints.ts';
export { type EndpointTerms, MAX_ENDPOINTS, createEndpoint } from './create-endpoint.ts';
export {
  type EndpointChange,
  changeEndpoint,
  deleteEndpoint,
  rotateEndpointSecret,
} from './change-endpoint.ts';
export { type ReplayOutcome, replayEvents } from './replay-events.ts';
export { type EndpointOverview, findEndpoint, listEndpoints } from './list-endpoints.ts';
export { type PendingDeliveries, countPendingDeliveries } from './pending-deliveries.ts';
