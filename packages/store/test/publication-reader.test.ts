import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PublicationReader } from '../src/redis/publication-reader.ts';

/** Text that looks like frames, too: only its length says where it ends. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('>3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n', '\r\n', '$-1\r\n', 'message'),
);
const line = fc.string({ unit: 'grapheme-ascii' });
const count = fc.nat({ max: 3 });

function blob(type: string, content: string): string {
  return `${type}${Buffer.byteLength(content)}\r\n${content}\r\n`;
}

/** Any frame of RESP3, as text. */
const { frame } = fc.letrec<{ frame: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(
    fc.tuple(fc.constantFrom('+', '-', '('), line).map(([type, said]) => `${type}${said}\r\n`),
    fc.integer().map((number) => `:${number}\r\n`),
    fc.constantFrom('_\r\n', '#t\r\n', ',1.5e3\r\n', '$-1\r\n', '*-1\r\n', '*0\r\n'),
    fc.tuple(fc.constantFrom('$', '!'), text).map(([type, content]) => blob(type, content)),
    text.map((content) => blob('=', `txt:${content}`)),
  ),
  frame: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(
        fc.constantFrom('*', '~', '>'),
        count.chain((length) => all(tie('frame'), length)),
      )
      .map(([type, inner]) => `${type}${inner.length}\r\n${inner.join('')}`),
    count
      .chain((pairs) => all(tie('frame'), 2 * pairs))
      .map((inner) => `%${inner.length / 2}\r\n${inner.join('')}`),
    fc
      .tuple(all(tie('frame'), 2), tie('frame'))
      .map(([attribute, value]) => `|1\r\n${attribute.join('')}${value}`),
  ),
}));

function all(arbitrary: fc.Arbitrary<string>, length: number): fc.Arbitrary<string[]> {
  return fc.array(arbitrary, { minLength: length, maxLength: length });
}

const publication = fc.record({
  name: text,
  message: fc.oneof(
    text,
    text.map((part) => part.repeat(3000)),
  ),
});
/** What begins like a publication is one: Redis sends nothing else that does. */
const other = frame.filter((bytes) => !/^>3\r\n\$[78]\r\ns?message\r\n/.test(bytes));
const sent = fc.array(fc.oneof(publication, other), { maxLength: 12 });
const cuts = fc.array(fc.nat(), { maxLength: 30 });

for (const kind of ['message', 'smessage'] as const)
  test(`every ${kind} and every other frame is read as it was sent, in order and however it is cut`, () => {
    fc.assert(
      fc.property(sent, cuts, (frames, at) => {
        const bytes = Buffer.from(frames.map((one) => encode(kind, one)).join(''));
        expect(read(kind, pieces(bytes, at))).toEqual(frames);
      }),
      { numRuns: 1000 },
    );
  });

test('a publication of the other kind is left to others', () => {
  const bytes = encode('smessage', { name: 'a', message: 'b' });
  expect(read('message', [Buffer.from(bytes)])).toEqual([bytes]);
});

type Sent = { name: string; message: string } | string;

function encode(kind: string, one: Sent): string {
  return typeof one === 'string'
    ? one
    : `>3\r\n${blob('$', kind)}${blob('$', one.name)}${blob('$', one.message)}`;
}

function pieces(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

function read(kind: 'message' | 'smessage', arriving: readonly Buffer[]): Sent[] {
  const found: Sent[] = [];
  const reader = new PublicationReader(
    kind,
    (bytes, start, end, messageStart, messageEnd) =>
      found.push({
        name: bytes.toString('utf8', start, end),
        message: bytes.toString('utf8', messageStart, messageEnd),
      }),
    (bytes) => found.push(bytes.toString()),
  );
  for (const bytes of arriving) reader.read(bytes);
  return found;
}
