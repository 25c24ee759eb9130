import { describe, expect, test } from 'vitest';
import { parseRedisUrl } from '../src/redis-url.ts';

describe('the URL of Redis', () => {
  test('redis:// and rediss:// name one server, and are left as they are', () => {
    for (const url of ['redis://h', 'rediss://user:pass@h:6380/3?family=6'])
      expect(parseRedisUrl(url)).toEqual({ topology: 'standalone', url });
  });

  test('redis+sentinel:// names Sentinels, the master they watch, and how to log in to both', () => {
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
    });
    expect(parseRedisUrl('redis+sentinel://a')).toMatchObject({
      masterName: 'mymaster',
      database: 0,
      login: {},
    });
  });

  test('redis+cluster:// names some nodes of a cluster', () => {
    expect(parseRedisUrl('redis+cluster://:secret@a,b:7001')).toEqual({
      topology: 'cluster',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7001 },
      ],
      login: { password: 'secret' },
      isTls: false,
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
  ])('%s is refused without being repeated', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(/^(?!.*hunter2).+$/);
  });
});
