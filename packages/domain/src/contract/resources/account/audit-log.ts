import { z } from 'zod';
import { listOf, listQuerySchema } from '../../fields/lists.ts';
import { momentSchema, timestampSchema } from '../../fields/primitives.ts';

/** What is written to the audit log. */
export const auditActionSchema = z
  .enum([
    'account.registered',
    'account.registered_again',
    'account.address_limit_changed',
    'account.unlocked',
    'account.exported',
    'account.deleted',
    'operator.added',
    'operator.removed',
    'email.verified',
    'email.change_requested',
    'email.changed',
    'password.changed',
    'password.reset',
    'sessions.ended',
    'second_factor.added',
    'second_factor.renamed',
    'second_factor.removed',
    'second_factors.reset',
    'recovery_code.used',
    'recovery_codes.replaced',
    'project.created',
    'project.renamed',
    'project.price_margins_changed',
    'project.fiat_currency_changed',
    'project.embed_sites_changed',
    'project.donation_page_changed',
    'project.branding_changed',
    'project.donor_texts_changed',
    'project.token_rotated',
    'member.invited',
    'member.joined',
    'member.role_changed',
    'member.removed',
    'member.left',
    'invitation.cancelled',
    'api_key.created',
    'api_key.revoked',
    'wallet.registered',
    'wallet.verified',
    'wallet.replaced',
    'wallet.expired',
    'wallet.gap_limit_changed',
    'wallet.change_scheduled',
    'wallet.change_cancelled',
    'wallet.change_applied',
    'wallet.delay_changed',
    'webhook.set',
    'webhook.added',
    'webhook.changed',
    'webhook.secret_rotated',
    'webhook.deleted',
    'payment_link.created',
    'payment_link.changed',
    'payment_link.token_rotated',
    'payment_link.deleted',
    'orders.imported',
    'payment.unassigned',
    'invoice.retried',
    'subscription.changed',
  ])
  .meta({ id: 'AuditAction' });
export type AuditAction = z.infer<typeof auditActionSchema>;

const filterShape = {
  action: auditActionSchema.optional(),
  from: momentSchema().optional().meta({ description: 'Written at this moment or later.' }),
  to: momentSchema().optional().meta({ description: 'Written before this moment.' }),
};

/** GET /v1/audit-log */
export const listAuditLogQuerySchema = listQuerySchema
  .extend(filterShape)
  .refine(isForward, { path: ['to'], error: 'Must not be before from.' });

/** GET /v1/audit-log/export */
export const exportAuditLogQuerySchema = z
  .strictObject({
    ...filterShape,
    format: z.enum(['csv', 'jsonl']).default('csv').meta({ description: 'CSV, or one JSON object a line.' }),
  })
  .refine(isForward, { path: ['to'], error: 'Must not be before from.' });
export type AuditLogFilterQuery = Pick<z.output<typeof exportAuditLogQuerySchema>, 'action' | 'from' | 'to'>;

function isForward({ from, to }: { from?: number | undefined; to?: number | undefined }): boolean {
  return from === undefined || to === undefined || from <= to;
}

/** Without `additionalProperties` the generator writes one that OpenAPI 3.0 does not allow. */
const valuesSchema = z.looseObject({}).meta({ additionalProperties: true });

/** One line of the audit log. */
export const auditLineSchema = z
  .object({
    id: z.uuid(),
    at: timestampSchema,
    action: auditActionSchema,
    actor: z.object({
      type: z.enum(['person', 'api_key', 'operator', 'system', 'unknown']).meta({
        description:
          'operator: who runs this deployment, on the command line or in the operator’s area; system: Paywatch itself; unknown: nobody logged in.',
      }),
      name: z
        .string()
        .nullable()
        .meta({ description: 'The email of a person, the public part of an API key; otherwise null.' }),
    }),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'The address that the request came from; null where there was none.' }),
    details: valuesSchema.meta({
      description: 'What the action was about. Never a secret or an extended key.',
    }),
    before: valuesSchema.nullable().meta({ description: 'What the change replaced.' }),
    after: valuesSchema.nullable().meta({ description: 'What it was replaced by.' }),
  })
  .meta({ id: 'AuditLine' });
export type AuditLineView = z.infer<typeof auditLineSchema>;

/** GET /v1/audit-log */
export const auditLogSchema = listOf(auditLineSchema, 'AuditLog');
export type AuditLogView = z.infer<typeof auditLogSchema>;
