import type { ControlOverlayBody } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { publicId } from '@paywatch/domain/values';
import { secureRandomBytes } from '@paywatch/runtime/security';
import {
  type ControlAction,
  type ControlState,
  controlAlerts,
  findControlProjects,
  insertTestDonation,
  loadControlState,
  lockControl,
} from '@paywatch/store/donations';
import { inTransaction, type TransactionSql } from '@paywatch/store/postgres';
import { publishOverlayDonations } from '@paywatch/store/redis';
import type { Dependencies } from '../dependencies.ts';
import { assertAllowed } from '../limits/count-network.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { TEST_DONATION } from './test-overlay.ts';

/** Carries out what a moderator wants; the token allows only that. */
export function controlOverlay(dependencies: Dependencies): OperationHandler<'controlOverlay'> {
  return async ({ params: { token }, body }) => {
    const state =
      body.action === 'test'
        ? await showTest(dependencies, token, body)
        : await inTransaction(dependencies.store, (tx) => controlAlerts(tx, token, actionOf(body)));
    if (state === null) throw new AppError('not_found');
    return { status: 200, body: state };
  };
}

/** The contract requires the fields that the action needs. */
function actionOf({ action, volume = 0, donation_id: position = '0' }: ControlOverlayBody): ControlAction {
  if (action === 'volume') return { action, volume };
  if (action === 'replay') return { action, position: BigInt(position) };
  if (action === 'test') throw new Error('a test alert was handled as a change of the overlay');
  return { action };
}

/** Test donations are rows, so they are counted as the account's own are, but apart: a moderator must not use up the owner's budget. */
async function showTest(
  { store, limiters }: Dependencies,
  token: string,
  body: ControlOverlayBody,
): Promise<ControlState | null> {
  const projectId = (await findControlProjects(store, [token])).get(token);
  if (projectId === undefined) return null;
  assertAllowed(await limiters.project_change.count(`control:${projectId}`));
  const shown = await inTransaction(store, (tx) => insertTest(tx, token, body));
  if (shown !== null) await publishOverlayDonations(store, [shown]);
  return shown && shown.state;
}

async function insertTest(
  tx: TransactionSql,
  token: string,
  { amount, currency }: ControlOverlayBody,
): Promise<{ projectId: bigint; state: ControlState } | null> {
  const projectId = await lockControl(tx, token);
  if (projectId === null || amount === undefined || currency === undefined) return null;
  const donationId = publicId('inv_', secureRandomBytes(16));
  await insertTestDonation(tx, { ...TEST_DONATION, amount, currency, projectId, publicId: donationId });
  return { projectId, state: await loadControlState(tx, projectId) };
}
