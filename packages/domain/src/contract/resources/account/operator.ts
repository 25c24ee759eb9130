import { z } from 'zod';
import { SETTING_LIMITS } from '../../limits.ts';
import { listOf, listQuerySchema } from '../../fields/lists.ts';
import {
  accountIdSchema,
  currencySchema,
  momentSchema,
  networkSchema,
  projectIdSchema,
  publicIdSchema,
  timestampSchema,
} from '../../fields/primitives.ts';
import { exactText, shownText } from '../../fields/text.ts';
import { auditLineSchema } from './audit-log.ts';

const countSchema = z.int().min(0);
const secondsSchema = countSchema.meta({ description: 'How long the oldest one that is due has waited.' });

const operatedChainSchema = z.object({
  currency: currencySchema,
  network: networkSchema,
  tip_height: countSchema.meta({ description: 'The highest block up to which everything is recorded.' }),
  blocks_behind: z.int().meta({ description: 'Known blocks that are not recorded yet.' }),
  read_at: timestampSchema.meta({ description: 'When the chain was last read completely.' }),
  fresh: z
    .boolean()
    .meta({ description: 'Whether the view is up to date. Nothing expires while it is not.' }),
  leader: z.boolean().meta({ description: 'Whether a watcher follows the chain.' }),
  decisions_due: countSchema.meta({ description: 'Invoices that wait for a decision on their status.' }),
  sources: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Host and port.' }),
        usable: z.boolean(),
      }),
    )
    .meta({ description: 'The sources that watchers reported within the last five minutes.' }),
});

const problemSchema = z.object({
  code: z.enum([
    'no_chain',
    'no_leader',
    'stale_chain',
    'late_webhooks',
    'late_mail',
    'dry_pools',
    'parked_invoices',
    'redis_unavailable',
    'archive_failing',
  ]),
  // Not the component: in OpenAPI 3.0 a reference cannot be nullable.
  currency: z.enum(currencySchema.options).nullable(),
  count: countSchema.nullable().meta({ description: 'Pools or invoices.' }),
  seconds: countSchema.nullable().meta({ description: 'How long the oldest one has waited.' }),
  text: z.string().meta({ description: 'The problem as `paywatch status` prints it.' }),
});

const findingSchema = z.object({
  check: z.string(),
  status: z.enum(['ok', 'warning', 'failed', 'skipped']),
  detail: z.string(),
  advice: z.string().nullable().meta({ description: 'What to do; null if nothing.' }),
});

/** The account that an action of an operator concerned. */
const concernedAccountSchema = z.object({ account_id: accountIdSchema, email: z.string() });

const operatorActionSchema = z
  .object({
    ...auditLineSchema.shape,
    account: concernedAccountSchema
      .nullable()
      .meta({ description: 'The account concerned; null if it is deleted.' }),
  })
  .meta({ id: 'OperatorAction' });
export type OperatorActionView = z.infer<typeof operatorActionSchema>;

/** GET /v1/operator/overview */
export const operatorOverviewSchema = z
  .object({
    checked_at: timestampSchema,
    chains: z.array(operatedChainSchema),
    webhooks: z.object({
      pending: countSchema.meta({ description: 'Deliveries without a final outcome, retries included.' }),
      due: countSchema.meta({ description: 'Deliveries that wait for a worker.' }),
      failing: countSchema,
      lag_seconds: secondsSchema,
    }),
    mail: z
      .object({ due: countSchema, lag_seconds: secondsSchema })
      .nullable()
      .meta({ description: 'null if this deployment sends no mail.' }),
    pools: z.array(
      z.object({
        currency: currencySchema,
        ample: countSchema,
        low: countSchema,
        dry: countSchema.meta({ description: 'Pools without a free address.' }),
        free_addresses: countSchema,
      }),
    ),
    parked_invoices: countSchema,
    redis: z.boolean().meta({ description: 'Whether Redis answers this replica.' }),
    incidents: z
      .array(
        z.object({
          component: z.enum(['BTC', 'LTC', 'webhooks', 'mail']),
          started_at: timestampSchema,
          ended_at: timestampSchema.nullable().meta({ description: 'null while it lasts.' }),
        }),
      )
      .meta({ description: 'The last ten of 90 days, newest first.' }),
    problems: z
      .array(problemSchema)
      .meta({ description: 'What needs action, as `paywatch status` finds it.' }),
    findings: z.array(findingSchema).meta({
      description:
        'The checks of `paywatch doctor` that this replica can do. The command also checks nodes, mail, disks and backups.',
    }),
    actions: z
      .array(operatorActionSchema)
      .meta({ description: 'The last twenty actions of operators, newest first.' }),
  })
  .meta({ id: 'OperatorOverview' });
export type OperatorOverview = z.infer<typeof operatorOverviewSchema>;

/** GET /v1/operator/accounts */
export const listOperatorAccountsQuerySchema = listQuerySchema.extend({
  q: exactText(SETTING_LIMITS.operatorSearch)
    .optional()
    .meta({
      ...SETTING_LIMITS.operatorSearch,
      description: 'Part of an email or of the name of a project, without regard to case.',
    }),
});

const subscriptionStateSchema = z.object({
  active: z.boolean(),
  active_until: timestampSchema.nullable().meta({ description: 'null if there never was one.' }),
});

const accountSummaryShape = {
  account_id: accountIdSchema,
  email: z.string(),
  email_verified: z.boolean(),
  is_operator: z.boolean(),
  created_at: timestampSchema,
};

/** An account in the list of an operator. */
export const operatedAccountSchema = z
  .object({
    ...accountSummaryShape,
    project_name: z.string().nullable().meta({ description: 'Of its first project; null until it is set.' }),
    subscription: subscriptionStateSchema.meta({ description: 'Of its first project.' }),
  })
  .meta({ id: 'OperatedAccount' });
export type OperatedAccountView = z.infer<typeof operatedAccountSchema>;

/** GET /v1/operator/accounts */
export const operatedAccountListSchema = listOf(operatedAccountSchema, 'OperatedAccountList');

/** Path of an account. */
export const operatedAccountParamsSchema = z.object({ accountId: accountIdSchema });

const operatedProjectSchema = z.object({
  project_id: projectIdSchema,
  name: z.string().nullable().meta({ description: 'null until it is set.' }),
  first: z.boolean(),
  created_at: timestampSchema,
  subscription: subscriptionStateSchema,
  wallets: z.array(
    z.object({
      currency: currencySchema,
      verified: z.boolean(),
      serving: z.boolean(),
      free_addresses: countSchema,
      limited: z.boolean().meta({ description: 'Whether the address limit stops derivation.' }),
    }),
  ),
  webhook: z
    .object({
      url: z.string().meta({ description: 'Without its query.' }),
      status: z.enum(['healthy', 'failing', 'disabled']),
      failing_since: timestampSchema.nullable(),
    })
    .nullable(),
});

/** GET /v1/operator/accounts/{accountId} */
export const operatedAccountDetailsSchema = z
  .object({
    ...accountSummaryShape,
    second_factor: z.boolean().meta({ description: 'Whether a login needs a second factor.' }),
    sessions: countSchema.meta({ description: 'Open sessions.' }),
    addresses: z.object({
      derived: countSchema.meta({ description: 'Addresses that its wallets hold.' }),
      limit: countSchema.meta({ description: 'How many they may hold; each paid address adds 20.' }),
      own_limit: countSchema.nullable().meta({
        description: 'The limit that an operator set, before payments; null: that of the deployment.',
      }),
    }),
    projects: z
      .array(operatedProjectSchema)
      .meta({ description: 'The projects it created, the first one first.' }),
    changes: z.array(auditLineSchema).meta({ description: 'The last twenty changes, newest first.' }),
  })
  .meta({ id: 'OperatedAccountDetails' });
export type OperatedAccountDetails = z.infer<typeof operatedAccountDetailsSchema>;

/** POST /v1/operator/accounts/{accountId}/unlock */
export const unlockAccountBodySchema = z
  .strictObject({
    reason: shownText(SETTING_LIMITS.operatorReason).meta({
      ...SETTING_LIMITS.operatorReason,
      description: 'How you identified the owner, who reads this in the audit log.',
      example: 'Called back',
    }),
  })
  .meta({ id: 'UnlockAccount' });

/** POST /v1/operator/accounts/{accountId}/subscription */
export const setSubscriptionBodySchema = z
  .strictObject({
    project_id: projectIdSchema.optional().meta({
      description: 'A project of the account; without it the first one.',
    }),
    until: momentSchema().meta({
      description: 'The end of the subscription, in the future.',
      example: '2027-01-31T23:59:59.999Z',
    }),
  })
  .meta({ id: 'SetSubscription' });

/** POST /v1/operator/accounts/{accountId}/address-limit */
export const setAddressLimitBodySchema = z
  .strictObject({
    addresses: z
      .int()
      .min(SETTING_LIMITS.addressLimit.min)
      .max(SETTING_LIMITS.addressLimit.max)
      .nullable()
      .meta({
        description:
          'Derived addresses that the account may hold; each paid address adds 20. null: the limit of the deployment.',
        example: 50_000,
      }),
  })
  .meta({ id: 'SetAddressLimit' });

/** An invoice whose status cannot be decided. */
export const parkedInvoiceSchema = z
  .object({
    public_id: publicIdSchema,
    currency: currencySchema,
    project_id: projectIdSchema,
    account: concernedAccountSchema,
    error_class: z.string(),
    error_message: z.string().meta({ description: 'Without values, which may be data of customers.' }),
    attempts: countSchema,
    parked_at: timestampSchema,
    failed_at: timestampSchema.meta({ description: 'The last failed attempt.' }),
    next_attempt_at: timestampSchema,
  })
  .meta({ id: 'ParkedInvoice' });
export type ParkedInvoiceView = z.infer<typeof parkedInvoiceSchema>;

/** GET /v1/operator/parked-invoices */
export const parkedInvoiceListSchema = listOf(parkedInvoiceSchema, 'ParkedInvoiceList');

/** Path of a parked invoice. */
export const parkedInvoiceParamsSchema = z.object({ publicId: publicIdSchema });
