import { AppError } from '@paywatch/domain/requests';
import { findReceiver } from '@paywatch/store/webhooks';
import type { Dependencies } from '../dependencies.ts';

/** The key of the endpoint that a query names; undefined if it names none. Throws AppError `endpoint_not_found`. */
export async function endpointKeyOf(
  { store }: Pick<Dependencies, 'store'>,
  projectId: bigint,
  endpointId: string | undefined,
): Promise<bigint | undefined> {
  if (endpointId === undefined) return undefined;
  const endpoint = await findReceiver(store.sql, projectId, endpointId);
  if (endpoint === null) throw new AppError('endpoint_not_found');
  return endpoint.key;
}
