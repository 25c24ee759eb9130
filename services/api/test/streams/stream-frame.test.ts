import { messageText } from '@paywatch/domain/invoices';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameAfter, parsePosition } from '../../src/streams/event-stream.ts';

/** What hostile donors would write, between whatever else there is. */
const trap = fc.constantFrom(
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\r\n\r\n',
  '\0',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\ud800',
  '\udfff',
  '\udc00\ud800',
  '</script>',
  '<!--',
  ']]>',
  'data:',
  'data: ',
  'id:',
  'event: status',
  'retry: 0',
  ':',
  '0\r\n\r\n',
  '\\u000a',
  '"',
  '\\',
);
const codeUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
const donorText = fc
  .array(fc.oneof(trap, codeUnits, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

test('donor text is the data of one message, however the network splits it', () => {
  fc.assert(
    fc.property(fc.array(donorText, { minLength: 1, maxLength: 4 }), fc.nat(), (texts, seed) => {
      const entries = texts.map((text, index) => ({
        position: index + 1,
        text: messageText({ event: 'donation', id: String(index + 1), json: JSON.stringify({ text }) }),
      }));
      const frame = frameAfter({ entries, isLast: true, staysMs: null, access: null }, 0);
      const received = parse(cutAnywhere(frame, seed));
      expect(received).toEqual(
        texts.map((text, index) => ({ event: 'donation', id: String(index + 1), data: { text } })),
      );
    }),
    { numRuns: 2000 },
  );
});

test('a position consists of digits; anything else counts as none, in a header or a publication', () => {
  expect(parsePosition('7')).toBe(7);
  for (const text of ['', '{}', 'x', '-1', '1.5', '7 open', ' 7', '1234567890123456', undefined])
    expect(parsePosition(text)).toBeNull();
});

/** Cuts the bytes in pieces, in the middle of a character as well. */
function cutAnywhere(bytes: Buffer, seed: number): Buffer[] {
  const at = bytes.length === 0 ? 0 : seed % bytes.length;
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

type Received = { event: string; id: string; data: unknown };

/** The parser of the standard (WHATWG HTML, 9.2.6), which ends a line at CR LF, LF and CR. */
function parse(pieces: readonly Buffer[]): Received[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  const received: Received[] = [];
  let [event, id, data]: [string, string, string[]] = ['message', '', []];
  for (const line of text.split(/\r\n|\n|\r/).slice(0, -1)) {
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
    else if (line === '' && data.length > 0) {
      received.push({ event, id, data: JSON.parse(data.join('\n')) });
      [event, data] = ['message', []];
    }
  }
  return received;
}
