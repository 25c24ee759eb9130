import { findTroubles, INCIDENT_COMPONENTS, type IncidentComponent } from '@paywatch/domain/incidents';
import { inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { readServiceFacts } from './service-facts.ts';

/** An incident; `endedAt` is null while it lasts. */
export type Incident = { component: IncidentComponent; startedAt: Date; endedAt: Date | null };

/**
 * Opens an incident for each trouble that has lasted long enough, and ends those whose trouble is over. `sendsMail`: whether mail is
 * configured; null if this process does not know, which leaves incidents of mail alone. Any number of processes may run it; safe to
 * repeat.
 */
export async function recordIncidents(store: Store, sendsMail: boolean | null): Promise<void> {
  const troubles = findTroubles(await readServiceFacts(store, sendsMail === true));
  const judged = INCIDENT_COMPONENTS.filter((component) => component !== 'mail' || sendsMail !== null);
  const components = troubles.map(({ component }) => component);
  await inTransaction(store, async (tx) => {
    await tx`
      insert into incidents (component, started_at)
      select component, now() - make_interval(secs => seconds)
      from unnest(${components}::text[], ${troubles.map(({ seconds }) => seconds)}::float8[]) as t (component, seconds)
      where not exists (select from incidents i where i.component = t.component and i.ended_at is null)
      on conflict do nothing`;
    await tx`
      update incidents set ended_at = now()
      where ended_at is null and component = any (${judged}::text[]) and component <> all (${components}::text[])`;
  });
}

/** Lists the last incidents, newest first. */
export async function listIncidents({ sql }: Pick<Store, 'sql'>, limit: number): Promise<Incident[]> {
  return sql<Incident[]>`
    select component, started_at as "startedAt", ended_at as "endedAt"
    from incidents order by started_at desc, id desc limit ${limit}`;
}
