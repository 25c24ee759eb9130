import { byCredential } from '@paywatch/store/accounts';
import { changeOverlaySources, loadOverlaySources } from '@paywatch/store/donations';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { assertRateOffered } from '../rates/offered-rate.ts';

/** The goal and the counter of the caller's overlay. */
export function getOverlaySources({ store }: Dependencies): OperationHandler<'getOverlaySources'> {
  return async ({ caller: { projectId } }) => ({
    status: 200,
    body: await loadOverlaySources(store, projectId),
  });
}

/** Changes the goal and the counter of the caller's overlay. Open overlays get them through their stream. */
export function updateOverlaySources({
  store,
  config,
}: Dependencies): OperationHandler<'updateOverlaySources'> {
  return async ({ caller, body, context }) => {
    const unit = body.goal?.unit ?? 'BTC';
    if (unit !== 'BTC' && unit !== 'LTC') assertRateOffered(config, unit, 'body.goal.unit');
    const authorize = byCredential(caller, context.address);
    return { status: 200, body: await changeOverlaySources(store, authorize, caller.projectId, body) };
  };
}
