import { randomBase58, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { byOperator } from '@paywatch/store/accounts';
import { endpointSecretPlace, insertEvent, setWebhookEndpoint } from '@paywatch/store/webhooks';
import { randomBytes } from 'node:crypto';

/** Creates an account with one project. */
export async function createProject({ sql }: Pick<Store, 'sql'>): Promise<bigint> {
  const name = randomBytes(6).toString('hex');
  const [project] = await sql<{ id: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash) values (${`${name}@example.org`}, 'none') returning id
    )
    insert into projects (account_id, name, donate_token, overlay_token)
    select id, 'Shop', ${`donate-${name}`}, ${`overlay-${name}`} from account returning id`;
  if (!project) throw new Error('no project was created');
  return project.id;
}

/** Sets the project's endpoint and returns its new secret. */
export async function setEndpoint(
  store: Store,
  sealer: Sealer,
  projectId: bigint,
  url: string,
): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const secretSealed = sealer.seal(secret, endpointSecretPlace(projectId));
  await setWebhookEndpoint(store, byOperator, { projectId, url, secretSealed });
  return secret;
}

/** Writes an event as the watcher does, and returns its public id and body. */
export async function causeEvent(
  store: Pick<Store, 'sql'>,
  projectId: bigint,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; body: string }> {
  const id = `evt_${randomBase58(16)}`;
  const body = JSON.stringify({
    id,
    type: 'invoice.confirmed',
    api_version: '1.0',
    ...fields,
    note: 'ž "é" \u2028',
  });
  const event = { publicId: id, projectId, invoiceId: null, type: 'invoice.confirmed', txid: null, body };
  await store.sql.begin((tx) => insertEvent(tx, event));
  return { id, body };
}

/** A row of `deliveries`; times in milliseconds from now, by the clock of Postgres. */
export type DeliveryState = {
  id: bigint;
  status: string;
  attempts: number;
  failures: number;
  /** Null when no attempt is planned. */
  dueInMs: number | null;
  /** When a relay may take it. */
  relayInMs: number;
};

/** The delivery of an event, or undefined. */
export async function readDelivery(
  { sql }: Pick<Store, 'sql'>,
  eventPublicId: string,
): Promise<DeliveryState | undefined> {
  const [row] = await sql<DeliveryState[]>`
    select d.id, d.status, d.attempts, d.failures,
           extract(epoch from d.next_attempt_at - now())::float8 * 1000 as "dueInMs",
           extract(epoch from d.relay_at - now())::float8 * 1000 as "relayInMs"
    from deliveries d join events e on e.id = d.event_id where e.public_id = ${eventPublicId}`;
  return row;
}

/** Simulates the passing of time: moves all timestamps of a project's deliveries back. */
export async function letTimePass({ sql }: Pick<Store, 'sql'>, projectId: bigint, ms: number): Promise<void> {
  const passed = sql`make_interval(secs => ${ms / 1000})`;
  await sql`
    update deliveries set next_attempt_at = next_attempt_at - ${passed}, relay_at = relay_at - ${passed},
      schedule_started_at = schedule_started_at - ${passed}, claimed_until = claimed_until - ${passed}
    where project_id = ${projectId}`;
}
