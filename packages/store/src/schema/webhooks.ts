import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { projects } from './accounts/accounts.ts';
import { bytea, createdAt, identity, instant, reference } from './columns.ts';

/**
 * The endpoints that receive a project's events. Each project has at most one first endpoint, which POST /v1/webhooks sets, and
 * a few further ones. A replaced secret still signs for 24 hours.
 */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: identity(),
    publicId: text('public_id')
      .notNull()
      .unique()
      .default(sql`'we_' || replace(gen_random_uuid()::text, '-', '')`),
    /** The project whose first endpoint this is; null for a further one. Exactly one of the two columns is set. */
    projectId: reference('project_id')
      .unique()
      .references(() => projects.id),
    furtherProjectId: reference('further_project_id').references(() => projects.id),
    ownerId: reference('owner_id')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(project_id, further_project_id)`),
    /** What deliveries find their endpoint by; see `deliveryKey`. */
    key: reference('key')
      .notNull()
      .unique()
      .generatedAlwaysAs(sql`coalesce(project_id, -id)`),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    /** The types of event that are sent; null for all. */
    eventTypes: text('event_types').array(),
    /** Sealed with the encryption key that the value names. */
    secretSealed: bytea('secret_sealed').notNull(),
    previousSecretSealed: bytea('previous_secret_sealed'),
    previousSecretUntil: instant('previous_secret_until'),
    status: text('status').$type<'healthy' | 'failing' | 'disabled'>().notNull().default('healthy'),
    failingSince: instant('failing_since'),
    /** Why the status last changed to failing or disabled. */
    lastError: text('last_error'),
    /** The first attempt since it was set; null if there was none. */
    triedAt: instant('tried_at'),
    /** Grows each time that the endpoint is set, so that attempts at an earlier endpoint do not change this one's health. */
    version: integer('version').notNull().default(1),
    /** When it was last set. */
    createdAt: createdAt(),
  },
  (t) => [
    index('webhook_endpoints_owner_idx').on(t.ownerId, t.id),
    index('webhook_endpoints_previous_idx')
      .on(t.previousSecretUntil)
      .where(sql`${t.previousSecretUntil} is not null`),
    index('webhook_endpoints_failing_idx')
      .on(t.failingSince)
      .where(sql`${t.failingSince} is not null`),
    check('webhook_endpoints_status', sql`${t.status} in ('healthy', 'failing', 'disabled')`),
    check('webhook_endpoints_project', sql`(${t.projectId} is null) <> (${t.furtherProjectId} is null)`),
  ],
);

/** An outcome, written in the transaction that caused it. `body` is the exact text that every attempt sends. */
export const events = pgTable(
  'events',
  {
    id: identity(),
    publicId: text('public_id').notNull().unique(),
    projectId: reference('project_id').notNull(),
    /** Null for a test event. */
    invoiceId: reference('invoice_id'),
    type: text('type').notNull(),
    /** The transaction that a late_payment event reports. */
    txid: bytea('txid'),
    body: text('body').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('events_one_per_outcome')
      .on(t.invoiceId, t.type)
      .where(sql`${t.type} <> 'invoice.late_payment'`),
    uniqueIndex('events_one_per_late_transaction')
      .on(t.invoiceId, t.txid)
      .where(sql`${t.type} = 'invoice.late_payment'`),
    index('events_project_idx').on(t.projectId, t.id),
    index('events_project_type_idx').on(t.projectId, t.type, t.id),
    index('events_invoice_idx').on(t.invoiceId, t.id),
    // Test events, which are deleted after a time.
    index('events_tests_idx')
      .on(t.createdAt)
      .where(sql`${t.invoiceId} is null`),
    check(
      'events_late_has_txid',
      sql`${t.type} <> 'invoice.late_payment' or ${t.txid} is not null or ${t.invoiceId} is null`,
    ),
  ],
);

/**
 * The delivery of an event to one endpoint, and its result. Absent if the endpoint did not want the event, or the project had no
 * endpoint. `event_id` names the event of a delivery to the first endpoint; `further_event_id` and `endpoint_id` are set for a
 * further one. A release that knows only one endpoint therefore ignores the deliveries to the others. `next_attempt_at` is the
 * schedule. `relay_at` is when a relay looks at the row again: later than scheduled while a job is queued, an attempt is
 * claimed, or the endpoint is busy or disabled. Whatever is lost in between, the row becomes due again.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: identity(),
    eventId: reference('event_id')
      .unique()
      .references(() => events.id),
    furtherEventId: reference('further_event_id').references(() => events.id),
    /** Without a foreign key: the deliveries of a deleted endpoint stay. */
    endpointId: reference('endpoint_id'),
    projectId: reference('project_id').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'failed'>().notNull().default('pending'),
    /** Number of attempts so far, which is the number of the last one. */
    attempts: integer('attempts').notNull().default(0),
    /** Failures since the schedule started; a redelivery starts a new one. */
    failures: integer('failures').notNull().default(0),
    scheduleStartedAt: instant('schedule_started_at').notNull().defaultNow(),
    nextAttemptAt: instant('next_attempt_at').defaultNow(),
    relayAt: instant('relay_at').notNull().defaultNow(),
    /** One worker may send until then; the claim of a dead worker expires. */
    claimedUntil: instant('claimed_until'),
    /** The token of the relay or worker that leased the row last: after a lost response, it finds its rows again. */
    takenBy: uuid('taken_by'),
    /** Grows with each claim and each redelivery: only the report of a claim that nothing followed schedules the next attempt. */
    claims: integer('claims').notNull().default(0),
    /** The id of the request in the log: that of its invoice, or of the last redelivery request. */
    requestId: text('request_id'),
    deliveredAt: instant('delivered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('deliveries_relay_idx')
      .on(t.relayAt)
      .where(sql`${t.status} = 'pending'`),
    index('deliveries_key_idx')
      .on(sql`coalesce(-endpoint_id, project_id)`, t.nextAttemptAt)
      .where(sql`${t.status} = 'pending'`),
    uniqueIndex('deliveries_further_idx')
      .on(t.furtherEventId, t.endpointId)
      .where(sql`${t.furtherEventId} is not null`),
    index('deliveries_endpoint_idx')
      .on(t.endpointId, t.furtherEventId)
      .where(sql`${t.endpointId} is not null`),
    check(
      'deliveries_event',
      sql`(${t.eventId} is null) = (${t.endpointId} is not null) and (${t.furtherEventId} is null) = (${t.endpointId} is null)`,
    ),
    check('deliveries_status', sql`${t.status} in ('pending', 'delivered', 'failed')`),
    check('deliveries_next_attempt', sql`(${t.status} = 'pending') = (${t.nextAttemptAt} is not null)`),
  ],
);

/**
 * One HTTP request and its result. Has no foreign key to its delivery: one statement writes both, and deliveries are never
 * deleted, so the check would read the same row again and cost as much as the insert.
 */
export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    deliveryId: reference('delivery_id').notNull(),
    number: integer('number').notNull(),
    /** The endpoint at the time of the attempt. */
    url: text('url').notNull(),
    startedAt: instant('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    httpStatus: integer('http_status'),
    /** Why there was no response, in a few words for the merchant. */
    error: text('error'),
    /** First KiB of the response. */
    responseExcerpt: text('response_excerpt'),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.number] })],
);

export type WebhookEndpointRow = typeof webhookEndpoints.$inferSelect;
export type EventRow = typeof events.$inferSelect;
export type DeliveryRow = typeof deliveries.$inferSelect;
export type DeliveryAttemptRow = typeof deliveryAttempts.$inferSelect;
