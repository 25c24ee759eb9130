import { openApiDocument } from '@paywatch/domain/openapi';
import { describe, expect, test } from 'vitest';
import { findApiBreaks, type ApiDocument } from '../../src/checks/api-breaks.ts';
import { lintApiDocument } from '../../src/checks/lint-api-document.ts';

const text = JSON.stringify(openApiDocument({ baseUrl: 'https://pay.example', version: '1.0' }));

/** The document after a change. */
function changed(change: (document: ApiDocument) => void): ApiDocument {
  const document: ApiDocument = JSON.parse(text);
  change(document);
  return document;
}

function schema(document: ApiDocument, name: string) {
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`no schema ${name}`);
  return found;
}

const properties = (document: ApiDocument, name: string) => schema(document, name).properties ?? {};
const operation = (document: ApiDocument, path: string, method: string) => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`no operation ${method} ${path}`);
  return found;
};

describe('breaking changes', () => {
  test('an unchanged document and additions break nothing', () => {
    expect(findApiBreaks(JSON.parse(text), JSON.parse(text))).toEqual([]);
    const wider = changed((document) => {
      properties(document, 'Invoice')['memo'] = { type: 'string' };
      properties(document, 'CreateInvoice')['memo'] = { type: 'string' };
      document.paths['/v1/new'] = { get: { responses: { 200: {} } } };
      schema(document, 'EventType').enum?.push('invoice.new');
      Object.assign(properties(document, 'CreateInvoice')['order_id'] ?? {}, { maxLength: 300 });
    });
    expect(findApiBreaks(JSON.parse(text), wider)).toEqual([]);
  });

  test.each<[string, (document: ApiDocument) => void, string]>([
    ['an operation', (d) => delete d.paths['/v1/stats'], 'GET /v1/stats was removed'],
    [
      'a field of a response',
      (d) => delete properties(d, 'Stats')['types'],
      'GET /v1/stats 200 types was removed',
    ],
    [
      'a nested field of a list',
      (d) => delete properties(d, 'Payment')['vout'],
      'GET /v1/invoices 200 data[] payments[] vout was removed',
    ],
    [
      'a required field of a response',
      (d) => (schema(d, 'Done').required = []),
      'POST /v1/auth/logout 200 ok may now be missing',
    ],
    [
      'a value that was never null',
      (d) => Object.assign(properties(d, 'Session')['expires_at'] ?? {}, { nullable: true }),
      'POST /v1/auth/login 200 expires_at may now be null',
    ],
    [
      'the type of a field',
      (d) => Object.assign(properties(d, 'Invoice')['version'] ?? {}, { type: 'string' }),
      'GET /v1/invoices/{publicId} 200 version was integer and is string',
    ],
    [
      'an input',
      (d) => delete properties(d, 'CreateInvoice')['return_url'],
      'POST /v1/invoices body return_url was removed',
    ],
    [
      'that an input is optional',
      (d) => schema(d, 'CreateDonation').required?.push('amount'),
      'POST /v1/public/donate/{token} body amount is now required',
    ],
    [
      'that a new input is optional',
      (d) => {
        properties(d, 'CreateInvoice')['memo'] = { type: 'string' };
        schema(d, 'CreateInvoice').required?.push('memo');
      },
      'POST /v1/invoices body memo is now required',
    ],
    [
      'length of an input',
      (d) => Object.assign(properties(d, 'CreateInvoice')['order_id'] ?? {}, { maxLength: 100 }),
      'POST /v1/invoices body order_id has a tighter maxLength',
    ],
    [
      'a value of an input',
      (d) => (schema(d, 'InvoiceType').enum = ['order']),
      'POST /v1/invoices body type no longer accepts donation',
    ],
    [
      'a parameter',
      (d) => operation(d, '/v1/events', 'get').parameters?.shift(),
      'GET /v1/events query limit was removed',
    ],
    [
      'that a body is optional',
      (d) => Object.assign(operation(d, '/v1/api-keys', 'post').requestBody ?? {}, { required: true }),
      'POST /v1/api-keys body is now required',
    ],
    [
      'that no credentials are required',
      (d) => (operation(d, '/v1/public/fee/{currency}', 'get').security = [{ ApiKey: [] }]),
      'GET /v1/public/fee/{currency} now requires credentials',
    ],
    [
      'a success status',
      (d) => delete operation(d, '/v1/invoices', 'post').responses['200'],
      'POST /v1/invoices 200 was removed',
    ],
  ])('callers lose %s: the change is reported', (_what, change, expected) => {
    expect(findApiBreaks(JSON.parse(text), changed(change))).toContain(expected);
  });
});

describe('the linter', () => {
  test('finds no problem in the document', async () => {
    expect(await lintApiDocument(text)).toEqual([]);
  });

  test('finds an example that violates its schema', async () => {
    const wrong = text.replace(
      '"expected_amount":"123400","order_id"',
      '"expected_amount":123400,"order_id"',
    );
    expect(wrong).not.toBe(text);
    expect(await lintApiDocument(wrong)).not.toEqual([]);
  });
});
