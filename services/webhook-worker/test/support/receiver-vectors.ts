import { webhookHeaders } from '@paywatch/domain/webhooks';
import { createHmac } from 'node:crypto';

/** One request, and whether a receiver with `secret` accepts it at `now` (Unix seconds). */
export type ReceiverVector = {
  title: string;
  secret: string;
  now: number;
  body: string;
  headers: Record<string, string>;
  accept: boolean;
};

const NOW = 1_800_000_000;
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const BODY =
  '{"id":"evt_4ZrjxJnU1LA5xSyrWMNuXT","type":"invoice.confirmed","data":{"invoice":{"order_id":"1001"}}}';
const OTHER_BODIES = {
  'text beyond ASCII':
    '{"id":"evt_4ZrjxJnU1LA5xSyrWMNuXT","type":"invoice.confirmed","data":{"invoice":{"donor_name":"Zoë ☕ 東京 \u{1F600}"}}}',
  'white space and escapes that a parser would not keep':
    '{ "id" : "evt_4ZrjxJnU1LA5xSyrWMNuXT",\r\n\t"type": "invoice.confirmed", "note": "\\u00e9\\/", "amount": 1.0 }\n',
};

/** Test vectors for receivers in other languages; the documentation publishes them. */
export function receiverVectors(): ReceiverVector[] {
  return [...accepted(), ...refused()];
}

function accepted(): ReceiverVector[] {
  return [
    vector('as it is sent', { headers: sentHeaders(BODY) }),
    ...Object.entries(OTHER_BODIES).map(([title, body]) =>
      vector(title, { body, headers: sentHeaders(body) }),
    ),
    vector('300 seconds ago', { now: NOW + 300 }),
    vector('300 seconds ahead', { now: NOW - 300 }),
    vector('a second signature that does not match', header(`t=${NOW},v1=${v1(BODY, OTHER_SECRET)},${own}`)),
    vector('a scheme of a later version', header(`t=${NOW},${own},v2=abc`)),
    vector('the parts the other way round', header(`${own},t=${NOW}`)),
    vector('white space between the parts', header(`t=${NOW}, ${own}`)),
  ];
}

function refused(): ReceiverVector[] {
  const cases: [title: string, fields: Partial<ReceiverVector>][] = [
    ['no header', { headers: {} }],
    ['an empty header', header('')],
    ['another secret', header(`t=${NOW},v1=${v1(BODY, OTHER_SECRET)}`)],
    ['one byte more', { body: `${BODY} ` }],
    ['one character changed', { body: BODY.replace('1001', '1002') }],
    ['parsed and written again', { body: JSON.stringify(JSON.parse(BODY), null, 2) }],
    ['an empty body', { body: '' }],
    ['301 seconds ago', { now: NOW + 301 }],
    ['301 seconds ahead', { now: NOW - 301 }],
    ['a time that was not signed', header(`t=${NOW + 1},${own}`)],
    ['two times', header(`t=${NOW},t=${NOW},${own}`)],
    ['no time', header(own)],
    ['a time that is no number', header(`t=+${NOW},${own}`)],
    ['no signature', header(`t=${NOW}`)],
    ['a signature cut short', header(`t=${NOW},${own.slice(0, -2)}`)],
    ['an empty signature', header(`t=${NOW},v1=`)],
    ['a signature in capitals', header(`t=${NOW},v1=${v1(BODY).toUpperCase()}`)],
    ['an unknown scheme alone', header(`t=${NOW},v0=${v1(BODY)}`)],
    [
      'the signature of the body without the time',
      header(`t=${NOW},v1=${createHmac('sha256', SECRET).update(BODY).digest('hex')}`),
    ],
    [
      'keyed with the bytes that the secret encodes',
      header(`t=${NOW},v1=${v1(BODY, Buffer.from(SECRET.slice('whsec_'.length), 'base64'))}`),
    ],
  ];
  return cases.map(([title, fields]) => ({ ...vector(title, fields), accept: false }));
}

function vector(title: string, fields: Partial<ReceiverVector>): ReceiverVector {
  return {
    title,
    secret: SECRET,
    now: NOW,
    body: BODY,
    ...header(`t=${NOW},${own}`),
    accept: true,
    ...fields,
  };
}

function header(signature: string): { headers: Record<string, string> } {
  return { headers: { 'X-Signature': signature } };
}

/** All headers of a delivery, spelled as in the documentation. */
function sentHeaders(body: string): Record<string, string> {
  const eventId = 'evt_4ZrjxJnU1LA5xSyrWMNuXT';
  const { 'x-signature': signature = '', ...standard } = webhookHeaders({
    eventId,
    rawBody: body,
    timestampSeconds: NOW,
    secrets: [SECRET],
  });
  return { 'X-Signature': signature, ...standard };
}

function v1(body: string, key: string | Buffer = SECRET): string {
  return createHmac('sha256', key).update(`${NOW}.${body}`).digest('hex');
}

const own = `v1=${v1(BODY)}`;
