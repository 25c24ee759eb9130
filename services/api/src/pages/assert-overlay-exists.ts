import { OPERATIONS } from '@paywatch/domain/contract';
import { AppError, parseParams } from '@paywatch/domain/requests';
import { findControlProjects, findOverlayProjects } from '@paywatch/store/donations';
import type { ServerResponse } from 'node:http';
import type { Dependencies } from '../dependencies.ts';
import { countOperation } from '../limits/operation-limits.ts';

/**
 * Throws AppError `not_found` for a token that opens no overlay. Counts against the limit of the overlay's stream. Where the limit or an
 * outage prevents the check, the token passes: the page's script retries its stream, whereas OBS never reloads an error page.
 */
export function assertOverlayExists(
  dependencies: Dependencies,
  given: Given,
  response: ServerResponse,
): Promise<void> {
  return assertExists(dependencies, given, response, {
    operation: OPERATIONS.streamOverlay,
    find: findOverlayProjects,
  });
}

/** The same for a control page. */
export function assertControlExists(
  dependencies: Dependencies,
  given: Given,
  response: ServerResponse,
): Promise<void> {
  return assertExists(dependencies, given, response, {
    operation: OPERATIONS.streamControl,
    find: findControlProjects,
  });
}

type Given = { readonly token: string; readonly network: string };
type Lookup = {
  operation: (typeof OPERATIONS)['streamOverlay' | 'streamControl'];
  find: typeof findOverlayProjects;
};

async function assertExists(
  { store, limiters, logger }: Dependencies,
  given: Given,
  response: ServerResponse,
  { operation, find }: Lookup,
): Promise<void> {
  const { token } = parseParams(operation.params, { token: given.token }, operation.unknownParam);
  const requester = { caller: null, network: given.network };
  try {
    await countOperation(limiters, operation, requester, response);
    if ((await find(store, [token])).has(token)) return;
  } catch (err) {
    logger.debug({ err }, 'token of the page not checked');
    return;
  }
  throw new AppError('not_found');
}
