import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { broaderNetworks, clientOf, parseTrustedProxies } from '../../src/limits/client-network.ts';

const clientNetwork = (...from: Parameters<typeof clientOf>) => clientOf(...from).network;

const LOOPBACK = parseTrustedProxies(['127.0.0.0/8', '::1']);

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

describe('the address of a client', () => {
  it.each([
    ['whole, where its network is a /64', '127.0.0.1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    ['IPv4, where it is mapped into IPv6', '::ffff:93.184.216.34', undefined, '93.184.216.34'],
    ['without the zone of a link-local address', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['null where nobody knows it', '', undefined, null],
  ])('is %s', (_, peer, forwarded, expected) => {
    expect(clientOf(requestFrom(peer, forwarded), LOOPBACK).address).toBe(expected);
  });
});

describe('the network of a client', () => {
  it.each([
    ['the peer itself', '93.184.216.34', undefined, '93.184.216.34'],
    [
      'the peer, whatever it forges, when it is no proxy of ours',
      '93.184.216.34',
      '1.1.1.1',
      '93.184.216.34',
    ],
    ['what our proxy saw', '127.0.0.1', '93.184.216.34', '93.184.216.34'],
    [
      'the rightmost address that is no proxy, whatever stands left of it',
      '127.0.0.1',
      '1.1.1.1, 2.2.2.2 ,93.184.216.34',
      '93.184.216.34',
    ],
    [
      'the address before a chain of our proxies',
      '::1',
      '1.1.1.1, 93.184.216.34, 127.0.0.5',
      '93.184.216.34',
    ],
    ['the outermost proxy where all are ours', '127.0.0.1', '127.0.0.2', '127.0.0.2'],
    ['IPv4 mapped into IPv6 as IPv4', '::ffff:127.0.0.1', '::ffff:93.184.216.34', '93.184.216.34'],
    ['an address with a port', '127.0.0.1', '93.184.216.34:1234', '93.184.216.34'],
    ['IPv6 by its /64', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['bracketed IPv6 with a port', '127.0.0.1', '[2001:db8::1]:443', '2001:db8::/64'],
    ['the proxy where it wrote no address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['nobody knows whom', '', undefined, 'unknown'],
    ['the proxy where the address is in a short notation', '127.0.0.1', '93.184', '127.0.0.1'],
  ])('is %s', (_, peer, forwarded, expected) => {
    expect(clientNetwork(requestFrom(peer, forwarded), LOOPBACK)).toBe(expected);
  });

  it('has a /56 and a /48 if it is IPv6', () => {
    expect(broaderNetworks('2001:db8:1:2ff::/64')).toEqual(['2001:db8:1:200::/56', '2001:db8:1::/48']);
    expect(broaderNetworks('93.184.216.34')).toEqual([]);
    expect(broaderNetworks('unknown')).toEqual([]);
  });

  it('trusts the ranges that the operator names', () => {
    const trusted = parseTrustedProxies(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);
    expect(clientNetwork(requestFrom('10.9.9.9', '93.184.216.34, 192.0.2.1'), trusted)).toBe('93.184.216.34');
    expect(clientNetwork(requestFrom('2001:db8::1', '93.184.216.34'), trusted)).toBe('93.184.216.34');
    expect(clientNetwork(requestFrom('192.0.2.2', '93.184.216.34'), trusted)).toBe('192.0.2.2');
    expect(clientNetwork(requestFrom('127.0.0.1', '93.184.216.34'), trusted)).toBe('127.0.0.1');
  });

  it('refuses a faulty TRUSTED_PROXIES', () => {
    expect(() => parseTrustedProxies(['proxy.internal'])).toThrow('proxy.internal');
  });

  it('stays the same for a client that returns among thousands', () => {
    const networks = Array.from({ length: 30_000 }, (_, n) => `10.1.${n >> 8}.${n & 255}`);
    const read = () => networks.map((network) => clientNetwork(requestFrom('127.0.0.1', network), LOOPBACK));
    expect(read()).toEqual(networks);
    expect(read()).toEqual(networks);
  });
});
