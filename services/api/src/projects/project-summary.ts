import type { ProjectSummaryView } from '@paywatch/domain/contract';
import type { ProjectOfAccount } from '@paywatch/store/members';

/** A project in a list of the caller's. */
export function projectSummary({
  publicId,
  name,
  role,
  isFirst,
  createdAt,
}: ProjectOfAccount): ProjectSummaryView {
  return {
    project_id: publicId,
    name: name === '' ? null : name,
    role,
    first: isFirst,
    created_at: createdAt.toISOString(),
  };
}
