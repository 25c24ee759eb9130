import { expect, test } from 'vitest';
import { METADATA_SERVICES } from '../../src/webhooks/metadata-addresses.ts';
import {
  checkWebhookTarget,
  describeNonPublicAddress,
  parseAllowedHosts,
} from '../../src/webhooks/webhook-target.ts';

test.for([
  'https://shop.example/webhooks?key=1',
  'https://shop.example:8443/',
  'https://shop.example:1/',
  'https://shop.example./',
  'HTTPS://SHOP.EXAMPLE/',
  'https://xn--e1afmkfd.example/',
  'https://9.9.9.9/',
  'https://[2620:fe::fe]:4430/',
])('%s may be a target', (text) => {
  expect(checkWebhookTarget(text).ok).toBe(true);
});

test.for([
  ['shop.example', 'not_a_url'],
  ['https://', 'not_a_url'],
  ['https://1.2.3.4.5/', 'not_a_url'],
  ['http://shop.example/', 'not_https'],
  ['ftp://shop.example/', 'not_https'],
  ['gopher://127.0.0.1:6379/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['https://user@shop.example/', 'credentials'],
  ['https://:password@shop.example/', 'credentials'],
  ['https://localhost/', 'not_public'],
  ['https://localhost./', 'not_public'],
  ['https://a.localhost/', 'not_public'],
  ['https://redis/', 'not_public'],
  ['https://metadata.google.internal/', 'not_public'],
  ['https://nas.local/', 'not_public'],
  ['https://2130706433/', 'not_public'],
  ['https://0x7f.1/', 'not_public'],
  ['https://0177.0.0.01/', 'not_public'],
  ['https://１６９.254.169.254/', 'not_public'],
  ['https://[::ffff:10.0.0.1]/', 'not_public'],
  ['https://[::10.0.0.1]/', 'not_public'],
  ['https://[64:ff9b::a00:1]/', 'not_public'],
] as const)('%s is refused: %s', ([text, code]) => {
  expect(checkWebhookTarget(text)).toMatchObject({ ok: false, problem: { code } });
});

test('the target says which host and port it leads to', () => {
  const target = checkWebhookTarget('https://Shop.Example.:8443/a?b');
  expect(target).toMatchObject({
    ok: true,
    value: { hostname: 'shop.example', port: 8443, isAllowedHost: false },
  });
  expect(checkWebhookTarget('https://shop.example/')).toMatchObject({ ok: true, value: { port: 443 } });
});

test.for([
  ['0.0.0.0', 'an unspecified address'],
  ['10.1.2.3', 'a private address'],
  ['100.64.0.1', 'an address shared by a carrier'],
  ['127.0.0.1', 'a loopback address'],
  ['168.63.129.16', 'the metadata address of a cloud'],
  ['169.254.169.254', 'a link-local address'],
  ['192.0.2.1', 'a reserved address'],
  ['198.18.0.1', 'a reserved address'],
  ['224.0.0.1', 'a multicast address'],
  ['255.255.255.255', 'a broadcast address'],
  ['::1', 'a loopback address'],
  ['::ffff:8.8.8.8', 'an IPv4 address in the form of IPv6'],
  ['64:ff9b::808:808', 'an IPv4 address in the form of IPv6'],
  ['64:ff9b:1::1', 'an IPv4 address in the form of IPv6'],
  ['2002:808:808::1', 'an IPv4 address in the form of IPv6'],
  ['fc00::1', 'a private address'],
  ['fe80::1%eth0', 'a link-local address'],
  ['fec0::1', 'a reserved address'],
  ['4000::1', 'not a global address'],
  ['2a00:1450::5efe:808:808', 'an address that leads to an inner IPv4 network'],
  ['not-an-address', 'no IP address'],
  ['', 'no IP address'],
] as const)('%s is %s', ([address, words]) => {
  expect(describeNonPublicAddress(address)).toBe(words);
});

test.for(['1.1.1.1', '8.8.8.8', '172.15.255.255', '172.32.0.1', '100.63.255.255', '192.0.1.1', '198.20.0.1'])(
  '%s is public',
  (address) => {
    expect(describeNonPublicAddress(address)).toBeNull();
  },
);

test.for(['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '2400::1'])(
  '%s is public',
  (address) => {
    expect(describeNonPublicAddress(address)).toBeNull();
  },
);

test.for(METADATA_SERVICES.flatMap(({ cloud, addresses }) => addresses.map((one) => [one, cloud] as const)))(
  '%s is refused, as an address and in a URL: metadata of %s',
  ([address]) => {
    expect(describeNonPublicAddress(address)).not.toBeNull();
    const host = address.includes(':') ? `[${address}]` : address;
    expect(checkWebhookTarget(`https://${host}/`)).toMatchObject({ problem: { code: 'not_public' } });
  },
);

test.for(['https://2822734096/', 'https://0xa83f8110/', 'https://0250.077.0201.020/'])(
  '%s is the wire server of Azure in another notation, and refused',
  (url) => {
    expect(checkWebhookTarget(url)).toMatchObject({ problem: { code: 'not_public' } });
  },
);

test('the neighbours of a metadata address in public space are public', () => {
  expect(['168.63.129.15', '168.63.129.17'].map(describeNonPublicAddress)).toEqual([null, null]);
});

test('every IPv4 address outside the public ranges is refused in each of its IPv6 forms', () => {
  for (const [high, low] of [
    ['7f00', '1'],
    ['a9fe', 'a9fe'],
    ['808', '808'],
  ])
    for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2002:'])
      expect(
        describeNonPublicAddress(prefix === '2002:' ? `2002:${high}:${low}::` : `${prefix}${high}:${low}`),
      ).not.toBeNull();
});

test('an allowed host is let through at any address and port, or at the port that was named, and nothing else is', () => {
  const allowed = parseAllowedHosts(['localhost', 'Receiver:8443', '[::1]:9000', '10.0.0.5:443']);
  const isLetThrough = (text: string) => checkWebhookTarget(text, allowed).ok;
  expect(
    ['https://localhost:1/', 'https://receiver:8443/', 'https://[::1]:9000/', 'https://10.0.0.5/'].map(
      isLetThrough,
    ),
  ).toEqual([true, true, true, true]);
  expect(
    [
      'https://receiver/',
      'https://[::1]/',
      'https://10.0.0.5:8443/',
      'https://a.localhost/',
      'http://localhost/',
      'https://u@localhost/',
    ].map(isLetThrough),
  ).toEqual([false, false, false, false, false, false]);
});

test.for(['https://localhost', 'a b', 'host/path', 'user@host', 'host:port', ''])(
  '%j is no entry of the list of allowed hosts',
  (entry) => {
    expect(() => parseAllowedHosts([entry])).toThrow(TypeError);
  },
);
