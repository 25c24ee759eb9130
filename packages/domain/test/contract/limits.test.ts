import { describe, expect, test } from 'vitest';
import { AMOUNT_LIMITS, OPERATIONS, validate } from '../../src/contract/index.ts';
import { CHAINS } from '../../src/chain/chains.ts';
import { characters, VALID_BODIES } from './requests.ts';

type BodyOperation = keyof typeof VALID_BODIES;

function errorsOf(operation: BodyOperation, over: Record<string, unknown>) {
  const result = validate('body', OPERATIONS[operation].body, { ...VALID_BODIES[operation], ...over });
  return result.ok ? [] : result.errors;
}

function emailOfLength(length: number): string {
  const label = characters(61);
  const domain = `${label}.${label}.${label}.com`;
  return `${characters(length - domain.length - 1)}@${domain}`;
}

function parseInvoice(body: unknown) {
  return validate('body', OPERATIONS.createInvoice.body, body);
}

const urlOfLength = (length: number) => 'https://shop.example/'.padEnd(length, 'x');

describe.each<[BodyOperation, string, unknown[], [unknown, string][]]>([
  [
    'register',
    'password',
    [characters(8), characters(200), characters(8, '👋'), characters(8, '\u0000')],
    [
      [characters(7), 'Must have at least 8 characters.'],
      [characters(7, '👋'), 'Must have at least 8 characters.'],
      [characters(201), 'Must have at most 200 characters.'],
      ['\ud800'.repeat(8), 'Must not contain broken Unicode.'],
      [12345678, 'Must be a string.'],
      [null, 'Must be a string.'],
      [undefined, 'Is required.'],
    ],
  ],
  [
    'register',
    'email',
    ['a@b.co', ' Merchant+tag@Example.COM ', emailOfLength(254), `${characters(64)}@example.com`],
    [
      [emailOfLength(255), 'Must have at most 254 characters.'],
      [`${characters(65)}@example.com`, 'Must have at most 64 characters before the @.'],
      ['nobody', 'Must be an email address.'],
      ['a@b', 'Must be an email address.'],
      ['a b@example.com', 'Must be an email address.'],
      ['a@example.com, b@example.com', 'Must be an email address.'],
      ['.a@example.com', 'Must be an email address.'],
      ['a..b@example.com', 'Must be an email address.'],
      ['a@-example.com', 'Must be an email address.'],
      ['\u212aelvin@example.com', 'Must be an email address.'],
      ['a\u0000@example.com', 'Must be an email address.'],
      ['', 'Must be an email address.'],
    ],
  ],
  [
    'login',
    'email',
    ['nobody', 'a@b', 'UPPER@example.com', characters(254)],
    [
      [characters(255), 'Must have at most 254 characters.'],
      ['', 'Must not be empty.'],
      ['a\u0000', 'Must not contain control characters or broken Unicode.'],
      [{ $ne: null }, 'Must be a string.'],
    ],
  ],
  [
    'login',
    'password',
    ['x', characters(200)],
    [
      ['', 'Must not be empty.'],
      [characters(201), 'Must have at most 200 characters.'],
    ],
  ],
  [
    'changePassword',
    'new_password',
    [characters(8), characters(200)],
    [
      [characters(7), 'Must have at least 8 characters.'],
      [characters(201), 'Must have at most 200 characters.'],
    ],
  ],
  [
    'updateProject',
    'name',
    ['x', characters(100), characters(100, '👋')],
    [
      ['', 'Must not be empty.'],
      ['\u202e\u0000 ', 'Must not be empty.'],
      [characters(101), 'Must have at most 100 characters.'],
    ],
  ],
  ['createApiKey', 'scope', ['full', 'invoices', null], [['admin', 'Must be one of full, invoices.']]],
  [
    'createWallet',
    'gap_limit',
    [1, 100_000, null],
    [
      [0, 'Must be at least 1.'],
      [100_001, 'Must be at most 100000.'],
      [1.5, 'Must be a whole number.'],
      ['20', 'Must be a number.'],
    ],
  ],
  [
    'createWallet',
    'start_index',
    [1, 2_000_000_000, null],
    [
      [0, 'Must be at least 1.'],
      [2_000_000_001, 'Must be at most 2000000000.'],
    ],
  ],
  [
    'createWallet',
    'script_type',
    ['p2pkh', 'p2sh_p2wpkh', 'p2wpkh', null],
    [['p2tr', 'Must be one of p2pkh, p2sh_p2wpkh, p2wpkh.']],
  ],
  [
    'createWallet',
    'xpub',
    ['x', characters(500)],
    [
      ['', 'Must not be empty.'],
      [characters(501), 'Must have at most 500 characters.'],
    ],
  ],
  [
    'createWallet',
    'derivation_path',
    ["m/84'/0'/0'", characters(255), null],
    [
      ['', 'Must not be empty.'],
      [characters(256), 'Must have at most 255 characters.'],
    ],
  ],
  ['createWallet', 'currency', ['BTC', 'LTC'], [['btc', 'Must be one of BTC, LTC.']]],
  [
    'verifyWallet',
    'address',
    ['x', characters(100)],
    [
      ['', 'Must not be empty.'],
      [characters(101), 'Must have at most 100 characters.'],
    ],
  ],
  [
    'setWebhook',
    'url',
    [urlOfLength(2048)],
    [
      [urlOfLength(2049), 'Must have at most 2048 characters.'],
      ['http://shop.example', 'Must be an absolute URL that begins with https://.'],
      ['https://user:pass@shop.example', 'Must not contain a user name or password.'],
    ],
  ],
  [
    'testWebhook',
    'type',
    ['invoice.confirmed', 'invoice.late_payment', null],
    [
      [
        'invoice.pending',
        'Must be one of invoice.confirmed, invoice.expired, invoice.underpaid, invoice.late_payment.',
      ],
    ],
  ],
  [
    'createInvoice',
    'expected_amount',
    ['546', '2100000000000000'],
    [
      ['545', 'Must be at least 546, the dust limit of BTC in minimal units.'],
      ['2100000000000001', 'Must be at most 2100000000000000, all the BTC there can be in minimal units.'],
      ...['0', '01', '-1', '1.0', '1e3', ' 546', '546\n', '', '٥٤٦', '12345678901234567'].map(
        (text): [string, string] => [
          text,
          'Must be a whole number of minimal units above 0, at most 16 digits, such as "150000".',
        ],
      ),
      [546, 'Must be a string of minimal units (satoshi or litoshi).'],
      [null, 'Is required when type is order, unless price is sent.'],
      [undefined, 'Is required when type is order, unless price is sent.'],
    ],
  ],
  [
    'createInvoice',
    'order_id',
    ['x', characters(200), characters(200, '👋'), ' spaced ', null],
    [
      ['', 'Must not be empty.'],
      [characters(201), 'Must have at most 200 characters.'],
      [characters(201, '👋'), 'Must have at most 200 characters.'],
      ['a\u0000b', 'Must not contain control characters or broken Unicode.'],
      [1001, 'Must be a string.'],
    ],
  ],
  [
    'createInvoice',
    'ttl_seconds',
    [60, 86_400, 3600.0, null],
    [
      [59, 'Must be at least 60.'],
      [86_401, 'Must be at most 86400.'],
      [60.5, 'Must be a whole number.'],
      ['3600', 'Must be a number.'],
      [Number.MAX_SAFE_INTEGER + 1, 'Must be at most 86400.'],
    ],
  ],
  [
    'createInvoice',
    'return_url',
    [urlOfLength(2048), null],
    [
      [urlOfLength(2049), 'Must have at most 2048 characters.'],
      ['javascript:alert(1)', 'Must be an absolute URL that begins with https://.'],
    ],
  ],
  ['createInvoice', 'type', ['order'], [['subscription', 'Must be one of donation, order.']]],
  ['createInvoice', 'donor_name', ['', ' \u0000', null], [['Satoshi', 'Is only for type donation.']]],
  ['createInvoice', 'donor_message', ['', null], [['Hello', 'Is only for type donation.']]],
  [
    'createDonation',
    'donor_name',
    ['x', characters(50), characters(50, '👋'), `${characters(50)}\u0000`, null],
    [
      [characters(51), 'Must have at most 50 characters.'],
      [characters(51, '👋'), 'Must have at most 50 characters.'],
    ],
  ],
  [
    'createDonation',
    'donor_message',
    ['x', characters(200), characters(200, '👋'), ` ${characters(200)} `, null],
    [[characters(201), 'Must have at most 200 characters.']],
  ],
  [
    'createDonation',
    'amount',
    ['5460', '8400000000000000', null],
    [
      ['5459', 'Must be at least 5460, the dust limit of LTC in minimal units.'],
      ['8400000000000001', 'Must be at most 8400000000000000, all the LTC there can be in minimal units.'],
      [5460, 'Must be a string of minimal units (satoshi or litoshi).'],
    ],
  ],
])('%s: %s', (operation, field, accepted, refused) => {
  test.each(accepted.map((value) => [value]))('takes %j', (value) => {
    expect(errorsOf(operation, { [field]: value })).toEqual([]);
  });
  test.each(refused)('refuses %j: %s', (value, message) => {
    const unique = new Map(errorsOf(operation, { [field]: value }).map((error) => [error.message, error]));
    expect([...unique.values()]).toContainEqual({ path: `body.${field}`, message });
    expect([...unique.values()].every((error) => error.path === `body.${field}`)).toBe(true);
  });
});

describe('rules between fields', () => {
  test('a donation needs no amount and takes donor fields', () => {
    expect(parseInvoice({ currency: 'BTC', type: 'donation', donor_name: ' Ann ' })).toEqual({
      ok: true,
      value: {
        currency: 'BTC',
        type: 'donation',
        expected_amount: null,
        price: null,
        order_id: null,
        ttl_seconds: null,
        return_url: null,
        renew_url: null,
        description: null,
        lines: null,
        donor_name: 'Ann',
        donor_message: null,
      },
    });
  });

  test('all errors are reported together', () => {
    const result = parseInvoice({
      type: 'order',
      currency: 'BTC',
      ttl_seconds: 1,
      donor_name: 'x',
      extra: 1,
    });
    expect(result.ok ? [] : result.errors.map((error) => error.path).sort()).toEqual([
      'body.donor_name',
      'body.expected_amount',
      'body.extra',
      'body.ttl_seconds',
    ]);
  });

  test('an amount is not checked against an invalid currency', () => {
    const result = parseInvoice({ type: 'order', currency: 'DOGE', expected_amount: '1' });
    expect(result.ok ? [] : result.errors.map((error) => error.path)).toEqual(['body.currency']);
  });

  test('an amount parses to a bigint', () => {
    const result = parseInvoice({ type: 'order', currency: 'LTC', expected_amount: '8400000000000000' });
    expect(result.ok && result.value.expected_amount).toBe(8_400_000_000_000_000n);
  });
});

test('the limits of amounts are those of the chains', () => {
  for (const currency of ['BTC', 'LTC'] as const) {
    const { dustLimit, maxAmount } = CHAINS[currency];
    expect(AMOUNT_LIMITS[currency]).toEqual({ min: dustLimit, max: maxAmount });
  }
});
