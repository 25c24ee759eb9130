import type { Currency } from '../values/index.ts';

/** The parts of the service whose incidents are recorded: the view of each chain, and what is sent. */
export const INCIDENT_COMPONENTS = ['BTC', 'LTC', 'webhooks', 'mail'] as const;
/** A part of the service. */
export type IncidentComponent = (typeof INCIDENT_COMPONENTS)[number];

/** What is measured. All ages in seconds. */
export type ServiceFacts = {
  /** `staleSeconds`: since when the view of the chain has been stale; null while it is fresh. */
  readonly chains: readonly { readonly currency: Currency; readonly staleSeconds: number | null }[];
  /** How long the oldest due delivery has waited for a worker. */
  readonly webhookLagSeconds: number;
  /** The same for mails; null if no mail is sent. */
  readonly mailLagSeconds: number | null;
};

/** A part that is in trouble, and for how long. */
export type Trouble = { readonly component: IncidentComponent; readonly seconds: number };

/** Workers poll every few seconds even without a notification, and a watcher that dies is replaced within seconds. */
const TROUBLE_AFTER_SECONDS = 60;

/** Lists the parts whose trouble has lasted long enough to be an incident. Pure. */
export function findTroubles({ chains, webhookLagSeconds, mailLagSeconds }: ServiceFacts): Trouble[] {
  const troubles: Trouble[] = [
    ...chains.map(({ currency, staleSeconds }) => ({ component: currency, seconds: staleSeconds ?? 0 })),
    { component: 'webhooks', seconds: webhookLagSeconds },
    { component: 'mail', seconds: mailLagSeconds ?? 0 },
  ];
  return troubles.filter(({ seconds }) => seconds > TROUBLE_AFTER_SECONDS);
}
