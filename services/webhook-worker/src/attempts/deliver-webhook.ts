import {
  type AllowedHosts,
  checkWebhookTarget,
  nextAttempt,
  retryAfterSeconds,
  webhookHeaders,
} from '@paywatch/domain/webhooks';
import type { Clock } from '@paywatch/runtime/process';
import type { Sealer } from '@paywatch/runtime/security';
import {
  type AttemptReport,
  type ClaimedDelivery,
  type ClaimedEndpoint,
  type DeliveryPlan,
  type EndpointReport,
} from '@paywatch/store/webhooks';
import type { Sender, WebhookAnswer, WebhookRequest } from '../http/send-request.ts';

/*
 * The stages of one attempt:
 *
 *   ClaimedDelivery --prepare--> Prepared --send--> Attempted --conclude--> Conclusion
 *
 * `prepare` and `conclude` only decide; `send` does the I/O.
 */

/** A signed request; or a target that must not be called; or no active endpoint. */
export type Prepared =
  | { kind: 'ready'; claimed: ClaimedDelivery; endpoint: ClaimedEndpoint; request: WebhookRequest }
  | { kind: 'refused'; claimed: ClaimedDelivery; endpoint: ClaimedEndpoint; error: string }
  | { kind: 'no_endpoint'; claimed: ClaimedDelivery };

/** Signs the stored body for the current endpoint. Throws SealingError when a secret cannot be opened. */
export function prepare(
  claimed: ClaimedDelivery,
  deps: { sealer: Sealer; clock: Clock; allowedHosts: AllowedHosts },
): Prepared {
  const { endpoint } = claimed;
  if (endpoint === null || endpoint.status === 'disabled') return { kind: 'no_endpoint', claimed };
  // Checked again after registration: the allow-list and the rules for public addresses may have changed since.
  const target = checkWebhookTarget(endpoint.url, deps.allowedHosts);
  if (!target.ok) return { kind: 'refused', claimed, endpoint, error: target.problem.message };
  const headers = signedHeaders(claimed, endpoint, deps);
  return {
    kind: 'ready',
    claimed,
    endpoint,
    request: { url: target.value.url, headers, body: claimed.body },
  };
}

function signedHeaders(
  claimed: ClaimedDelivery,
  endpoint: ClaimedEndpoint,
  { sealer, clock }: { sealer: Sealer; clock: Clock },
): Record<string, string> {
  const { secretPlace: place } = endpoint;
  const previous = endpoint.previousSecretSealed;
  const signed = webhookHeaders({
    eventId: claimed.eventPublicId,
    rawBody: claimed.body,
    timestampSeconds: Math.floor(clock.nowMs() / 1000),
    secrets: [sealer.open(endpoint.secretSealed, place), ...(previous ? [sealer.open(previous, place)] : [])],
  });
  return { 'content-type': 'application/json', 'user-agent': 'Paywatch-Webhooks/1.0', ...signed };
}

/** An attempt whose request was sent, or refused because its target must not be called. */
export type Attempted = {
  claimed: ClaimedDelivery;
  endpoint: ClaimedEndpoint;
  startedAt: Date;
  durationMs: number;
  answer: WebhookAnswer;
};

/** Sends the request and measures its duration. Never throws. */
export async function send(
  prepared: Exclude<Prepared, { kind: 'no_endpoint' }>,
  deps: { sender: Sender; clock: Clock },
): Promise<Attempted> {
  const { claimed, endpoint } = prepared;
  const startedAt = new Date(deps.clock.nowMs());
  const beganMs = performance.now();
  const answer: WebhookAnswer =
    prepared.kind === 'ready'
      ? await deps.sender.send(prepared.request)
      : { kind: 'unanswered', error: prepared.error };
  return { claimed, endpoint, startedAt, durationMs: Math.round(performance.now() - beganMs), answer };
}

/** What to store: the attempt with its plan, and the endpoint's new status if it changed. */
export type Conclusion = {
  outcome: 'delivered' | 'failed_attempt' | 'given_up' | 'endpoint_gone';
  attempt: AttemptReport;
  endpoint: EndpointReport | null;
};

/** Decides what follows an attempt. `claimAgeMs` is the time since the claim; `random` in [0, 1) sets the jitter. */
export function conclude(
  attempted: Attempted,
  context: { nowMs: number; claimAgeMs: number; random: number },
): Conclusion {
  const { claimed, endpoint, answer } = attempted;
  const plan = isSuccess(answer) ? DELIVERED : planAfterFailure(attempted, context);
  return {
    outcome: OUTCOMES[plan.kind],
    attempt: {
      deliveryId: claimed.id,
      claim: claimed.claim,
      url: endpoint.url,
      startedAt: attempted.startedAt,
      durationMs: attempted.durationMs,
      httpStatus: answer.kind === 'answered' ? answer.status : null,
      error: describeError(answer),
      responseExcerpt: answer.kind === 'answered' ? answer.excerpt : null,
      plan,
    },
    endpoint: reportStatusChange(attempted, plan),
  };
}

const DELIVERED: DeliveryPlan = { kind: 'delivered' };

const OUTCOMES = {
  delivered: 'delivered',
  retry: 'failed_attempt',
  failed: 'given_up',
  parked: 'endpoint_gone',
} as const satisfies Record<DeliveryPlan['kind'], Conclusion['outcome']>;

function isSuccess(answer: WebhookAnswer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}

function planAfterFailure(
  { claimed, answer }: Attempted,
  context: { nowMs: number; claimAgeMs: number; random: number },
): DeliveryPlan {
  // Postgres time: the schedule started by its clock, and this machine's clock may differ.
  const endedAtMs = claimed.claimedAtMs + context.claimAgeMs;
  const retryAfter = answer.kind === 'answered' ? answer.retryAfter : null;
  const next = nextAttempt({
    eventCreatedAtMs: claimed.scheduleStartedMs,
    failedAttempts: claimed.failures + 1,
    endedAtMs,
    httpStatus: answer.kind === 'answered' ? answer.status : null,
    retryAfterSeconds: retryAfterSeconds(retryAfter, context.nowMs),
    random: context.random,
  });
  if (next.kind === 'retry') return { kind: 'retry', delayMs: Math.max(0, next.atMs - endedAtMs) };
  return { kind: next.kind === 'failed' ? 'failed' : 'parked' };
}

function describeError(answer: WebhookAnswer): string | null {
  if (answer.kind === 'unanswered') return answer.error;
  if (isSuccess(answer)) return null;
  if (answer.status >= 300 && answer.status < 400)
    return `answered ${answer.status}; redirects are not followed`;
  return answer.status === 410
    ? 'answered 410: the endpoint is disabled until it is set again'
    : `answered ${answer.status}`;
}

/** Null when the status is unchanged, so that a healthy endpoint costs no write but the first. */
function reportStatusChange({ endpoint, answer }: Attempted, plan: DeliveryPlan): EndpointReport | null {
  const { id: endpointId, version, status: current, isTried } = endpoint;
  const status = plan.kind === 'delivered' ? 'healthy' : plan.kind === 'parked' ? 'disabled' : 'failing';
  if (status === current && isTried) return null;
  return { endpointId, version, status, error: describeError(answer) };
}

/** A delivery without an active endpoint fails this long after the start of its schedule. */
const SCHEDULE_MS = 7 * 24 * 3_600_000;

/**
 * Plans a delivery without an active endpoint: it waits for one until its schedule ends. A further endpoint that was deleted does not
 * come back.
 */
export function planWithoutEndpoint(claimed: ClaimedDelivery): 'parked' | 'failed' {
  if (claimed.endpoint === null && claimed.endpointKey !== claimed.projectId) return 'failed';
  return claimed.claimedAtMs - claimed.scheduleStartedMs > SCHEDULE_MS ? 'failed' : 'parked';
}
