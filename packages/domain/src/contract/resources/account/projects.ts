import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { projectIdSchema, timestampSchema } from '../../fields/primitives.ts';
import { projectRoleSchema } from '../../fields/project-roles.ts';
import { shownText } from '../../fields/text.ts';

/** The header by which a session names the project that it acts on. */
export const PROJECT_HEADER = 'Paywatch-Project';

/** It is optional: without it a session acts on the first project of its account. */
export const projectHeaderShape = {
  [PROJECT_HEADER]: projectIdSchema.optional().meta({
    description:
      'The project that a session acts on, by its id in GET /v1/projects; without it the first project of the account. API keys belong to one project and are sent without it.',
  }),
};

/** POST /v1/projects */
export const createProjectBodySchema = z
  .strictObject({
    name: shownText(LIMITS.projectName).meta({
      ...LIMITS.projectName,
      description: 'What payers and donors see. Plain text.',
      example: 'Second Shop',
    }),
  })
  .meta({ id: 'CreateProject' });

/** A project of the caller. */
export const projectSummarySchema = z
  .object({
    project_id: projectIdSchema,
    name: z.string().nullable().meta({ description: 'null until it is set.' }),
    role: projectRoleSchema.meta({ description: 'What the caller may do there.' }),
    first: z.boolean().meta({ description: 'Whether requests without `Paywatch-Project` act on it.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'ProjectSummary' });
export type ProjectSummaryView = z.infer<typeof projectSummarySchema>;

/** GET /v1/projects */
export const projectListSchema = z
  .object({
    data: z
      .array(projectSummarySchema)
      .meta({ description: 'The first project of the account, then by age.' }),
  })
  .meta({ id: 'ProjectList' });
export type ProjectList = z.infer<typeof projectListSchema>;
