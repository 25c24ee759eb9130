import { type Branding, DEFAULT_BRANDING, type UpdateBrandingBody } from '@paywatch/domain/contract';
import { type Actor, writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { type AnySql, inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { hasUpload } from '../uploads/has-upload.ts';
import { lockProject } from './lock-project.ts';

type BrandingRow = { changed: Partial<Branding> };

/** The branding of a project's payment pages. */
export async function loadBranding({ sql }: { sql: AnySql }, projectId: bigint): Promise<Branding> {
  const [row] = await sql<BrandingRow[]>`select branding as changed from projects where id = ${projectId}`;
  if (!row) throw new Error(`project ${projectId} not found`);
  return { ...DEFAULT_BRANDING, ...row.changed };
}

/**
 * Changes the given parts of a project's branding, and mails the owner. Concurrent changes of different parts are all kept. Each call adds
 * a line to the audit log and a mail; apart from that it is safe to repeat. Null, and nothing is changed, if the project has no such logo.
 */
export async function changeBranding(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  change: UpdateBrandingBody,
): Promise<Branding | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    // A logo that is deleted at the same time would be named for good.
    await lockProject(tx, projectId);
    const { logo } = change;
    if (typeof logo === 'string' && !(await hasUpload(tx, projectId, { publicId: logo, kind: 'logo' })))
      return null;
    const [row] = await tx<BrandingRow[]>`
      update projects set branding = branding || ${tx.json(change)}
      where id = ${projectId} returning branding as changed`;
    if (!row) throw new Error(`project ${projectId} not found`);
    await deleteUnusedLogos(tx, projectId);
    await recordChange(tx, projectId, actor, Object.keys(change));
    return { ...DEFAULT_BRANDING, ...row.changed };
  });
}

/** Deletes logos that were chosen and not saved, or replaced. The caller has locked the project with `lockProject`. */
export async function deleteUnusedLogos(tx: TransactionSql, projectId: bigint): Promise<void> {
  await tx`
    delete from uploads u using projects p
    where p.id = ${projectId} and u.project_id = p.id and u.kind = 'logo'
      and u.public_id is distinct from p.branding ->> 'logo'`;
}

/**
 * Takes a logo that is deleted out of the branding, which is then audited and mailed like any other change. The caller has locked the
 * project with `lockProject`.
 */
export async function forgetLogo(
  tx: TransactionSql,
  { projectId, publicId }: { projectId: bigint; publicId: string },
  actor: Actor,
): Promise<void> {
  const { count } = await tx`
    update projects set branding = branding - 'logo'
    where id = ${projectId} and branding ->> 'logo' = ${publicId}`;
  if (count > 0) await recordChange(tx, projectId, actor, ['logo']);
}

async function recordChange(
  tx: TransactionSql,
  projectId: bigint,
  actor: Actor,
  changed: readonly string[],
): Promise<void> {
  await writeAudit(tx, { projectId, action: 'project.branding_changed', actor, detail: { changed } });
  await queueNotice(tx, { projectId }, { kind: 'branding_changed' });
}
