import { describeNonPublicAddress } from '@paywatch/domain/webhooks';
import { createGuardedResolver } from '@paywatch/runtime/security';
import { getEvent } from '@paywatch/store/webhooks';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedConnector } from '../src/http/ssrf-guard.ts';
import { watchConnectionAttempts, type ConnectionAttempts } from './support/connection-attempts.ts';
import { startDnsServer, type DnsServer } from '../../../packages/runtime/test/support/dns-server.ts';
import { causeEvent, createProject, setEndpoint } from './support/merchant.ts';
import { openShopBench, type ShopBench } from './support/shop.ts';

/** Internal addresses that a host name may resolve to. */
const INTERNAL_ADDRESSES = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  '2a00:1450::5efe:7f00:1',
  '2a00:1450::200:5efe:a00:1',
];

/** Notations of internal addresses in a URL, and other targets that must not be called. */
const INTERNAL_URLS = [
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://017700000001:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://１２７.０.０.１:PORT/',
  'https://127。0。0。1:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://0:PORT/',
  'https://0x7f.0x0.0x0.0x1:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://127.0.\t0.1:PORT/',
  'https:127.0.0.1:PORT/',
  'https:///127.0.0.1:PORT/',
  'https://127.0.0.1:PORT\\@public.example/',
  'https://127.0.0.1%00.public.example:PORT/',
  'https://[::]:PORT/',
  'https://[fe80::1%25lo]:PORT/',
  'https://[::1%25lo]:PORT/',
  'https://[64:ff9b:1::7f00:1]:PORT/',
  'https://100.64.0.1:PORT/',
  'https://192.0.0.170:PORT/',
  'https://198.18.0.1:PORT/',
  'https://198.51.100.1:PORT/',
  'https://203.0.113.1:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[64:ff9b::127.0.0.1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://2852039166/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://localhost:PORT/',
  'https://LOCALHOST.:PORT/',
  'https://receiver.localhost:PORT/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://intranet/',
  'https://user:password@127.0.0.1:PORT/',
  'https://public.example@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/',
  'https://169.254.169.254:22/',
  'https://169.254.169.254:25/',
  'https://169.254.169.254:6667/',
];

let bench: ShopBench;
let dns: DnsServer;
let attempts: ConnectionAttempts;
let inner: Server;
let innerPort: number;
const names = new Map<string, string[][]>();

beforeAll(async () => {
  // Each query consumes one response of the name; the last response repeats.
  dns = await startDnsServer((name, family) => {
    const answers = names.get(`${name}/${family}`) ?? [];
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
  });
  bench = await openShopBench({ deadlineMs: 2000, dnsServers: [dns.address], allowedHosts: new Set() });
  await bench.startWorker();
  inner = createServer(
    { cert: bench.certificate.certificate, key: bench.certificate.privateKey },
    (_, response) => response.end(),
  );
  inner.listen(0, '127.0.0.1');
  await once(inner, 'listening');
  innerPort = (inner.address() as AddressInfo).port;
  attempts = watchConnectionAttempts();
});
afterAll(async () => {
  attempts.stop();
  inner.close();
  await bench.close();
  await dns.stop();
});

function resolveTo(name: string, ...answers: string[][]): void {
  const ofFamily = (family: 4 | 6) =>
    answers.map((answer) => answer.filter((address) => address.includes(':') === (family === 6)));
  names.set(`${name}/4`, ofFamily(4));
  names.set(`${name}/6`, ofFamily(6));
}

/** Attempts a delivery to `url`, bypassing registration. Returns the error and all addresses that were connected to. */
async function attemptTo(url: string): Promise<{ error: string | null | undefined; connections: string[] }> {
  const before = attempts.seen.length;
  const projectId = await createProject(bench.store);
  await setEndpoint(bench.store, bench.sealer, projectId, url);
  const { id } = await causeEvent(bench.store, projectId);
  await bench.afterAttempts(id, 2); // The immediate retry is refused as well.
  const [attempt] = (await getEvent(bench.store, projectId, id))?.attempts ?? [];
  return { error: attempt?.error, connections: withoutOwnServers(attempts.seen.slice(before)) };
}

/** Leaves out the test's own connections to Postgres and Redis. */
function withoutOwnServers(connections: string[]): string[] {
  const ours = [bench.databaseUrl, bench.redisUrl].map((url) =>
    new URL(url).host.replace('localhost', '127.0.0.1'),
  );
  return connections.filter((connection) => !ours.includes(connection));
}

test('the connection watch sees a connection to an internal address', async () => {
  const before = attempts.seen.length;
  await expect(fetch(`https://127.0.0.1:${innerPort}/`)).rejects.toThrow('fetch failed');
  expect(withoutOwnServers(attempts.seen.slice(before))).toEqual([`127.0.0.1:${innerPort}`]);
});

test.for(INTERNAL_ADDRESSES)('no connection to a name that resolves to %s', async (address) => {
  const name = `a${INTERNAL_ADDRESSES.indexOf(address)}.attacker.example`;
  resolveTo(name, [address]);
  const { error, connections } = await attemptTo(`https://${name}:${innerPort}/`);
  expect(connections).toEqual([]);
  expect(error).toBe('the host name has no public address');
});

test.for(INTERNAL_URLS)('no connection to %s', async (url) => {
  const { error, connections } = await attemptTo(url.replace('PORT', String(innerPort)));
  expect(connections).toEqual([]);
  expect(error).toMatch(/^Must /);
});

test.for([
  ['a public and a private IPv4 address', ['9.9.9.9', '127.0.0.1']],
  ['a public IPv4 and a loopback IPv6 address', ['9.9.9.9', '::1']],
  ['a public IPv6 and a private IPv4 address', ['2620:fe::fe', '10.0.0.1']],
] as const)('no connection to a name with %s', async ([title, addresses]) => {
  const name = `${title.replaceAll(' ', '-').toLowerCase()}.example`;
  resolveTo(name, [...addresses]);
  expect((await attemptTo(`https://${name}:${innerPort}/`)).connections).toEqual([]);
});

test.for([
  ['a private address', '10.0.0.1'],
  ['a loopback IPv6 address', '::1'],
  ['an address behind NAT64', '64:ff9b::a9fe:a9fe'],
] as const)('no connection to a name that is an alias of an alias of %s', async ([title, address]) => {
  const [name, middle, end] = ['first', 'second', 'third'].map(
    (label) => `${label}.${title.replaceAll(' ', '-').toLowerCase()}.example`,
  ) as [string, string, string];
  for (const family of [4, 6]) {
    names.set(`${name}/${family}`, [[middle]]);
    names.set(`${middle}/${family}`, [[end]]);
  }
  resolveTo(end, [address]);
  const { error, connections } = await attemptTo(`https://${name}:${innerPort}/`);
  expect(connections).toEqual([]);
  expect(error).toBe('the host name has no public address');
});

test('a name that alternates between public and internal addresses is connected to at its public address only', async () => {
  const rounds = [['9.9.9.9'], ['127.0.0.1'], ['9.9.9.9', '169.254.169.254'], ['9.9.9.9'], ['::1']];
  resolveTo('turning.example', ...rounds.map((round) => round));
  const seen: string[] = [];
  for (let attempt = 0; attempt < rounds.length; attempt += 1)
    seen.push(...(await attemptTo(`https://turning.example:${innerPort}/`)).connections);
  expect(new Set(seen).difference(new Set([`9.9.9.9:${innerPort}`]))).toEqual(new Set());
});

test('no connection to a name that was public at registration and is private now', async () => {
  resolveTo('rebind.example', ['9.9.9.9'], ['127.0.0.1']);
  const registration = createGuardedResolver({
    describeRefusal: describeNonPublicAddress,
    servers: [dns.address],
  });
  expect(await registration.isCallable('rebind.example')).toBe(true);
  const { error, connections } = await attemptTo(`https://rebind.example:${innerPort}/`);
  expect(connections).toEqual([]);
  expect(error).toBe('the host name has no public address');
  expect(await registration.isCallable('rebind.example')).toBe(false);
});

test('each connection makes one DNS lookup, so that no second answer can differ', async () => {
  resolveTo('once.example', ['127.0.0.1'], ['9.9.9.9']);
  const lookup = createGuardedResolver({ describeRefusal: () => null, servers: [dns.address] });
  await lookup.resolve('once.example');
  expect(dns.queries.filter(({ name, family }) => name === 'once.example' && family === 4)).toHaveLength(1);
});

test('a connection whose peer is an internal address is closed before the request is written', async () => {
  const honest = createGuardedResolver({ describeRefusal: () => null });
  const connect = createGuardedConnector({
    resolver: {
      ...honest,
      lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    },
    allowedHosts: new Set(),
    ca: bench.caPem,
    connectTimeoutMs: 2000,
  });
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  const target = { hostname: 'localhost', host: 'localhost', protocol: 'https:', port: String(innerPort) };
  connect(target, (...[error]) => resolve(error));
  expect(await promise).toMatchObject({ name: 'RefusedAddressError', reason: 'a loopback address' });
});
