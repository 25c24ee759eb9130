import type { HoldMode, UpdateModerationBody } from '@paywatch/domain/contract';
import type { Authorize } from '../../accounts/authorize.ts';
import { type AnySql, inTransaction, type TransactionSql } from '../../postgres/database.ts';
import type { Store } from '../../store.ts';
import { lockOverlay } from './overlay-lock.ts';
import { notifyControl } from './overlay-notifications.ts';

/** What the owner has set for the moderation of an overlay. */
export type Moderation = { hold: HoldMode; words: string[]; controlToken: string | null };

/** The moderation settings of a project. */
export async function loadModeration({ sql }: { sql: AnySql }, projectId: bigint): Promise<Moderation> {
  const [row] = await sql<Moderation[]>`
    select hold, words, token as "controlToken" from overlay_controls where project_id = ${projectId}`;
  return row ?? { hold: 'none', words: [], controlToken: null };
}

/**
 * Changes the given moderation settings. Takes the lock of the overlay, so no donation that is confirmed afterwards is judged by the
 * settings before. Safe to repeat.
 */
export async function changeModeration(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  { hold, words }: UpdateModerationBody,
): Promise<Moderation> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    await lockOverlay(tx, projectId);
    const [row] = await tx<Moderation[]>`
      insert into overlay_controls as c (project_id, hold, words)
      values (${projectId}, ${hold ?? 'none'}, ${words ?? []})
      on conflict (project_id) do update set version = c.version + 1,
        hold = coalesce(${hold ?? null}, c.hold), words = coalesce(${words ?? null}::text[], c.words)
      returning hold, words, token as "controlToken"`;
    if (!row) throw new Error(`moderation settings of project ${projectId} not stored`);
    return row;
  });
}

/** Sets the token of the control page, in the transaction that replaces it. */
export async function setControlToken(tx: TransactionSql, projectId: bigint, token: string): Promise<void> {
  await tx`
    insert into overlay_controls as c (project_id, token) values (${projectId}, ${token})
    on conflict (project_id) do update set token = excluded.token, version = c.version + 1`;
  await notifyControl(tx, projectId);
}

/** Closes the control page of a project, if it has one. */
export async function revokeControlToken(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`update overlay_controls set token = null, version = version + 1 where project_id = ${projectId}`;
  await notifyControl(tx, projectId);
}

/** The projects of control tokens, in one statement; invalid tokens are left out. */
export async function findControlProjects(
  { sql }: { sql: AnySql },
  tokens: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await sql<{ id: bigint; token: string }[]>`
    select project_id as id, token from overlay_controls where token = any (${[...tokens]}::text[])`;
  return new Map(rows.map(({ id, token }) => [token, id]));
}

/** What moderators do with the alerts of an overlay. */
export type ControlAction =
  | { action: 'pause' | 'resume' | 'skip' | 'clear' }
  | { action: 'volume'; volume: number }
  | { action: 'replay'; position: bigint };

/** What is set after an action. */
export type ControlState = { paused: boolean; volume: number };

/**
 * Carries out an action of a moderator and notifies every replica at the commit. Null if the token opens no control page or the donation
 * to replay is not in the project's stream. Every action but a replay is safe to repeat.
 */
export async function controlAlerts(
  tx: TransactionSql,
  token: string,
  action: ControlAction,
): Promise<ControlState | null> {
  const projectId = await lockControl(tx, token);
  if (projectId === null) return null;
  if (action.action === 'replay' && !(await isInStream(tx, projectId, action.position))) return null;
  const [row] = await tx<ControlState[]>`
    update overlay_controls set version = version + 1, ${changeOf(tx, projectId, action)}
    where project_id = ${projectId} returning paused, volume`;
  if (!row) throw new Error(`locked control page of project ${projectId} not found`);
  await notifyControl(tx, projectId);
  return row;
}

/** What is set for the alerts of a project with a control page. */
export async function loadControlState(sql: AnySql, projectId: bigint): Promise<ControlState> {
  const [row] = await sql<ControlState[]>`
    select paused, volume from overlay_controls where project_id = ${projectId}`;
  if (!row) throw new Error(`control page of project ${projectId} not found`);
  return row;
}

/** The project of a control token, with the lock of its overlay; null if there is none. */
export async function lockControl(tx: TransactionSql, token: string): Promise<bigint | null> {
  const [found] = await tx<{ id: bigint }[]>`
    select project_id as id from overlay_controls where token = ${token}`;
  if (!found) return null;
  await lockOverlay(tx, found.id);
  // Again after the wait for the lock: the token may have been replaced meanwhile.
  const [held] = await tx`
    select from overlay_controls where project_id = ${found.id} and token = ${token} for no key update`;
  return held ? found.id : null;
}

/** More replays at a time would be an alert that nobody can stop. */
const KEPT_REPLAYS = 5;

function changeOf(tx: TransactionSql, projectId: bigint, action: ControlAction) {
  switch (action.action) {
    case 'pause':
      return tx`paused = true`;
    case 'resume':
      return tx`paused = false`;
    case 'volume':
      return tx`volume = ${action.volume}`;
    // The time of the statement: the transaction may have waited for the lock.
    case 'skip':
      return tx`skipped_at = clock_timestamp()`;
    case 'clear':
      return tx`cleared_replay = version + 1, replays = '[]', cleared_to = coalesce((
        select max(id) from overlay_donations where project_id = ${projectId}), 0)`;
    case 'replay':
      return tx`replays = (
        select jsonb_agg(r order by place) from (
          select r, place from jsonb_array_elements(
            replays || jsonb_build_object('number', version + 1, 'position', ${String(action.position)}::text)
          ) with ordinality as e (r, place) order by place desc limit ${KEPT_REPLAYS}) last)`;
    default:
      return action satisfies never;
  }
}

async function isInStream(tx: TransactionSql, projectId: bigint, position: bigint): Promise<boolean> {
  const found = await tx`select from overlay_donations where id = ${position} and project_id = ${projectId}`;
  return found.length > 0;
}
