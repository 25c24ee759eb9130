import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';

/** A build as small as a build can be: the real one is tested where it is made. */
const RENDERER = `
export const readDonationForm = (fields) => ({
  draft: fields,
  request: { currency: fields.currency, amount: fields.amount },
});
export const readPurchaseForm = (fields) => ({ draft: fields, request: fields });
export const renderPage = (content, visit) => ({
  html: '<!doctype html>' + JSON.stringify({ content, visit }),
  headers: { 'Content-Security-Policy': "default-src 'none'", Vary: 'Accept-Language, Accept-Encoding' },
});`;
/** The only script of the build. */
export const SCRIPT = 'console.info("x");'.repeat(50);

/** What the small renderer was given. */
export function contentOf(text: string) {
  return JSON.parse(text.replace('<!doctype html>', '')).content;
}

/** Writes the build for the tests of one file. */
export async function writeBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paywatch-web-'));
  afterAll(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'server'));
  await mkdir(join(folder, 'client/assets'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'server/render.js'), RENDERER);
  for (const name of ['assets/pay-1a2b.js', 'embed.js']) {
    const path = join(folder, 'client', name);
    await writeFile(path, SCRIPT);
    await writeFile(`${path}.gz`, gzipSync(SCRIPT));
    await writeFile(`${path}.br`, brotliCompressSync(SCRIPT));
  }
  return folder;
}
