import { ERROR_CODES, OPERATIONS } from '@paywatch/domain/contract';
import { describe, expect, it } from 'vitest';
import { sharedApi } from './support/api.ts';

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

describe('the page to read it', () => {
  it('comes from this host alone, without inline script, under a policy that says so', async () => {
    const { text, headers } = await api.call('get', '/docs');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script(?![^>]* src="\/docs\/)/);
    expect(text).not.toMatch(/(src|href)="https?:/);
    for (const [, path] of text.matchAll(/(?:src|href)="(\/[^"#]+)"/g)) {
      expect((await api.call('get', path ?? '')).status, path).toBe(200);
    }
  });

  it('lists every error code under the anchor that problems link to', async () => {
    const { text } = await api.call('get', '/docs');
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`<tr id="${code}">`);
    expect((await api.call('get', '/v1/nothing')).body.type).toBe('/docs#not_found');
  });
});
