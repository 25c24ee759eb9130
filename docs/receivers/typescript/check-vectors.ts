/** Checks every vector: `node check-vectors.ts ../vectors.json` exits with 0 if all results are as expected. */
import { verifyWebhook } from '@paywatch/client';
import { readFileSync } from 'node:fs';

type Vector = {
  title: string;
  secret: string;
  now: number;
  body: string;
  headers: Record<string, string>;
  accept: boolean;
};

const vectors = JSON.parse(readFileSync(process.argv[2] ?? '../vectors.json', 'utf8')) as Vector[];
for (const { title, secret, now, body, headers, accept } of vectors) {
  const isAccepted = await verifyWebhook(body, headers['X-Signature'], secret, { nowMs: now * 1000 }).then(
    () => true,
    () => false,
  );
  if (isAccepted !== accept) throw new Error(title);
}
console.log(`${vectors.length} vectors`);
