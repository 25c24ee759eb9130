import {
  createProjectBodySchema,
  projectListSchema,
  projectSummarySchema,
} from '../../resources/account/projects.ts';
import type { Operation } from '../operation.ts';

/** The projects of an account. */
export const projectOperations = {
  listProjects: {
    method: 'get',
    path: '/v1/projects',
    tag: 'Project',
    summary: 'List the projects of the caller',
    description:
      'Those that the account created and those that it is a member of, with the role of the caller. A session acts on the first one unless the header `Paywatch-Project` names another.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account'],
    responses: { 200: { description: 'The projects.', schema: projectListSchema } },
    errors: [],
  },
  createProject: {
    method: 'post',
    path: '/v1/projects',
    tag: 'Project',
    summary: 'Create a project',
    description:
      'With wallets, keys, endpoints and a subscription of its own. The trial of an account counts from its registration, so a later project gets what is left of it. The derived addresses of all projects of an account count together. An account creates at most 10 projects.',
    auth: 'bearer',
    role: 'account',
    rateLimits: ['account', 'project_change'],
    body: createProjectBodySchema,
    responses: { 201: { description: 'The project.', schema: projectSummarySchema } },
    errors: ['too_many_projects'],
  },
} as const satisfies Record<string, Operation>;
