import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createGuardedResolver,
  RefusedAddressError,
  type GuardedResolver,
} from '../src/security/guarded-resolver.ts';
import { startDnsServer, type DnsServer } from './support/dns-server.ts';

const ADDRESSES: Record<string, string[]> = {
  'both.example': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'four.example': ['192.0.2.1'],
  'six.example': ['2001:db8::1', '2001:db8::ffff:1.2.3.4'],
  'mixed.example': ['192.0.2.1', '192.0.2.66'],
};

let dns: DnsServer;
let resolver: GuardedResolver;

beforeAll(async () => {
  dns = await startDnsServer((name, family) => (ADDRESSES[name] ?? []).filter((one) => isIP(one) === family));
  resolver = createGuardedResolver({
    describeRefusal: (address) => (address.endsWith('.66') ? 'an evil address' : null),
    servers: [dns.address],
    timeoutMs: 60_000,
  });
});
afterAll(() => dns.stop());

test('a name resolves to all of its addresses, IPv4 first', async () => {
  expect(await resolver.resolve('both.example')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
});

test('a name with addresses of one family resolves', async () => {
  expect(await resolver.resolve('four.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
  expect(await resolver.resolve('six.example')).toHaveLength(2);
});

test('one refused address refuses the name, with a message that does not describe the address', async () => {
  const refusal = resolver.resolve('mixed.example');
  await expect(refusal).rejects.toThrow(RefusedAddressError);
  await expect(refusal).rejects.toThrow(/^the host name has no public address$/);
  await expect(refusal).rejects.toMatchObject({ reason: 'an evil address' });
});

test('a literal address is checked without a query', async () => {
  const asked = dns.queries.length;
  expect(await resolver.resolve('192.0.2.9')).toEqual([{ address: '192.0.2.9', family: 4 }]);
  await expect(resolver.resolve('192.0.2.66')).rejects.toThrow(RefusedAddressError);
  expect(dns.queries).toHaveLength(asked);
});

test('a name is not callable without addresses, with a refused address, or when its name servers do not answer', async () => {
  expect(await resolver.isCallable('four.example')).toBe(true);
  expect(await resolver.isCallable('nobody.example')).toBe(false);
  expect(await resolver.isCallable('mixed.example')).toBe(false);
  const silent = createGuardedResolver({
    describeRefusal: () => null,
    servers: ['127.0.0.1:1'],
    timeoutMs: 50,
  });
  expect(await silent.isCallable('four.example')).toBe(false);
});

test('concurrent calls share a query, and later calls query again', async () => {
  const asked = dns.queries.length;
  await Promise.all([resolver.resolve('four.example'), resolver.resolve('four.example')]);
  expect(dns.queries).toHaveLength(asked + 2);
  await resolver.resolve('four.example');
  expect(dns.queries).toHaveLength(asked + 4);
});

test('lookup supports the options of node:net', async () => {
  const lookup = promisify<string, object, unknown>(resolver.lookup);
  expect(await lookup('four.example', { all: true })).toEqual([{ address: '192.0.2.1', family: 4 }]);
  expect(await lookup('both.example', { family: 6 })).toBe('2001:db8::1');
  expect(await lookup('both.example', { family: 'IPv4' })).toBe('192.0.2.1');
  await expect(lookup('four.example', { family: 6 })).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(lookup('mixed.example', { all: true })).rejects.toMatchObject({ code: 'ERR_ADDRESS_REFUSED' });
});
