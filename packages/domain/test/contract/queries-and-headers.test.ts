import { describe, expect, test } from 'vitest';
import { LIMITS, OPERATIONS, validate } from '../../src/contract/index.ts';
import { characters } from './requests.ts';

function parseListQuery(query: unknown) {
  return OPERATIONS.listInvoices.query.safeParse(query);
}

describe('list queries', () => {
  test.each([
    ['1', 1],
    ['50', 50],
    ['100', 100],
    [undefined, LIMITS.pageSize.default],
  ])('limit %j is %j', (limit, expected) => {
    expect(parseListQuery(limit === undefined ? {} : { limit }).data?.limit).toBe(expected);
  });
  test.each(['0', '101', '-1', '1.5', '1e1', '', ' 5', '99999'])('limit %j is refused', (limit) => {
    expect(parseListQuery({ limit }).success).toBe(false);
  });
  test.each(['', 'a b', 'a\u0000', characters(513)])('cursor %j is refused', (cursor) => {
    expect(parseListQuery({ cursor }).success).toBe(false);
  });
  test.each([
    ['2026-11-20T12:00:00Z', Date.UTC(2026, 10, 20, 12)],
    ['2026-11-20T12:00:00.123456Z', Date.UTC(2026, 10, 20, 12, 0, 0, 123)],
    ['2026-11-20T14:00:00+02:00', Date.UTC(2026, 10, 20, 12)],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
  ])('created_from %j is %d ms', (text, expected) => {
    expect(parseListQuery({ created_from: text }).data?.created_from).toBe(expected);
  });
  test.each([
    '2026-11-20',
    '2026-11-20T12:00:00',
    '2026-02-30T00:00:00Z',
    '2026-11-20T14:00:00 02:00',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-12:00',
    '0000-01-01T00:00:00Z',
    'now',
    '',
  ])('created_from %j is refused', (text) => {
    expect(parseListQuery({ created_from: text }).success).toBe(false);
  });
  test('created_to before created_from is refused, equal is not', () => {
    const from = '2026-11-20T12:00:00Z';
    expect(parseListQuery({ created_from: from, created_to: from }).success).toBe(true);
    expect(parseListQuery({ created_from: from, created_to: '2026-11-20T11:59:59Z' }).success).toBe(false);
  });
  test('reversed is a boolean', () => {
    expect(parseListQuery({ reversed: 'true' }).data?.reversed).toBe(true);
    expect(parseListQuery({ reversed: 'false' }).data?.reversed).toBe(false);
    expect(parseListQuery({ reversed: '1' }).success).toBe(false);
  });
  test('a mistyped filter is refused instead of listing everything', () => {
    expect(validate('query', OPERATIONS.listInvoices.query, { statuss: 'new' })).toEqual({
      ok: false,
      errors: [{ path: 'query.statuss', message: 'Is not a parameter of this operation.' }],
    });
  });
  test('a filter given twice is refused', () => {
    expect(validate('query', OPERATIONS.listInvoices.query, { limit: ['1', '2'] })).toEqual({
      ok: false,
      errors: [{ path: 'query.limit', message: 'Must be a string.' }],
    });
  });
});

describe('Idempotency-Key', () => {
  const headers = OPERATIONS.createInvoice.headers;
  test.each([undefined, 'x', characters(200), 'a b ~!'])('takes %j', (key) => {
    expect(headers.safeParse({ 'Idempotency-Key': key }).success).toBe(true);
  });
  test.each(['', characters(201), 'é', 'a\u0000', 'a\tb', ['a', 'b']])('refuses %j', (key) => {
    expect(headers.safeParse({ 'Idempotency-Key': key }).success).toBe(false);
  });
});

test('a Last-Event-ID that was never sent counts as absent', () => {
  for (const id of ['', 'a b', 'ä', characters(65), ['1', '2']]) {
    expect(OPERATIONS.streamOverlay.headers.parse({ 'Last-Event-ID': id })).toEqual({
      'Last-Event-ID': undefined,
    });
    expect(OPERATIONS.streamOverlay.query.parse({ last_event_id: id })).toEqual({ last_event_id: undefined });
  }
  expect(OPERATIONS.streamOverlay.headers.parse({ 'Last-Event-ID': '42' })).toEqual({
    'Last-Event-ID': '42',
  });
});
