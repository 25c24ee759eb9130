import { defaultOf, descriptionOf, schemasOf, type ProcessVariables } from './configuration-page.ts';

const BEGIN = '  # begin settings\n';
const END = '  # end settings\n';

/** Variables that only compose.yaml reads, with their defaults and meanings, in the order of .env.example. */
const COMPOSE_VARIABLES: readonly (readonly [name: string, value: string, meaning: string])[] = [
  ['COMPOSE_PROFILES', 'single', 'Profiles that `docker compose up` starts; compose.yaml explains each.'],
  [
    'ACME_EMAIL',
    '',
    'Email of your account at the certificate authority, for the profile `tls`. Unset: Caddy is its own authority, which browsers do not trust.',
  ],
  [
    'CADDY_LISTEN',
    '',
    'Address on which Caddy listens, with a colon: `192.0.2.1:`. Unset: every address of this machine.',
  ],
  [
    'HTTP_LISTEN',
    '127.0.0.1:8080',
    'Where HAProxy listens for HTTP. Keep it on loopback, except behind a proxy on another machine.',
  ],
  ['TLS_LISTEN', '127.0.0.1:8443', 'Where HAProxy listens for TLS, if it terminates TLS itself.'],
  ['TLS_CERTIFICATE', 'none', '`/run/secrets/tls` if HAProxy terminates TLS itself.'],
  [
    'TLS_CERTIFICATE_FILE',
    '/dev/null',
    'PEM file with certificate chain and key, if HAProxy terminates TLS itself.',
  ],
  [
    'TRUSTED_UPSTREAMS',
    '255.255.255.255',
    'Your own TLS proxies whose `X-Forwarded-For` counts, separated by spaces. Caddy is always one.',
  ],
  [
    'PROXY_PROTOCOL_UPSTREAMS',
    '255.255.255.255',
    'Your own balancers that send the PROXY protocol, separated by spaces.',
  ],
  ['FRONT_SUBNET', '172.31.251.0/24', 'Network of HAProxy and the API.'],
  ['EDGE_SUBNET', '172.31.253.0/24', 'Network of Caddy and HAProxy.'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '', 'URL of a collector for traces (OTLP over HTTP). Unset: no tracing.'],
  ['SERVICE_MEMORY', '768m', 'Memory limit of an API replica, a webhook worker and the commands.'],
  ['WATCHER_MEMORY', '1g', 'Memory limit of a watcher.'],
  ['POSTGRES_MEMORY', '2g', 'Memory limit of Postgres.'],
  ['REDIS_MEMORY', '512m', 'Memory limit of a Redis server. Leave a quarter above `REDIS_MAXMEMORY`.'],
  [
    'REDIS_MAXMEMORY',
    '384mb',
    'Memory for data at which Redis refuses writes; the services then work without it.',
  ],
  ['BITCOIND_MEMORY', '3g', 'Memory limit of the Bitcoin node.'],
  ['LITECOIND_MEMORY', '3g', 'Memory limit of the Litecoin node.'],
  ['BTC_CHAIN', 'main', 'Chain of the Bitcoin node, as in `BTC_NETWORK`: main, test, regtest.'],
  ['LTC_CHAIN', 'main', 'Chain of the Litecoin node, as in `LTC_NETWORK`: main, test, regtest.'],
  [
    'BTC_PRUNE_MB',
    '10000',
    'Blocks that the Bitcoin node keeps, in MB. They must cover your longest downtime.',
  ],
  [
    'LTC_PRUNE_MB',
    '10000',
    'Blocks that the Litecoin node keeps, in MB. They must cover your longest downtime.',
  ],
  [
    'BTC_CACHE_MB',
    '1000',
    'Database cache of the Bitcoin node, in MB. More makes the first download faster.',
  ],
  [
    'LTC_CACHE_MB',
    '1000',
    'Database cache of the Litecoin node, in MB. More makes the first download faster.',
  ],
  ['METRICS_DAYS', '30', 'Days for which Prometheus keeps metrics.'],
  ['DATABASE_URL_SECRET', './secrets/database_url', 'For the profile `cluster`: `./secrets/pooled_url`.'],
  ['DATABASE_DIRECT_URL_SECRET', '/dev/null', 'For the profile `cluster`: `./secrets/database_url`.'],
  ['REDIS_URL_SECRET', './secrets/redis_url', 'For the profile `cluster`: `./secrets/redis_cluster_url`.'],
  ['LOAD', 'create', 'Script of the profile `load`: a file in loadtests/k6.'],
  ['LOAD_API_KEYS', '', 'API keys for the profile `load`, separated by commas.'],
  ['LOAD_CURRENCY', 'BTC', 'Currency for the profile `load`.'],
  ['LOAD_DONATE_TOKEN', '', 'Donation link for the profile `load`.'],
  ['LOAD_OVERLAY_TOKEN', '', 'Token of its overlay.'],
  ['LOAD_CONTROL_TOKEN', '', 'Token of the control page of its moderators.'],
  ['LOAD_SMALL_API_KEY', '', 'API key of an account with few addresses, for the profile `load`.'],
  ['LOAD_SMALL_XPUB', '', 'Extended key of its wallet.'],
  ['LOAD_SMALL_PATH', '', 'Derivation path of its wallet.'],
];

const HEAD = `# Variables of compose.yaml. \`paywatch init --compose .\` writes .env from this file, and the secrets into ./secrets.
# A line without \`#\` sets a variable. Secrets are files: write MAIL_URL to secrets/mail_url, BTC_NODE_URL to secrets/btc_node_url, …
# This file is generated from compose.yaml and the schemas that validate the variables: run \`npx vitest run configuration -u\` in test/.
`;

/** compose.yaml with a line for every variable of the services that is not set above, in the environment that they share. */
export function withServiceSettings(compose: string, services: readonly ProcessVariables[]): string {
  const [before = '', rest = ''] = compose.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error('compose.yaml has no place for settings');
  const lines = plainNames(before, services).map((name) => `  ${name}: \${${name}:-}\n`);
  return [before, BEGIN, ...lines, END, after].join('');
}

/** The text of .env.example. Throws if compose.yaml reads a variable without a meaning, or a listed one is not read. */
export function exampleSettings(compose: string, services: readonly ProcessVariables[]): string {
  const names = plainNames(compose.split(BEGIN)[0] ?? '', services);
  assertListed(compose, names);
  const own = COMPOSE_VARIABLES.map(([name, value, meaning]) => entryOf(name, value, meaning));
  const theirs = ['PUBLIC_URL', ...names].map((name) => serviceEntry(name, services));
  return [HEAD, title('Compose'), ...own, title('Services'), ...theirs].join('\n');
}

/** Variables of the services that the part of compose.yaml above the settings neither fixes nor reads from a file. */
function plainNames(before: string, services: readonly ProcessVariables[]): string[] {
  const names = [...new Set(services.flatMap(({ shape }) => Object.keys(shape)))];
  return names.filter((name) => !new RegExp(`^  ${name}(_FILE)?: `, 'm').test(before));
}

function assertListed(compose: string, names: readonly string[]): void {
  const read = new Set([...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name));
  const listed = new Set([...COMPOSE_VARIABLES.map(([name]) => name), 'PUBLIC_URL', ...names]);
  // Read by Compose itself.
  listed.delete('COMPOSE_PROFILES');
  const differing = [...read.symmetricDifference(listed)];
  if (differing.length > 0) throw new Error(`compose.yaml and .env.example differ in ${differing.join()}`);
}

function title(text: string): string {
  return `# ---- ${text} ----\n`;
}

function serviceEntry(name: string, services: readonly ProcessVariables[]): string {
  const readers = schemasOf(name, services);
  const [first] = readers;
  if (first === undefined) throw new Error(`no service reads ${name}`);
  const value = name === 'PUBLIC_URL' ? 'http://localhost:8080' : defaultOf(first.schema).replaceAll('`', '');
  return entryOf(name, value === 'required' ? '' : value, descriptionOf(name, readers));
}

function entryOf(name: string, value: string, meaning: string): string {
  const plain = meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('\\|', '|');
  return `# ${plain}\n# ${name}=${value}\n`;
}
