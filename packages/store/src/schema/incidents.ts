import type { IncidentComponent } from '@paywatch/domain/incidents';
import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { identity, instant } from './columns.ts';

/** Troubles that lasted, for the status page. A part of the service has at most one that has not ended. */
export const incidents = pgTable(
  'incidents',
  {
    id: identity(),
    component: text('component').$type<IncidentComponent>().notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    uniqueIndex('incidents_open')
      .on(t.component)
      .where(sql`${t.endedAt} is null`),
    index('incidents_started_idx').on(t.startedAt),
    check('incidents_component', sql`${t.component} in ('BTC', 'LTC', 'webhooks', 'mail')`),
    check('incidents_times', sql`${t.endedAt} is null or ${t.endedAt} >= ${t.startedAt}`),
  ],
);
