import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generatedFiles } from '../build/generated-files.ts';

/* Tests the package as merchants install it, from the output of `npm run build`. */

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = join(folder, 'dist');
const SHOP = [
  'README.md',
  'admin.ts',
  'cart.ts',
  'checkout.ts',
  'html.ts',
  'main.ts',
  'orders.ts',
  'pages.ts',
  'products.ts',
  'shop.ts',
  'webhook.ts',
];
/** The repository's compiler; openapi-typescript installs an older one. */
const tsc = fileURLToPath(new URL('../../../node_modules/.bin/tsc', import.meta.url));
const shop = mkdtempSync(join(tmpdir(), 'paywatch-shop-'));

beforeAll(() => {
  run(process.execPath, ['build/build.ts'], folder);
  writeFileSync(join(shop, 'package.json'), '{"type":"module"}');
  const tarball = run('npm', ['pack', '--silent', dist]).trim();
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`]);
});
afterAll(() => rmSync(shop, { recursive: true }));

function run(program: string, args: string[], cwd = shop): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

test('the generated files are up to date: `npm run generate -w @paywatch/client`', async () => {
  for (const { url, text } of await generatedFiles()) expect(readFileSync(url, 'utf8'), url.href).toBe(text);
});

describe('the published package', () => {
  test('contains code, types, README and examples, and has no dependencies', () => {
    const packing = run('npm', ['pack', '--dry-run', '--json', '--loglevel=error', dist]);
    const [packed]: { files: { path: string }[] }[] = JSON.parse(packing);
    const paths = packed?.files.map(({ path }) => path).filter((path) => !path.startsWith('types/'));
    expect(paths?.sort()).toEqual([
      'README.md',
      'button.js',
      'button.js.map',
      'examples/express.ts',
      'examples/fastify.ts',
      'examples/hono.ts',
      ...SHOP.map((name) => `examples/shop/${name}`),
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

  test('is smaller than 14 KB, and 5 KB compressed', () => {
    const code = readFileSync(join(dist, 'index.js'));
    expect(code.length).toBeLessThan(14_000);
    expect(gzipSync(code).length).toBeLessThan(5000);
  });

  test('has an entry for browsers of less than 2 KB', () => {
    const code = readFileSync(join(dist, 'button.js'));
    expect(code.length).toBeLessThan(2000);
    expect(code.toString()).not.toMatch(/\bimport\b/);
  });

  test('is tree-shakeable', async () => {
    writeFileSync(join(shop, 'verify.js'), "export { verifyWebhook } from '@paywatch/client';");
    const code = await bundle('verify.js');
    expect(code).toContain('signature_mismatch');
    expect(code).not.toContain('/invoices');
    expect(code.length).toBeLessThan(3000);
    writeFileSync(join(shop, 'nothing.js'), "import '@paywatch/client';");
    expect((await bundle('nothing.js')).trim()).toBe('');
  });

  test('has a source map with the TypeScript source', () => {
    const map: { sources: string[]; sourcesContent: string[] } = JSON.parse(
      readFileSync(join(dist, 'index.js.map'), 'utf8'),
    );
    expect(map.sources.map((source) => source.replace(/^.*\/src\//, ''))).toContain('retry.ts');
    expect(map.sourcesContent.join('')).toContain('export function createPaywatch');
  });

  test('type-checks under the strictest settings and every module resolution', () => {
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
    const lib = ['--lib', 'es2023,dom,dom.iterable', '--target', 'es2023'];
    for (const resolution of [['node16'], ['nodenext'], ['esnext', '--moduleResolution', 'bundler']])
      run(tsc, [...options, ...lib, '--module', ...resolution, 'right.ts']);
    writeFileSync(join(shop, 'wrong.ts'), RIGHT.replace("'150000'", '150000'));
    expect(() => run(tsc, [...options, '--lib', 'es2023,dom', '--module', 'nodenext', 'wrong.ts'])).toThrow(
      /TS2322/,
    );
  });
});

/** Bundles a program that uses the package. */
async function bundle(entry: string): Promise<string> {
  const [made] = (await build({
    root: shop,
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib: { entry: join(shop, entry), formats: ['es'] } },
  })) as Rolldown.RolldownOutput[];
  return made?.output[0].code ?? '';
}

const RIGHT = `
import { openPayment, type PaymentState } from '@paywatch/client/button';
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
const show = async () => openPayment('https://pay.example/l/x', { onConfirmed: ({ publicId }: PaymentState) => publicId });
export { code, show };
`;
