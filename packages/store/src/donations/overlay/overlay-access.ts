import { randomToken } from '@paywatch/runtime/security';
import type { TransactionSql } from '../../postgres/database.ts';
import { revokeControlToken } from './overlay-controls.ts';
import { notifyOverlayAccess } from './overlay-notifications.ts';

/**
 * Ends the overlay and the control page of a project for everybody who knows their links: replaces the token of the one, removes that
 * of the other, and makes every replica end their streams at the commit.
 */
export async function replaceOverlayLinks(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`update projects set overlay_token = ${randomToken(16)} where id = ${projectId}`;
  await revokeControlToken(tx, projectId);
  await notifyOverlayAccess(tx, projectId);
}
