import {
  DEFAULT_DONATION_PAGE,
  type DonationPage,
  type UpdateDonationPageBody,
} from '@paywatch/domain/contract';
import { isDeepStrictEqual } from 'node:util';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { type AnySql, inTransaction } from '../postgres/database.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import type { Store } from '../store.ts';
import { hasUpload } from '../uploads/has-upload.ts';

type PageRow = { changed: Partial<DonationPage> };

/** The settings of a project's donation page. */
export async function loadDonationPage({ sql }: { sql: AnySql }, projectId: bigint): Promise<DonationPage> {
  const [row] = await sql<PageRow[]>`select donation_page as changed from projects where id = ${projectId}`;
  if (!row) throw new Error(`project ${projectId} not found`);
  return { ...DEFAULT_DONATION_PAGE, ...row.changed };
}

/**
 * Changes the given settings of a project's donation page. Concurrent changes of different settings are all kept. Each call adds a line
 * to the audit log; apart from that it is safe to repeat. Null, and nothing is changed, if the project has no such picture.
 */
export async function changeDonationPage(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  change: UpdateDonationPageBody,
): Promise<DonationPage | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const { picture } = change;
    if (
      typeof picture === 'string' &&
      !(await hasUpload(tx, projectId, { publicId: picture, kind: 'image' }))
    )
      return null;
    const [before] = await tx<PageRow[]>`
      select donation_page as changed from projects where id = ${projectId} for no key update`;
    const [row] = await tx<PageRow[]>`
      update projects set donation_page = donation_page || ${tx.json(change)}
      where id = ${projectId} returning donation_page as changed`;
    if (!before || !row) throw new Error(`project ${projectId} not found`);
    const detail = { changed: Object.keys(change) };
    await writeAudit(tx, { projectId, action: 'project.donation_page_changed', actor, detail });
    const page = { ...DEFAULT_DONATION_PAGE, ...row.changed };
    if (isReadByDonors({ ...DEFAULT_DONATION_PAGE, ...before.changed }, page))
      await queueNotice(tx, { projectId }, { kind: 'branding_changed' });
    return page;
  });
}

/** Whether donors read other words or see another picture: a thief could name another address in them. Pure. */
function isReadByDonors(before: DonationPage, after: DonationPage): boolean {
  return !(['picture', 'text', 'links'] as const).every((name) =>
    isDeepStrictEqual(before[name], after[name]),
  );
}
