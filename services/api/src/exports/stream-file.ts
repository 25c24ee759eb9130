import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file to download, named without its extension. Pages are read while they are sent, so memory does not grow with the file. */
export type Download<Item> = {
  name: string;
  extension: string;
  type: string;
  head: string;
  pages: AsyncGenerator<readonly Item[]>;
  write: (item: Item) => string;
};

/**
 * Streams a file. An error before the first page is a problem response; a later one closes the connection, so that an incomplete file
 * does not look complete. A client that reads nothing for `stallMs` is disconnected: it would hold the connection, and a shutdown.
 */
export async function streamFile<Item>(
  response: ServerResponse,
  file: Download<Item>,
  stallMs = STALL_MS,
): Promise<void> {
  const first = await file.pages.next();
  response.setHeader('Content-Type', file.type);
  response.setHeader('Content-Disposition', `attachment; filename="${file.name}.${file.extension}"`);
  response.setTimeout(stallMs, () => {
    // With nothing to send, the client waits for pages in which nothing matches.
    if (response.writableLength > 0) response.destroy();
  });
  try {
    await pipeline(Readable.from(textOf(file, first)), response);
  } catch (error) {
    if (!isClientGone(error)) throw error;
  }
}

const STALL_MS = 30_000;

async function* textOf<Item>(
  { head, pages, write }: Download<Item>,
  first: IteratorResult<readonly Item[], unknown>,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  for (let page = first; page.done !== true; page = await pages.next()) yield page.value.map(write).join('');
}

function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
