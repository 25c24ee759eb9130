import { describe, expect, test } from 'vitest';
import { AppError } from '../../src/requests/app-error.ts';
import { OPERATIONS } from '../../src/contract/index.ts';
import { parseBody, parseHeaders, parseParams, parseQuery } from '../../src/requests/parse-request.ts';

function thrownBy(parse: () => unknown): AppError {
  try {
    parse();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('parseBody', () => {
  test('answers the typed value', () => {
    const body = parseBody(OPERATIONS.createDonation.body, { currency: 'BTC', amount: '1000' });
    expect(body).toEqual({
      currency: 'BTC',
      amount: 1000n,
      price: null,
      donor_name: null,
      donor_message: null,
    });
  });

  test('throws a validation_error that names each field below body', () => {
    const error = thrownBy(() =>
      parseBody(OPERATIONS.createInvoice.body, { type: 'order', ttl_seconds: 59 }),
    );
    expect(error.code).toBe('validation_error');
    expect(error.errors).toEqual([
      { path: 'body.currency', message: 'Is required.' },
      { path: 'body.ttl_seconds', message: 'Must be at least 60.' },
      { path: 'body.expected_amount', message: 'Is required when type is order, unless price is sent.' },
    ]);
  });

  test('takes an absent body where nothing is required, and names what is missing elsewhere', () => {
    expect(parseBody(OPERATIONS.createApiKey.body, undefined)).toEqual({
      name: null,
      scope: null,
      scopes: null,
      expires_at: null,
      allowed_addresses: null,
    });
    expect(parseBody(OPERATIONS.testWebhook.body, undefined)).toEqual({
      type: 'invoice.confirmed',
      endpoint_id: null,
    });
    expect(thrownBy(() => parseBody(OPERATIONS.setWebhook.body, undefined)).errors).toEqual([
      { path: 'body.url', message: 'Is required.' },
    ]);
  });

  test('refuses null as a body', () => {
    expect(thrownBy(() => parseBody(OPERATIONS.createApiKey.body, null)).errors).toEqual([
      { path: 'body', message: 'Must be a JSON object.' },
    ]);
  });
});

describe('parseQuery', () => {
  test('fills in the default page size', () => {
    expect(parseQuery(OPERATIONS.listApiKeys.query, {})).toEqual({ limit: 50 });
  });

  test('names the parameter below query', () => {
    expect(thrownBy(() => parseQuery(OPERATIONS.listApiKeys.query, { limit: '101' })).errors).toEqual([
      { path: 'query.limit', message: 'Must be a whole number from 1 to 100.' },
    ]);
  });
});

describe('parseParams', () => {
  test('answers an identifier of the wrong form like an unknown one', () => {
    const { params, unknownParam } = OPERATIONS.getInvoice;
    for (const publicId of ['x', 'inv_', 'inv_0OIl', 'evt_abc', 'inv_a\u0000', `inv_${'a'.repeat(5000)}`]) {
      expect(thrownBy(() => parseParams(params, { publicId }, unknownParam)).code).toBe('invoice_not_found');
    }
    expect(parseParams(params, { publicId: 'inv_abc' }, unknownParam)).toEqual({ publicId: 'inv_abc' });
  });

  test('answers an unknown currency as a validation_error of the path', () => {
    const error = thrownBy(() => parseParams(OPERATIONS.getFeeEstimate.params, { currency: 'DOGE' }));
    expect(error.code).toBe('validation_error');
    expect(error.errors).toEqual([{ path: 'path.currency', message: 'Must be one of BTC, LTC.' }]);
  });
});

describe('parseHeaders', () => {
  const schema = OPERATIONS.createInvoice.headers;

  test('finds a header whatever its case, and ignores all others', () => {
    expect(parseHeaders(schema, { 'idempotency-key': 'k', host: 'x', authorization: 'secret' })).toEqual({
      'Idempotency-Key': 'k',
    });
    expect(parseHeaders(schema, { host: 'x' })).toEqual({});
  });

  test('names the header below header', () => {
    expect(thrownBy(() => parseHeaders(schema, { 'idempotency-key': 'x'.repeat(201) })).errors).toEqual([
      { path: 'header.Idempotency-Key', message: 'Must have at most 200 characters.' },
    ]);
  });
});
