import { z } from 'zod';
import { PROJECT_ROLES } from './role-order.ts';

export { includesRole, type ProjectRole } from './role-order.ts';

/** What a person may do in a project. */
export const projectRoleSchema = z.enum(PROJECT_ROLES).meta({ id: 'ProjectRole' });
