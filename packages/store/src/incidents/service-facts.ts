import type { ServiceFacts } from '@paywatch/domain/incidents';
import { loadChainStatuses, type ChainStatus } from '../chain/chain-status.ts';
import { measureMailLag } from '../mails/send-mails.ts';
import type { Store } from '../store.ts';
import { measureRelayLag } from '../webhooks/lease-deliveries.ts';

/** Reads what the status of the service follows from, with the chains in full. `sendsMail`: whether mail is configured. */
export async function readServiceFacts(
  store: Pick<Store, 'sql'>,
  sendsMail: boolean,
): Promise<ServiceFacts & { chains: readonly ChainStatus[] }> {
  const [chains, webhookLagSeconds, mailLagSeconds] = await Promise.all([
    loadChainStatuses(store),
    measureRelayLag(store),
    sendsMail ? measureMailLag(store) : null,
  ]);
  return { chains: [...chains.values()], webhookLagSeconds, mailLagSeconds };
}
