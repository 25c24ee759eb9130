/** Reads the body of a response up to `maxBytes`. Rejects a larger one, which no correct server sends. */
export async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('response too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
