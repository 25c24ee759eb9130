import type { Currency } from '@paywatch/domain/values';

/** Where a chain is read: a pruned node that Compose runs, a public Esplora server, or a source that you name later. */
export type ChainChoice = 'node' | 'esplora' | 'none';

/** What `paywatch init --compose` was asked for. */
export type ComposeAnswers = {
  /** Caddy gets a certificate for it; null without TLS. */
  domain: string | null;
  /** Receives mail of the certificate authority and alerts. */
  email: string | null;
  chains: Record<Currency, ChainChoice>;
};

const ESPLORA: Record<Currency, string> = {
  BTC: 'https://mempool.space/api',
  LTC: 'https://litecoinspace.org/api',
};

/** The service of compose.yaml that runs a node, which is also the name of its profile. */
export const NODES: Record<Currency, { service: string; rpcPort: number }> = {
  BTC: { service: 'bitcoind', rpcPort: 8332 },
  LTC: { service: 'litecoind', rpcPort: 9332 },
};

/** The variables of `.env` that follow from the answers. */
export function settingsOf({ domain, email, chains }: ComposeAnswers): Record<string, string> {
  return {
    COMPOSE_PROFILES: profilesOf(domain, chains).join(','),
    ...(domain !== null && { PUBLIC_URL: `https://${domain}` }),
    ...(email !== null && { ACME_EMAIL: email }),
    ...chainSettings('BTC', chains.BTC),
    ...chainSettings('LTC', chains.LTC),
  };
}

function profilesOf(domain: string | null, chains: ComposeAnswers['chains']): string[] {
  const nodes = (['BTC', 'LTC'] as const).filter((currency) => chains[currency] === 'node');
  return ['single', ...(domain === null ? [] : ['tls']), ...nodes.map((currency) => NODES[currency].service)];
}

function chainSettings(currency: Currency, choice: ChainChoice): Record<string, string> {
  if (choice === 'esplora') return { [`${currency}_ESPLORA_URL`]: ESPLORA[currency] };
  if (choice === 'node') return { [`${currency}_NODE_ZMQ_URL`]: `tcp://${NODES[currency].service}:28332` };
  return {};
}

/** Sets variables in the text of `.env.example`, whose lines are `NAME=value` or `# NAME=value`. Throws for an unknown name. */
export function fillSettings(template: string, settings: Readonly<Record<string, string>>): string {
  let text = template;
  for (const [name, value] of Object.entries(settings)) {
    const line = new RegExp(`^(?:# )?${name}=.*$`, 'm');
    if (!line.test(text)) throw new Error(`.env.example has no line for ${name}`);
    text = text.replace(line, () => `${name}=${value}`);
  }
  return text;
}
