import {
  DEFAULT_OVERLAY_SETTINGS,
  DEFAULT_OVERLAY_SOURCES,
  type OverlaySettings,
  type OverlaySources,
  type UpdateOverlaySettingsBody,
  type UpdateOverlaySourcesBody,
} from '@paywatch/domain/contract';
import { type UploadReference, uploadsOf, withoutUpload } from '@paywatch/domain/donations';
import type { Authorize } from '../../accounts/authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../../postgres/database.ts';
import { lockProject } from '../../projects/lock-project.ts';
import type { Store } from '../../store.ts';
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

/** Why settings were not changed: an upload that they name is not one of the project, or not of the kind that is needed there. */
export type UnknownUpload = { unknownUpload: UploadReference };

/**
 * Changes the given settings of a project's overlay and notifies every replica at the commit. Concurrent changes of different
 * settings are all kept. Safe to repeat.
 */
export async function changeOverlaySettings(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  change: UpdateOverlaySettingsBody,
): Promise<OverlaySettings | UnknownUpload> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    // An upload that is deleted at the same time would be named by the settings for good.
    await lockProject(tx, projectId);
    const unknownUpload = await findUnknown(tx, projectId, uploadsOf(change));
    return unknownUpload === undefined ? saveChange(tx, projectId, change) : { unknownUpload };
  });
}

async function findUnknown(
  tx: TransactionSql,
  projectId: bigint,
  references: readonly UploadReference[],
): Promise<UploadReference | undefined> {
  if (references.length === 0) return undefined;
  const uploads = await tx<{ id: string; kind: string }[]>`
    select public_id as id, kind from uploads
    where project_id = ${projectId} and public_id = any (${references.map(({ id }) => id)}::text[])`;
  return references.find(({ id, kind }) => !uploads.some((own) => own.id === id && own.kind === kind));
}

async function saveChange(
  tx: TransactionSql,
  projectId: bigint,
  change: UpdateOverlaySettingsBody,
): Promise<OverlaySettings> {
  const [row] = await tx<SettingsRow[]>`
    update projects
    set overlay_settings = overlay_settings || ${tx.json(change)}, overlay_version = overlay_version + 1
    where id = ${projectId}
    returning id, overlay_version as version, overlay_settings as changed`;
  if (!row) throw new Error(`project ${projectId} not found`);
  await notifyOverlaySettings(tx, projectId);
  return versioned(row).settings;
}

/** Takes an upload that is deleted out of the settings. The caller has locked the project with `lockProject`. */
export async function forgetOverlayUpload(tx: TransactionSql, projectId: bigint, id: string): Promise<void> {
  const found = (await loadOverlaySettings({ sql: tx }, [projectId])).get(String(projectId));
  const change = withoutUpload(found?.settings ?? {}, id);
  if (Object.keys(change).length > 0) await saveChange(tx, projectId, change);
}

function versioned({ version, changed }: SettingsRow): VersionedOverlaySettings {
  const settings = { ...DEFAULT_OVERLAY_SETTINGS, ...changed };
  // Tiers that were saved before there were uploads name none.
  const tiers = settings.tiers.map((tier) => ({ ...NO_UPLOADS, ...tier }));
  return { version, settings: { ...settings, tiers } };
}

const NO_UPLOADS = { image_upload: null, sound_upload: null };

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
    if (!row) throw new Error(`project ${projectId} not found`);
    await notifyOverlaySettings(tx, projectId);
    return { ...DEFAULT_OVERLAY_SOURCES, ...row.changed };
  });
}
