import {
  DEFAULT_OVERLAY_SETTINGS,
  DEFAULT_OVERLAY_SOURCES,
  type OverlaySettings,
  type OverlaySources,
  type UpdateOverlaySettingsBody,
  type UpdateOverlaySourcesBody,
} from '@paywatch/domain/contract';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type AnySql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { notifyOverlaySettings } from './overlay-notifications.ts';

/** The settings of an overlay with their version, which grows with each change. */
export type VersionedOverlaySettings = { version: number; settings: OverlaySettings };

type SettingsRow = { id: bigint; version: number; changed: Partial<OverlaySettings> };

/** The settings of these projects by project id as text, in one statement. */
export async function loadOverlaySettings(
  { sql }: { sql: AnySql },
  projectIds: readonly bigint[],
): Promise<Map<string, VersionedOverlaySettings>> {
  const rows = await sql<SettingsRow[]>`
    select id, overlay_version as version, overlay_settings as changed
    from projects where id = any (${projectIds.map(String)}::bigint[])`;
  return new Map(rows.map((row) => [String(row.id), versioned(row)]));
}

/**
 * Changes the given settings of a project's overlay and notifies every replica at the commit. Concurrent changes of different
 * settings are all kept. Safe to repeat.
 */
export async function changeOverlaySettings(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  change: UpdateOverlaySettingsBody,
): Promise<OverlaySettings> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    const [row] = await tx<SettingsRow[]>`
      update projects
      set overlay_settings = overlay_settings || ${tx.json(change)}, overlay_version = overlay_version + 1
      where id = ${projectId}
      returning id, overlay_version as version, overlay_settings as changed`;
    if (!row) throw new Error('a credential belongs to a project');
    await notifyOverlaySettings(tx, projectId);
    return versioned(row).settings;
  });
}

function versioned({ version, changed }: SettingsRow): VersionedOverlaySettings {
  return { version, settings: { ...DEFAULT_OVERLAY_SETTINGS, ...changed } };
}

type SourcesRow = { changed: Partial<OverlaySources> };

/** The goal and the counter of a project's overlay. */
export async function loadOverlaySources(
  { sql }: { sql: AnySql },
  projectId: bigint,
): Promise<OverlaySources> {
  const [row] = await sql<SourcesRow[]>`
    select overlay_sources as changed from projects where id = ${projectId}`;
  return { ...DEFAULT_OVERLAY_SOURCES, ...row?.changed };
}

/** Changes them in the same way as the settings. */
export async function changeOverlaySources(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  change: UpdateOverlaySourcesBody,
): Promise<OverlaySources> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    const [row] = await tx<SourcesRow[]>`
      update projects
      set overlay_sources = overlay_sources || ${tx.json(change)}, overlay_version = overlay_version + 1
      where id = ${projectId} returning overlay_sources as changed`;
    if (!row) throw new Error('a credential belongs to a project');
    await notifyOverlaySettings(tx, projectId);
    return { ...DEFAULT_OVERLAY_SOURCES, ...row.changed };
  });
}
