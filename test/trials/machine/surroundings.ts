import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { createCertificateAuthority } from '@paywatch/dev/servers';
import { startReceiver, type Receiver } from '@paywatch/dev/stack';
import { createPayer, type Payer } from '@paywatch/dev/wallet';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forward } from '../shared/forward.ts';
import type { Recorder } from '../shared/record-trial.ts';
import type { Machine } from './machine.ts';

/** The domain under trial; only the machine itself and our requests resolve it. */
export const DOMAIN = 'pay.paywatch.test';
const RECEIVER = 'receiver.paywatch.test';
/** Where files of the trial are on the machine. */
const FILES = '/srv/trial';

/** What the operator's machine finds around it: nodes, a merchant's endpoint, an ACME authority. */
export type Surroundings = {
  payers: Record<'BTC' | 'LTC', Payer>;
  receiver: Receiver;
  /** Writes what a machine must know of them, starts the ACME authority there, and returns the file with the installer's answers. */
  introduce(machine: Machine): Promise<string>;
};

/** Starts nodes and receiver here, where machines reach them by our address. */
export async function startSurroundings(
  { parts, folder }: Recorder,
  machine: Machine,
): Promise<Surroundings> {
  const [btc, ltc] = await Promise.all([startBitcoinNode(), startLitecoinNode()]);
  parts.defer(() => btc.stop());
  parts.defer(() => ltc.stop());
  const payers = { BTC: createPayer(btc), LTC: createPayer(ltc) };
  await Promise.all([payers.BTC.fund(), payers.LTC.fund()]);
  const { receiver, caPem } = await startEndpoint({ parts, folder }, machine);
  const sources = {
    BTC: { kind: 'node', url: await nodeUrl(parts, machine, btc) },
    LTC: { kind: 'node', url: await nodeUrl(parts, machine, ltc) },
  };
  const introduce = async (to: Machine): Promise<string> => {
    writeFiles(to, sources, caPem);
    await to.run('sh', '-c', AUTHORITY_SCRIPT);
    return `${FILES}/answers.json`;
  };
  return { payers, receiver, introduce };
}

/** The merchant's https endpoint, at an address that machines reach. */
async function startEndpoint({ parts, folder }: Pick<Recorder, 'parts' | 'folder'>, machine: Machine) {
  const authority = await createCertificateAuthority(folder);
  const receiver = await startReceiver({ certificate: await authority.issue([RECEIVER]) });
  parts.defer(() => receiver.stop());
  const port = await forward(parts, machine.ourAddress, receiver.port);
  return {
    receiver: { ...receiver, url: `https://${RECEIVER}:${port}/webhooks` },
    caPem: authority.caPem,
  };
}

/**
 * The operator's own settings: the merchants' wallets find 1000 unused addresses, and the endpoint of the trial is in a private
 * network.
 */
const LOCAL_SETTINGS = {
  WEBHOOK_ALLOWED_HOSTS: RECEIVER,
  WEBHOOK_CA_FILE: `${FILES}/receiver-ca.pem`,
  RATE_SOURCES: 'none',
  DEFAULT_GAP_LIMIT: '1000',
  ACCOUNT_ADDRESSES: '20000',
  // The second wallet would wait a day, because the first was paid.
  WALLET_CHANGE_DELAY: '0',
  // One network reads more than the limit of pages allows.
  PUBLIC_READ_LIMIT_POINTS: '100000',
};

function writeFiles({ root, ourAddress }: Machine, sources: object, caPem: string): void {
  for (const folder of [FILES, 'etc/paywatch']) mkdirSync(join(root, folder), { recursive: true });
  const answers = {
    domain: DOMAIN,
    sources,
    mail: null,
    backups: { folder: '/var/backups/paywatch', days: 14 },
    network: 'regtest',
    acme: { directory: 'https://127.0.0.1:14000/dir', root: `${FILES}/acme/ca.pem` },
  };
  writeFileSync(join(root, FILES, 'answers.json'), JSON.stringify(answers), { mode: 0o600 });
  writeFileSync(join(root, FILES, 'receiver-ca.pem'), caPem);
  const lines = Object.entries(LOCAL_SETTINGS).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(root, 'etc/paywatch/local.env'), lines.join(''));
  const hosts = `127.0.0.1 localhost ${DOMAIN}\n${ourAddress} ${RECEIVER}\n`;
  writeFileSync(join(root, 'etc/hosts'), hosts);
}

async function nodeUrl(parts: AsyncDisposableStack, machine: Machine, node: ChainNode): Promise<string> {
  const url = new URL(node.url);
  url.port = String(await forward(parts, machine.ourAddress, Number(url.port)));
  url.hostname = machine.ourAddress;
  return url.href.replace(/\/$/, '');
}

/** Debian's pebble, which really connects to the domain before it issues a certificate. */
const AUTHORITY_SCRIPT = `set -e
mkdir -p ${FILES}/acme && cd ${FILES}/acme
apt-get update -q > /dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends pebble openssl > /dev/null
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj '/CN=Trial authority' -keyout ca.key -out ca.pem
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=127.0.0.1' -keyout key.pem -out server.csr
echo 'subjectAltName=IP:127.0.0.1' > names
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem
chmod 644 ca.pem
cat > config.json << CONFIG
{ "pebble": {
  "listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "${FILES}/acme/cert.pem", "privateKey": "${FILES}/acme/key.pem",
  "httpPort": 80, "tlsPort": 443, "ocspResponderURL": "", "externalAccountBindingRequired": false
} }
CONFIG
systemd-run --quiet --unit=pebble --setenv=PEBBLE_VA_NOSLEEP=1 pebble -config ${FILES}/acme/config.json
`;

/** The certificate of the authority that signs the domain's certificate. */
export function readAuthorityRoot(machine: Machine): Promise<string> {
  return machine.run(
    'curl',
    '--silent',
    '--fail',
    '--cacert',
    `${FILES}/acme/ca.pem`,
    'https://127.0.0.1:15000/roots/0',
  );
}
