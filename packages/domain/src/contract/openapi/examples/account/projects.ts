import type { ProjectSummaryView } from '../../../resources/account/projects.ts';
import type { OperationExample } from '../operation-example.ts';

const first: ProjectSummaryView = {
  project_id: 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90',
  name: 'Example Shop',
  role: 'owner',
  first: true,
  created_at: '2026-11-20T09:00:00.000Z',
};
const second: ProjectSummaryView = {
  project_id: 'prj_0c8e7f5b9d3a4e61b7f2d4c6a8091e3f',
  name: 'Second Shop',
  role: 'owner',
  first: false,
  created_at: '2026-11-20T12:00:00.000Z',
};

/** Of the projects of an account. */
export const projectExamples = {
  createProject: { request: { name: 'Second Shop' }, response: second },
  listProjects: { response: { data: [first, second] } },
} as const satisfies Record<string, OperationExample>;
