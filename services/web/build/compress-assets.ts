import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { distFolder } from './vite-options.ts';

/** Writes a `.br` and a `.gz` file next to every file, named by its absolute path, so that no server has to compress at run time. */
export async function compressAssets(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => compressFile(`${distFolder}/client${path}`)));
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
