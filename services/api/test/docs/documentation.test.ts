import {
  createInvoiceBodySchema,
  ERROR_CODES,
  invoiceViewSchema,
  OPERATIONS,
} from '@paywatch/domain/contract';
import { spawnSync } from 'node:child_process';
import { findProgram } from '@paywatch/dev/servers';
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
  it('loads nothing from other hosts, no inline script and no inline style, as its policy demands', async () => {
    const { text, headers } = await api.call('get', '/docs');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none';/,
    );
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('<script type="module" src="/docs/script.js"></script>');
    expect(text).not.toMatch(/<style| style=| on\w+=/);
    expect(text).not.toMatch(/(src|href)="https?:/);
    expect(text).toContain('href="/account"');
    // The account area is part of the web build, which these tests do not have.
    for (const [, path] of text.replace('href="/account"', '').matchAll(/(?:src|href)="(\/[^"#]+)"/g)) {
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

/** The samples of one language, as a reader copies them. */
async function samplesIn(language: string): Promise<string[]> {
  const { text } = await api.call('get', '/docs');
  const blocks = text.matchAll(new RegExp(`data-language="${language}">.*?<code>(.*?)</code>`, 'gs'));
  return Array.from(blocks, ([, code = '']) =>
    code.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

const PARSERS = {
  curl: ['sh', '-c', 'node -e "process.stdout.write(JSON.parse(fs.readFileSync(0)).join())" | sh -n'],
  python: ['python3', '-c', 'import ast, json, sys\nfor s in json.load(sys.stdin): ast.parse(s)'],
  php: [
    'php',
    '-r',
    'foreach (json_decode(stream_get_contents(STDIN)) as $s) token_get_all($s, TOKEN_PARSE);',
  ],
} as const;

describe('the samples', () => {
  it('of every operation exist in every language, with its method and its URL', async () => {
    for (const language of ['curl', 'typescript', 'python', 'php']) {
      const samples = await samplesIn(language);
      expect(samples).toHaveLength(Object.keys(OPERATIONS).length);
      for (const { path } of Object.values(OPERATIONS)) {
        expect(samples.some((sample) => sample.includes(`https://pay.example${path}`))).toBe(true);
      }
    }
  });

  it('of curl parse in a shell', async () => {
    expect(parseErrors('curl', [(await samplesIn('curl')).join('\n')])).toBe('');
  });

  it('in TypeScript parse', async () => {
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    for (const sample of await samplesIn('typescript')) {
      // The body of a function takes everything but imports.
      const body = sample.replace("import { env } from 'node:process';", '');
      expect(() => new AsyncFunction(body)).not.toThrow();
    }
  });

  it.skipIf(findProgram('python3') === undefined)('in Python parse', async () => {
    expect(parseErrors('python', await samplesIn('python'))).toBe('');
  });

  it.skipIf(findProgram('php') === undefined)('in PHP parse', async () => {
    expect(parseErrors('php', await samplesIn('php'))).toBe('');
  });
});

function parseErrors(language: keyof typeof PARSERS, samples: readonly string[]): string {
  const [program, ...args] = PARSERS[language];
  const { status, stderr, stdout } = spawnSync(program, args, {
    input: JSON.stringify(samples),
    encoding: 'utf8',
  });
  return status === 0 ? '' : stderr + stdout;
}
