import type { Response } from 'supertest';

/** A parser for supertest that keeps a body as bytes, whatever its type. */
export function bytes(response: Response, done: (error: Error | null, body: unknown) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
}
