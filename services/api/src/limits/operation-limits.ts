import type { Operation } from '@paywatch/domain/contract';
import { projectCounter, type Credential, type RateLimitState } from '@paywatch/store/redis';
import type { ServerResponse } from 'node:http';
import type { LimitName } from '../config.ts';
import { assertAllowed, countNetwork } from './count-network.ts';
import { NETWORK_LIMITS, type Limiters, type NetworkLimitName } from './limiters.ts';

/** Who sends a request, as limits count it. */
type Requester = { readonly caller: Credential | null; readonly network: string };

/** Counts a request against every limit of its operation. Throws AppError `rate_limited`. Open streams are limited by stream-limits.ts. */
export async function countOperation(
  limiters: Limiters,
  operation: Operation,
  requester: Requester,
  response: ServerResponse,
): Promise<void> {
  for (const name of operation.rateLimits) {
    if (name === 'stream' || isCounted(name, requester)) continue;
    applyRateLimit(response, await countLimit(limiters, name, requester));
    if (name === 'api_key') await countProject(limiters, requester, response);
  }
}

/** Sets the rate limit headers of a response. Throws AppError `rate_limited` if the request was refused. */
export function applyRateLimit(response: ServerResponse, state: RateLimitState): void {
  setRateLimitHeaders(response, state);
  assertAllowed(state);
}

/** The headers of draft-ietf-httpapi-ratelimit-headers for one policy. */
function setRateLimitHeaders(response: ServerResponse, state: RateLimitState): void {
  const { rule, remaining, resetSeconds } = state;
  response.setHeader('RateLimit-Policy', `"${rule.name}";q=${rule.points};w=${rule.windowSeconds}`);
  response.setHeader('RateLimit', `"${rule.name}";r=${remaining};t=${resetSeconds}`);
}

/** A session shares the limit of the project with the API keys. */
async function countProject(
  { project }: Limiters,
  { caller }: Requester,
  response: ServerResponse,
): Promise<void> {
  if (caller === null) return;
  const state = await project.count(projectCounter(caller.projectId));
  if (!state.isAllowed) applyRateLimit(response, state);
}

/** authenticate.ts counts an API key when it looks it up. A session uses the same limit, and is counted here. */
function isCounted(name: LimitName, { caller }: Requester): boolean {
  return name === 'api_key' && caller?.kind === 'api_key';
}

function countLimit(
  limiters: Limiters,
  name: LimitName,
  { caller, network }: Requester,
): Promise<RateLimitState> {
  if (isNetworkLimit(name)) return countNetwork(limiters, name, network);
  if (caller === null) throw new Error(`the limit ${name} requires a caller`);
  const isPerProject = name === 'project_change' || name === 'redelivery' || caller.kind === 'api_key';
  return limiters[name].count(isPerProject ? `project:${caller.projectId}` : `account:${caller.accountId}`);
}

function isNetworkLimit(name: LimitName): name is NetworkLimitName {
  return NETWORK_LIMITS.some((known) => known === name);
}
