import { startBitcoinNode, startLitecoinNode, type ChainNode } from '@paywatch/dev/nodes';
import { createCertificateAuthority } from '@paywatch/dev/servers';
import { startReceiver, type Receiver } from '@paywatch/dev/stack';
import { createPayer, type Payer } from '@paywatch/dev/wallet';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
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
  /** The file with the answers to the installer's questions. */
  answers: string;
};

/** Starts nodes and receiver here, where the machine reaches them by our address, and the ACME authority on the machine. */
export async function startSurroundings(
  { parts, folder }: Recorder,
  machine: Machine,
): Promise<Surroundings> {
  const [btc, ltc] = await Promise.all([startBitcoinNode(), startLitecoinNode()]);
  parts.defer(() => btc.stop());
  parts.defer(() => ltc.stop());
  const payers = { BTC: createPayer(btc), LTC: createPayer(ltc) };
  await Promise.all([payers.BTC.fund(), payers.LTC.fund()]);
  const receiver = await startEndpoint({ parts, folder }, machine);
  await startAuthority(machine);
  const sources = {
    BTC: { kind: 'node', url: await nodeUrl(parts, machine, btc) },
    LTC: { kind: 'node', url: await nodeUrl(parts, machine, ltc) },
  };
  const answers = {
    domain: DOMAIN,
    sources,
    mail: null,
    backups: { folder: '/var/backups/paywatch', days: 14 },
    network: 'regtest',
    acme: { directory: 'https://127.0.0.1:14000/dir', root: `${FILES}/acme/ca.pem` },
  };
  writeFileSync(join(machine.root, FILES, 'answers.json'), JSON.stringify(answers), { mode: 0o600 });
  return { payers, receiver, answers: `${FILES}/answers.json` };
}

async function startEndpoint({ parts, folder }: Pick<Recorder, 'parts' | 'folder'>, machine: Machine) {
  const authority = await createCertificateAuthority(folder);
  const receiver = await startReceiver({ certificate: await authority.issue([RECEIVER]) });
  parts.defer(() => receiver.stop());
  const port = await forward(parts, machine.ourAddress, receiver.port);
  mkdirSync(join(machine.root, FILES), { recursive: true });
  writeFileSync(join(machine.root, FILES, 'receiver-ca.pem'), authority.caPem);
  // The operator's own settings: one network reads more than the limit of pages allows; the endpoint of the trial is in a private network, and its certificate of our own authority.
  mkdirSync(join(machine.root, 'etc/paywatch'), { recursive: true });
  const own = `WEBHOOK_ALLOWED_HOSTS=${RECEIVER}\nWEBHOOK_CA_FILE=${FILES}/receiver-ca.pem\nRATE_SOURCES=none\nPUBLIC_READ_LIMIT_POINTS=100000\n`;
  writeFileSync(join(machine.root, 'etc/paywatch/local.env'), own);
  const hosts = `127.0.0.1 localhost ${DOMAIN}\n${machine.ourAddress} ${RECEIVER}\n`;
  writeFileSync(join(machine.root, 'etc/hosts'), hosts);
  return { ...receiver, url: `https://${RECEIVER}:${port}/webhooks` };
}

async function nodeUrl(parts: AsyncDisposableStack, machine: Machine, node: ChainNode): Promise<string> {
  const url = new URL(node.url);
  url.port = String(await forward(parts, machine.ourAddress, Number(url.port)));
  url.hostname = machine.ourAddress;
  return url.href.replace(/\/$/, '');
}

/** Listens on our address of the machine's network and passes connections on to a port of 127.0.0.1. Returns the port. */
async function forward(parts: AsyncDisposableStack, address: string, target: number): Promise<number> {
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    // One side that breaks off ends the other.
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, address);
  await once(server, 'listening');
  parts.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
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

async function startAuthority(machine: Machine): Promise<void> {
  await machine.run('sh', '-c', AUTHORITY_SCRIPT);
}

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
