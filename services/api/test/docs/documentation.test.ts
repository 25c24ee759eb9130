import {
  createInvoiceBodySchema,
  ERROR_CODES,
  invoiceViewSchema,
  OPERATIONS,
} from '@paywatch/domain/contract';
import { describe, expect, it } from 'vitest';
import { sharedApi } from '../support/api.ts';

const api = await sharedApi();

describe('the OpenAPI document', () => {
  it('is served as OpenAPI 3.0.3 with every operation of the contract, readable from any origin', async () => {
    const { status, body, headers } = await api.call('get', '/v1/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.0.3');
    expect(body.servers).toEqual([{ url: 'https://pay.example' }]);
    expect(headers['access-control-allow-origin']).toBe('*');
    for (const [id, { path, method }] of Object.entries(OPERATIONS)) {
      expect(body.paths[path][method].operationId).toBe(id);
    }
  });
});

describe('the reference page', () => {
  it('loads nothing from other hosts, no script and no inline style, as its policy demands', async () => {
    const { text, headers } = await api.call('get', '/docs');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; base-uri 'none';/,
    );
    expect(text).not.toMatch(/<script|<style| style=/);
    expect(text).not.toMatch(/(src|href)="https?:/);
    for (const [, path] of text.matchAll(/(?:src|href)="(\/[^"#]+)"/g)) {
      expect((await api.call('get', path ?? '')).status, path).toBe(200);
    }
  });

  it('shows every operation with all inputs and responses', async () => {
    const { text } = await api.call('get', '/docs');
    for (const [id, { path, method, summary }] of Object.entries(OPERATIONS)) {
      const section =
        new RegExp(`<section class="operation" id="${id}">.*?</section>`, 's').exec(text)?.[0] ?? '';
      expect(section).toContain(`${summary}</a></h3>`);
      expect(section.replaceAll('<wbr />', '')).toContain(`<code>${path}</code>`);
      expect(section).toContain(
        `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}https://pay.example${path}`,
      );
      expect(text.match(new RegExp(`href="#${id}"`, 'g'))).toHaveLength(3);
    }
    const creation = /id="createInvoice">.*?<\/section>/s.exec(text)?.[0] ?? '';
    for (const field of Object.keys(createInvoiceBodySchema.shape))
      expect(creation).toContain(`<code>${field}</code>`);
    for (const field of Object.keys(invoiceViewSchema.shape))
      expect(creation).toContain(`<code>${field}</code>`);
  });

  it('has unique anchors and no broken links', async () => {
    const { text } = await api.call('get', '/docs');
    const anchors = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, anchor]) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(target);
  });

  it('lists every error code under the anchor that problems link to', async () => {
    const { text } = await api.call('get', '/docs');
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`<tr id="${code}">`);
    expect((await api.call('get', '/v1/nothing')).body.type).toBe('/docs#not_found');
  });
});
