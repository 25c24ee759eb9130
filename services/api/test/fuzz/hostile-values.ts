import type { SeededRandom } from '@paywatch/dev/testing';

/** Bytes of a body that a request may have; the longest that is read. */
export const LONGEST_BODY_BYTES = 64 * 1024;

/** Characters that have broken normalizers, databases, logs, pages and parsers. Repeated and mixed by the fuzzer. */
const NASTY_UNITS = [
  '\u0315\u0300',
  'a\u0315\u0300\u0323\u0301',
  '\u0301',
  '\u0000',
  '\u0007\u001b[31m',
  '\ud800',
  '\udc00\ud800',
  '\u202e\u2066',
  '\u200d',
  '\u200b\ufeff\u2060',
  '👩\u200d👩\u200d👧',
  '🏳\ufe0f\u200d🌈',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
  '\u3164\u115f\u2800',
  '\u1100\u1161\u11a8',
  '\u0958\u09c7\u09be',
  '\ufdfa',
  'ﷺ\u0644\u0627',
  '\u212a\u0130ß',
  '\u{10ffff}\uffff',
  '\r\n\t',
  ' ',
  'a.',
  'a-',
  'a@',
  '/../',
  "0'/",
  '%00%ff%',
  '\\',
  '"',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '${7*7}{{7*7}}',
  '<script>',
  'x',
  '1',
] as const;

/** A text of one nasty unit, or a mixture, of about `length` UTF-16 units. */
export function nastyText(random: SeededRandom, length: number): string {
  if (random.happens(0.7)) {
    const unit = random.pick(NASTY_UNITS);
    return unit.repeat(Math.max(1, Math.floor(length / unit.length)));
  }
  let text = '';
  while (text.length < length) text += random.pick(NASTY_UNITS);
  return text;
}

/** JSON texts that cost a naive parser time or stack depth. */
const HOSTILE_JSON: readonly ((room: number) => string)[] = [
  (room) => '['.repeat(room / 2) + ']'.repeat(room / 2),
  (room) => '{"a":'.repeat(room / 7) + '1' + '}'.repeat(room / 7),
  (room) => '['.repeat(room),
  (room) => `[${'1,'.repeat(room / 2)}1]`,
  (room) => `[${'[],'.repeat(room / 3)}1]`,
  (room) => `[${'{},'.repeat(room / 3)}1]`,
  (room) => `{${Array.from({ length: room / 9 }, (_, i) => `"k${i}":1`).join()}}`,
  (room) => `{${'"a":1,'.repeat(room / 6)}"a":1}`,
  (room) => '9'.repeat(room),
  (room) => `0.${'3'.repeat(room)}`,
  (room) => `1e${'9'.repeat(room)}`,
  (room) => `-${'1'.repeat(room / 2)}.${'1'.repeat(room / 3)}e-5`,
  (room) => `"${'\\u0315\\u0300'.repeat(room / 12)}"`,
  (room) => `"${'\\ud83d'.repeat(room / 6)}"`,
  () => '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  () => '{"toString":1,"valueOf":null,"length":1e9,"then":{}}',
];

const PLAIN_WRONG = [
  'null',
  'true',
  '0',
  '-1',
  '1e400',
  '-0',
  '1.5',
  '9007199254740993',
  '""',
  '[]',
  '{}',
  '[null]',
  '[["a"]]',
];

/** The JSON text of a value that no field expects, of at most about `room` bytes. */
export function hostileJson(random: SeededRandom, room: number): string {
  const kind = random.integer(3);
  if (kind === 0) return random.pick(PLAIN_WRONG);
  if (kind === 1) return random.pick(HOSTILE_JSON)(Math.floor(room));
  return JSON.stringify(nastyText(random, Math.floor(room / 6)));
}

/** Bodies that are hostile as a whole: bytes rather than values. */
export function hostileBody(random: SeededRandom, valid: string): Buffer {
  const room = LONGEST_BODY_BYTES - 1024;
  switch (random.integer(7)) {
    case 0:
      return Buffer.from(hostileJson(random, room));
    case 1:
      return Buffer.from(valid.slice(0, random.integer(valid.length + 1)));
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(valid)]);
    case 3:
      return Buffer.from(Array.from({ length: 1 + random.integer(2000) }, () => random.integer(256)));
    case 4:
      return Buffer.from(valid.replaceAll('"', random.pick(['\u2028"', '"\u0000', '\\"', "'"])));
    case 5:
      return Buffer.from(valid + ' '.repeat(room) + random.pick(['', '}', '//', '\u0000']));
    default:
      return Buffer.from('x'.repeat(LONGEST_BODY_BYTES + 1 + random.integer(5000)));
  }
}

const BIG_HEADER = 14_000;
const long = (unit: string) => unit.repeat(Math.floor(BIG_HEADER / unit.length));

/** Headers that proxies interpret, with unusual values. */
export function hostileHeaders(random: SeededRandom): readonly (readonly [string, string])[] {
  const choices: readonly (() => readonly (readonly [string, string])[])[] = [
    () => [['X-Forwarded-For', long('127.0.0.1,')]],
    () => [['X-Forwarded-For', Array.from({ length: 900 }, (_, i) => `127.0.${i % 256}.${i % 251}`).join()]],
    () => [['X-Forwarded-For', long('[::ffff:7f00:1]:80,')]],
    () => [['X-Forwarded-For', long(',')]],
    () => [['X-Forwarded-For', long('1')]],
    () => [['X-Request-Id', long('a')]],
    () => [['X-Request-Id', '\u00ff\u00fe']],
    () => [['Authorization', `Bearer ${long(' ')}`]],
    () => [['Authorization', `Bearer ses_${long('A')}`]],
    () => [['Authorization', long('bearer ')]],
    () => [['X-Api-Key', `pw_${long('a')}_${'a'.repeat(40)}`]],
    () => [['X-Api-Key', `pw_a_${'a'.repeat(40)}`]],
    () => [['X-Api-Key', long('pw_a_')]],
    () => [['Idempotency-Key', long('k')]],
    () => [['Idempotency-Key', 'k\u00e9']],
    () => [['Last-Event-ID', long('9')]],
    () => [['Last-Event-ID', '-1']],
    () => [['Content-Type', 'application/json; charset=utf-7']],
    () => [['Content-Type', 'application/json; charset=utf-32']],
    () => [['Content-Type', `application/json; ${long('a="b";')}`]],
    () => [['Content-Type', long('application/json;')]],
    () => [['Content-Type', 'text/plain']],
    () => [['Content-Encoding', random.pick(['gzip', 'deflate', 'br', 'identity', 'zstd', 'x'])]],
    () => [['Accept', long('a/b;q=0.1,')]],
    () => [['Accept-Encoding', long('gzip;q=0.5,')]],
    () => [['Cookie', long('a=b; ')]],
    () => [['Origin', long('https://a')]],
    () => [['Access-Control-Request-Method', 'POST']],
    () => [['Expect', 'x']],
    () => [['Range', `bytes=${long('0-1,')}`]],
    () => [['If-None-Match', long('"a",')]],
    () => [['traceparent', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-zz`]],
    () => [['tracestate', long('a=b,')]],
    () => Array.from({ length: 300 }, (_, i) => [`X-${i}`, 'y'] as const),
    () => Array.from({ length: 2100 }, () => ['X', ''] as const),
    () => [['X', 'x'.repeat(20_000)]],
    () => [['X', 'a\u0000b']],
    () => [['X y', 'z']],
  ];
  return random.pick(choices)();
}
