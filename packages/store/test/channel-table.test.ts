import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ChannelTable } from '../src/redis/channel-table.ts';

type Channel = { name: string; sameHash: Channel | null };

function channel(name: string): Channel {
  return { name, sameHash: null };
}

/** As an invoice has one: the same in every run, and without an order. */
function invoiceChannel(number: number): Channel {
  return channel(
    `pw:invoice:inv_${createHash('sha256').update(String(number)).digest('base64url').slice(0, 16)}`,
  );
}

/** Enough that some of their names have the same hash. */
const MANY = 150_000;

test('each of many channels is found by its name, and only while it is in the table', () => {
  const table = new ChannelTable<Channel>();
  const channels = Array.from({ length: MANY }, (_, i) => invoiceChannel(i));
  for (const one of channels) table.add(one);
  expect(channels.some(({ sameHash }) => sameHash !== null)).toBe(true);
  const [odd, even] = [channels.filter((_, i) => i % 2 === 1), channels.filter((_, i) => i % 2 === 0)];
  for (const one of odd) table.remove(one);
  expect(odd.some(({ name }) => table.find(Buffer.from(name)) !== null)).toBe(false);
  expect(even.every((one) => table.find(Buffer.from(one.name)) === one)).toBe(true);
  for (const one of even) table.remove(one);
  expect(table.size).toBe(0);
  expect(channels.some(({ name }) => table.find(Buffer.from(name)) !== null)).toBe(false);
});

test('a channel of two with the same hash can leave first or last', () => {
  for (const leavesFirst of [true, false]) {
    const table = new ChannelTable<Channel>();
    const [first, second] = twoAlike();
    table.add(first);
    table.add(second);
    const [leaving, staying] = leavesFirst ? [first, second] : [second, first];
    table.remove(leaving);
    expect(table.find(Buffer.from(leaving.name))).toBeNull();
    expect(table.find(Buffer.from(staying.name))).toBe(staying);
  }
});

/** Two channels that the table told to have the same hash. */
function twoAlike(): [Channel, Channel] {
  const table = new ChannelTable<Channel>();
  for (let i = 0; i < MANY; i += 1) {
    const one = invoiceChannel(i);
    table.add(one);
    if (one.sameHash !== null) return [channel(one.sameHash.name), channel(one.name)];
  }
  throw new Error('no two names have the same hash');
}

test('a name beyond ASCII, in the middle of other bytes, is found and told from one that looks alike', () => {
  const table = new ChannelTable<Channel>();
  const channels = ['straße:1', 'strasse:1', '支払い:1', '💶:1'].map(channel);
  for (const one of channels) table.add(one);
  for (const one of channels) {
    const bytes = Buffer.from(`before ${one.name} after`);
    const start = 'before '.length;
    expect(table.find(bytes, start, start + Buffer.byteLength(one.name))).toBe(one);
    expect(table.find(bytes, start, start + Buffer.byteLength(one.name) - 1)).toBeNull();
  }
});
