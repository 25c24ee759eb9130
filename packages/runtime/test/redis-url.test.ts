import { describe, expect, test } from 'vitest';
import { parseRedisUrl, redisProtection } from '../src/process/redis-url.ts';

describe('parseRedisUrl', () => {
  test('redis:// and rediss:// name one server and stay unchanged', () => {
    for (const url of ['redis://h', 'rediss://user:pass@h:6380/3?family=6'])
      expect(parseRedisUrl(url)).toEqual({ topology: 'standalone', url, caFile: null });
  });

  test('redis+sentinel:// names Sentinels, their master, and credentials for both', () => {
    const url = 'rediss+sentinel://u%40:p%3Aw:d@a:1,[::1]:2,c/shop?db=2&sentinel_password=s%26t';
    expect(parseRedisUrl(url)).toEqual({
      topology: 'sentinel',
      sentinels: [
        { host: 'a', port: 1 },
        { host: '::1', port: 2 },
        { host: 'c', port: 26_379 },
      ],
      masterName: 'shop',
      database: 2,
      login: { username: 'u@', password: 'p:w:d' },
      sentinelLogin: { password: 's&t' },
      isTls: true,
      caFile: null,
    });
    expect(parseRedisUrl('redis+sentinel://a')).toMatchObject({
      masterName: 'mymaster',
      database: 0,
      login: {},
    });
  });

  test('redis+cluster:// names nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://:secret@a,b:7001')).toEqual({
      topology: 'cluster',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7001 },
      ],
      login: { password: 'secret' },
      isTls: false,
      caFile: null,
    });
  });

  test.each([
    'http://h',
    'redis+ring://h',
    'redis+cluster://',
    'redis+cluster://hunter2@a,,b',
    'redis+cluster://:hunter2@a:99999',
    'redis+cluster://:hunter2@a/1',
    'redis+sentinel://:hunter2@a/m?db=x',
    'redis://:hunter2@h:port',
    'redis://:hunter2@h?ca_file=/ca.pem',
    'rediss+cluster://:hunter2@a?ca_file=/ca.pem&db=1',
  ])('%s is refused, and the message does not contain it', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(/^(?!.*hunter2).+$/);
  });

  test.each([
    ['rediss://:p@h:6380/3?ca_file=/run/ca.pem', { url: 'rediss://:p@h:6380/3' }],
    ['rediss+sentinel://:p@a/shop?db=2&ca_file=/run/ca.pem', { database: 2 }],
    ['rediss+cluster://:p@a,b?ca_file=/run/ca.pem', { topology: 'cluster' }],
  ])('%s names the certificate authority', (url, rest) => {
    expect(parseRedisUrl(url)).toMatchObject({ caFile: '/run/ca.pem', ...rest });
  });

  test.each([
    ['redis://127.0.0.1:6379', { hasPassword: false, isTls: false, isLocal: true }],
    ['redis://[::1]', { hasPassword: false, isTls: false, isLocal: true }],
    ['redis://localhost', { hasPassword: false, isTls: false, isLocal: true }],
    ['redis://redis:6379', { hasPassword: false, isTls: false, isLocal: false }],
    ['redis://127.example.com', { hasPassword: false, isTls: false, isLocal: false }],
    ['redis://:p@redis', { hasPassword: true, isTls: false, isLocal: false }],
    ['rediss://user:p@redis', { hasPassword: true, isTls: true, isLocal: false }],
    ['rediss+sentinel://127.0.0.1,s2/m', { hasPassword: false, isTls: true, isLocal: false }],
    ['redis+cluster://:p@127.0.0.1:1,127.0.0.1:2', { hasPassword: true, isTls: false, isLocal: true }],
  ])('redisProtection of %s', (url, protection) => {
    expect(redisProtection(url)).toEqual(protection);
  });
});
