import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Manifest } from 'vite';
import { builtFiles } from './page-assets.ts';
import { distFolder } from './vite-options.ts';

/** Writes a `.br` and a `.gz` file next to every asset, so that no server has to compress at run time. */
export async function compressAssets(manifest: Manifest, icon: string): Promise<void> {
  await Promise.all(builtFiles(manifest, icon).map((path) => compressFile(`${distFolder}/client${path}`)));
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
