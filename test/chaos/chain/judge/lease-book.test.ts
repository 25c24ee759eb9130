import { describe, expect, test } from 'vitest';
import { isContested, isReused, judgeLeases, ownersOf, type Holder, type Lease } from './lease-book.ts';

const rules = {
  quarantineMs: 10_000,
  surelyLooked: (fromMs: number, toMs: number) => toMs - fromMs >= 15_000,
};
const lease = (change: Partial<Lease> = {}): Lease => ({
  publicId: 'first',
  scriptHex: 's',
  type: 'order',
  createdMs: 100_000,
  isImported: false,
  expiredMs: null,
  ...change,
});
const payment = (id: string, sentMs: number, amount = 500n, claims = [`coin of ${id}`]) => ({
  id,
  sentMs,
  claims,
  outputs: [{ vout: 0, amount }],
  isPegOut: false,
});
const unpaid = () => ({ money: [], views: [] });
const held = (sinceMs: number) => ({
  money: [payment('early', sinceMs)],
  views: [
    { fromMs: 0, places: new Map() },
    { fromMs: sinceMs, places: new Map([['early', 'mempool' as const]]) },
  ],
});

describe('the book of leases', () => {
  const expired = lease({ expiredMs: 200_000 });

  test('has nothing against addresses of one invoice each, and against one that rested', () => {
    const other = lease({ publicId: 'second', scriptHex: 't' });
    expect(judgeLeases([lease(), other], unpaid, rules)).toEqual([]);
    const later = lease({ publicId: 'second', createdMs: 210_000 });
    expect(judgeLeases([later, expired], unpaid, rules)).toEqual([]);
    expect(isReused([later, expired], later)).toBe(true);
    expect(isReused([later, expired], expired)).toBe(false);
  });

  test('reports an address of two open invoices, whichever shops they belong to', () => {
    const second = lease({ publicId: 'second', createdMs: 150_000 });
    expect(judgeLeases([lease(), second], unpaid, rules)).toEqual([
      'second: its address is still that of first',
    ]);
    expect(judgeLeases([expired, second], unpaid, rules)).toEqual([
      'second: its address is still that of first',
    ]);
  });

  test('reports an address of an imported order that was leased again, however long it rested', () => {
    const imported = lease({ expiredMs: 200_000, isImported: true });
    const second = lease({ publicId: 'second', createdMs: 900_000 });
    expect(judgeLeases([imported, second], unpaid, rules)).toEqual([
      'second: it got the address of an imported order',
    ]);
  });

  test('reports an address that was leased before its quarantine was over', () => {
    const second = lease({ publicId: 'second', createdMs: 208_000 });
    expect(judgeLeases([expired, second], unpaid, rules)).toEqual([
      'second: its address rested 8000 ms only',
    ]);
  });

  test("reports an order at a donation's address, and lets a donation have that of an order", () => {
    const donation = lease({ type: 'donation', expiredMs: 200_000 });
    const order = lease({ publicId: 'second', createdMs: 220_000 });
    expect(judgeLeases([donation, order], unpaid, rules)).toEqual([
      'second: an order got the address of a donation',
    ]);
    expect(judgeLeases([expired, { ...order, type: 'donation' }], unpaid, rules)).toEqual([]);
  });

  test('reports an address that had received money which somebody has surely seen', () => {
    expect(judgeLeases([lease()], () => held(80_000), rules)).toEqual([
      'first: its address had received early before',
    ]);
    expect(judgeLeases([lease()], () => held(90_000), rules)).toEqual([]);
    expect(isContested(lease(), held(90_000), rules)).toBe(true);
    expect(isContested(lease(), held(80_000), rules)).toBe(false);
    expect(isContested(lease(), held(110_000), rules)).toBe(false);
  });
});

describe('a payment belongs to', () => {
  const first: Holder = {
    publicId: 'first',
    type: 'order',
    createdMs: 100_000,
    asked: 1000n,
    deadlineMs: 160_000,
  };
  const second: Holder = {
    publicId: 'second',
    type: 'order',
    createdMs: 200_000,
    asked: 600n,
    deadlineMs: 260_000,
  };
  const owner = (holders: Holder[], ...money: ReturnType<typeof payment>[]) => {
    const found = ownersOf(holders, money).get(money.at(-1)?.id ?? '');
    return found === 'contested' ? found : found?.publicId;
  };

  test.each<[string, Holder[], ReturnType<typeof payment>[], string | null]>([
    ['nobody, where it came before every lease', [first], [payment('a', 90_000)], null],
    ['the only holder, also after its time', [first], [payment('a', 900_000)], 'first'],
    ['the holder of its moment', [second, first], [payment('a', 150_000, 600n)], 'first'],
    ['the present holder by any other amount', [first, second], [payment('a', 250_000, 999n)], 'second'],
    ['a former holder by exactly what it was owed', [first, second], [payment('a', 250_000, 1000n)], 'first'],
    [
      'the present holder where it can be a part of what that is owed',
      [first, { ...second, asked: 5000n }],
      [payment('a', 250_000, 1000n)],
      'second',
    ],
    [
      'the present holder where both are owed the same',
      [first, { ...second, asked: 1000n }],
      [payment('a', 250_000, 1000n)],
      'second',
    ],
    [
      'a former holder where the present one has got too much for it to be a part',
      [first, { ...second, asked: 1500n }],
      [payment('a', 220_000, 700n), payment('b', 250_000, 1000n)],
      'first',
    ],
    [
      'the present holder a day after the former time was over',
      [first, second],
      [payment('a', 86_400_000 + 160_000, 1000n)],
      'second',
    ],
    [
      'nobody, where it replaces what came before the lease',
      [first],
      [payment('a', 90_000, 500n, ['coin']), payment('b', 150_000, 1000n, ['coin'])],
      null,
    ],
  ])('%s', (_title, holders, money, expected) => {
    expect(owner(holders, ...money)).toBe(expected);
  });

  test('one of several, where it came too close to a lease, or where a donation holds what an order was owed', () => {
    expect(owner([first], payment('a', 98_000))).toBe('contested');
    expect(owner([first], payment('a', 100_001))).toBe('first');
    expect(owner([first, { ...second, type: 'donation' }], payment('a', 250_000, 1000n))).toBe('contested');
  });
});
