import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generatedFiles } from '../build/generated-files.ts';

/* The package as merchants install it: what `npm run build` wrote to dist. */

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
/** The one that all is checked with; the generator of the types brings an older one along. */
const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
const shop = mkdtempSync(join(tmpdir(), 'paywatch-shop-'));

beforeAll(() => {
  // `npm test` has built it; called alone, this file does.
  run(process.execPath, ['build/build.ts'], folder);
  mkdirSync(join(shop, 'node_modules/@paywatch'), { recursive: true });
  cpSync(dist, join(shop, 'node_modules/@paywatch/client'), { recursive: true });
  writeFileSync(join(shop, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(shop, { recursive: true }));

function run(program: string, args: string[], cwd = shop): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

test('what follows from the OpenAPI document is up to date: `npm run generate -w @paywatch/client`', async () => {
  for (const { url, text } of await generatedFiles()) expect(readFileSync(url, 'utf8'), url.href).toBe(text);
});

describe('the published package', () => {
  test('holds the code, its types and how to use it, and needs nothing else', () => {
    const packing = run('npm', ['pack', '--dry-run', '--json', '--loglevel=error', dist]);
    const [packed]: { files: { path: string }[] }[] = JSON.parse(packing);
    const paths = packed?.files.map(({ path }) => path).filter((path) => !path.startsWith('types/'));
    expect(paths?.sort()).toEqual([
      'README.md',
      'examples/express.ts',
      'examples/fastify.ts',
      'examples/hono.ts',
      'index.js',
      'index.js.map',
      'package.json',
    ]);
    expect(packed?.files.length).toBeGreaterThan(5);
    expect(readFileSync(join(dist, 'index.js'), 'utf8')).not.toMatch(/\bimport\b|\brequire\(/);
    const manifest: unknown = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('private');
  });

  test('is smaller than 10 KB over the wire, and than 12 KB before', () => {
    const code = readFileSync(join(dist, 'index.js'));
    expect(gzipSync(code).length).toBeLessThan(5000);
    expect(code.length).toBeLessThan(12_000);
  });

  test('is typed for whoever installs it, under the strictest settings, with and without types of Node', () => {
    const options = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--skipLibCheck',
      'false',
      '--types',
      '',
    ];
    writeFileSync(join(shop, 'right.ts'), RIGHT);
    run(tsc, [
      ...options,
      '--lib',
      'es2023,dom,dom.iterable',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      'right.ts',
    ]);
    run(tsc, [
      ...options,
      '--lib',
      'es2023,dom,dom.iterable',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      'right.ts',
    ]);
    writeFileSync(join(shop, 'wrong.ts'), RIGHT.replace("'150000'", '150000'));
    expect(() => run(tsc, [...options, '--lib', 'es2023,dom', '--module', 'nodenext', 'wrong.ts'])).toThrow(
      /TS2322/,
    );
  });

  test('runs on the oldest Node that it names', () => {
    const system = '/usr/bin/node';
    const isOld = existsSync(system) && run(system, ['--version']).startsWith('v2');
    writeFileSync(join(shop, 'run.js'), RUN);
    const output = run(isOld ? system : process.execPath, ['run.js']);
    expect(output).toBe('function PaywatchConnectionError missing_signature\n');
  });
});

const RIGHT = `
import { createPaywatch, InvoiceNotFoundError, verifyWebhook, type Invoice } from '@paywatch/client';
const paywatch = createPaywatch({ baseUrl: 'https://pay.example', apiKey: 'pw' });
const invoice: Invoice = await paywatch.invoices.create({ currency: 'BTC', type: 'order', expected_amount: '150000' });
for await (const { data } of paywatch.public.followInvoice(invoice.public_id)) {
  const name: string | null = data.project_name;
  if (data.status === 'confirmed') break;
}
for await (const event of paywatch.events.list({ type: 'invoice.confirmed' })) event.delivery.attempt_count.toFixed();
await paywatch.wallets.verify('LTC', { address: 'ltc1' }, { timeoutMs: 1000 });
const event = await verifyWebhook('', null, 'whsec_');
const code: 'invoice_not_found' | undefined = event instanceof InvoiceNotFoundError ? event.code : undefined;
export { code };
`;

const RUN = `
import { createPaywatch, verifyWebhook } from '@paywatch/client';
const paywatch = createPaywatch({ baseUrl: 'http://127.0.0.1:1', apiKey: 'pw', maxRetries: 0 });
const lost = await paywatch.invoices.list().page().catch((error) => error);
const refused = await verifyWebhook('{}', null, 'whsec_').catch((error) => error);
console.log(typeof paywatch.invoices.create, lost.name, refused.code);
`;
