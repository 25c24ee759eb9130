import { expect, test } from 'vitest';
import { AppError, problemBody } from '../../src/requests/app-error.ts';
import { problemSchema } from '../../src/contract/index.ts';
import { ERROR_CODES, errorStatus, type ErrorCode } from '../../src/requests/error-codes.ts';

const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => Object.hasOwn(ERROR_CODES, code));

test.each(codes)('%s has a problem body of the documented shape', (code) => {
  const body = problemBody(new AppError(code), 'req-1');
  expect(problemSchema.parse(body)).toEqual(body);
  expect(body).toEqual({
    type: `/docs#${code}`,
    title: ERROR_CODES[code].title,
    status: errorStatus(code),
    detail: ERROR_CODES[code].description,
    code,
    request_id: 'req-1',
  });
});

test('the public message is the detail, and the fields that are wrong are listed', () => {
  const errors = [{ path: 'body.xpub', message: 'This is a private key.' }];
  const error = new AppError('validation_error', 'The key is not valid.', { errors });
  expect(problemBody(error, 'req-1')).toMatchObject({ detail: 'The key is not valid.', errors });
});

test('what is internal stays out of the body and in the log', () => {
  const internal = new Error('connect ECONNREFUSED 10.0.0.5:5432');
  const error = new AppError('service_unavailable', undefined, { internal, retryAfterSeconds: 5 });
  expect(JSON.stringify(problemBody(error, 'req-1'))).not.toContain('ECONNREFUSED');
  expect(error).toMatchObject({ cause: internal, internal, retryAfterSeconds: 5 });
});

test('an AppError is an Error with a name and a stack', () => {
  const error = new AppError('not_found');
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe('AppError');
  expect(error.stack).toContain('app-error.test');
});

test('the codes of the interface have the statuses of the interface', () => {
  const expected: Partial<Record<ErrorCode, number>> = {
    malformed_json: 400,
    unauthorized: 401,
    invalid_credentials: 401,
    subscription_inactive: 402,
    forbidden: 403,
    not_found: 404,
    key_not_found: 404,
    invoice_not_found: 404,
    wallet_not_found: 404,
    method_not_allowed: 405,
    already_extended: 409,
    invoice_not_extendable: 409,
    idempotency_conflict: 409,
    payload_too_large: 413,
    unsupported_media_type: 415,
    address_mismatch: 422,
    wallet_not_verified: 422,
    validation_error: 422,
    rate_limited: 429,
    internal_error: 500,
    service_unavailable: 503,
    address_pool_busy: 503,
    fee_unavailable: 503,
    rate_unavailable: 503,
  };
  const actual = Object.fromEntries(codes.map((code) => [code, errorStatus(code)]));
  expect(actual).toMatchObject(expected);
});
