import { messageText, type InvoiceSnapshot } from '@paywatch/domain';
import { readStatus, readVersion, writeStatus } from '@paywatch/store';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainOf } from '../src/streams/frame.ts';
import { pageOf } from '../src/streams/page.ts';

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

test('whatever a donor writes is one message whose data is that text, however the network cuts it', () => {
  fc.assert(
    fc.property(fc.array(donorText, { minLength: 1, maxLength: 4 }), fc.nat(), (texts, seed) => {
      const entries = texts.map((text, index) => ({
        position: index + 1,
        text: messageText({ event: 'donation', id: String(index + 1), json: JSON.stringify({ text }) }),
        staysMs: null,
      }));
      const frame = pageOf(entries, true).frameAfter(0);
      const received = parse(cutAnywhere(plainOf(frame), seed));
      expect(received).toEqual(
        texts.map((text, index) => ({ event: 'donation', id: String(index + 1), data: { text } })),
      );
      expect(contentOf(frame.chunk)).toEqual(plainOf(frame));
    }),
    { numRuns: 2000 },
  );
});

test('whatever a donor writes comes through a publication as it was read', () => {
  fc.assert(
    fc.property(donorText, donorText, (donorName, donorMessage) => {
      const snapshot: InvoiceSnapshot = { ...SNAPSHOT, donorName, donorMessage };
      const bytes = Buffer.from(writeStatus(snapshot));
      expect(readVersion(bytes)).toBe(7);
      const published = readStatus(bytes);
      const amidOthers = Buffer.concat([Buffer.from('8 open '), bytes, Buffer.from('\r\n9')]);
      expect(readStatus(amidOthers, 7, 7 + bytes.length)).toEqual(published);
      expect(published).toMatchObject({ version: 7, isOpen: true });
      const frame = { chunk: published?.chunk ?? Buffer.alloc(0), isPart: true };
      expect(contentOf(frame.chunk)).toEqual(plainOf(frame));
      const [message, ...others] = parse([plainOf(frame)]);
      expect(message).toMatchObject({ event: 'status', id: '7' });
      expect(message?.data).toMatchObject({ donor_name: donorName, donor_message: donorMessage });
      expect(others).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('what names no version is taken for none, and what says more than it should for a version alone', () => {
  for (const message of ['', '{}', 'x', '-1', '1.5', '7open 2\r\n{}', ' 7 open 2\r\n{}', '1234567890123456'])
    expect(readVersion(Buffer.from(message))).toBeNull();
  for (const message of [
    '7',
    '7 open',
    '7 open []',
    '7 closed 2\r\n{}',
    '7 open {}',
    '7 open 123456789\r\n{}',
  ]) {
    expect(readVersion(Buffer.from(message))).toBe(7);
    expect(readStatus(Buffer.from(message))).toBeNull();
  }
});

const SNAPSHOT: InvoiceSnapshot = {
  publicId: 'inv_1111111111111111',
  type: 'donation',
  status: 'pending',
  currency: 'BTC',
  network: 'regtest',
  address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
  addressIndex: 1,
  isAddressReused: false,
  expectedAmount: 1000n,
  confirmationsRequired: 1,
  toleranceBps: 0,
  orderId: null,
  donorName: null,
  donorMessage: null,
  returnUrl: null,
  isReversed: false,
  createdAtMs: 0,
  expiresAtMs: 1,
  deadlineMs: 1,
  isExtended: false,
  ttlSeconds: 900,
  version: 7,
  payments: [],
  tipHeight: 0,
  nowMs: 0,
  publicUrl: 'https://pay.example',
  projectName: null,
  explorerUrl: null,
  isChainDelayed: false,
};

/** Cuts the bytes in pieces, in the middle of a character as well. */
function cutAnywhere(bytes: Buffer, seed: number): Buffer[] {
  const at = bytes.length === 0 ? 0 : seed % bytes.length;
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

/** What one chunk of HTTP/1.1 holds (RFC 9112, section 7.1). */
function contentOf(chunk: Buffer): Buffer {
  const headEnd = chunk.indexOf('\r\n');
  const length = Number.parseInt(chunk.toString('latin1', 0, headEnd), 16);
  expect(chunk.length).toBe(headEnd + 2 + length + 2);
  expect(chunk.toString('latin1', headEnd + 2 + length)).toBe('\r\n');
  return chunk.subarray(headEnd + 2, headEnd + 2 + length);
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
