import { OPERATIONS } from '@paywatch/domain/contract';
import { AppError, parseParams } from '@paywatch/domain/requests';
import { findOverlayProjects } from '@paywatch/store/donations';
import type { ServerResponse } from 'node:http';
import type { Dependencies } from '../dependencies.ts';
import { countOperation } from '../limits/operation-limits.ts';

/**
 * Throws AppError `not_found` for a token that opens no overlay. Counts against the limit of the overlay's stream. Where the limit or an
 * outage prevents the check, the token passes: the page's script retries its stream, whereas OBS never reloads an error page.
 */
export async function assertOverlayExists(
  { store, limiters, logger }: Dependencies,
  given: { readonly token: string; readonly network: string },
  response: ServerResponse,
): Promise<void> {
  const { params, unknownParam } = OPERATIONS.streamOverlay;
  const { token } = parseParams(params, { token: given.token }, unknownParam);
  const requester = { caller: null, network: given.network };
  try {
    await countOperation(limiters, OPERATIONS.streamOverlay, requester, response);
    if ((await findOverlayProjects(store, [token])).has(token)) return;
  } catch (err) {
    logger.debug({ err }, 'overlay token not checked');
    return;
  }
  throw new AppError('not_found');
}
