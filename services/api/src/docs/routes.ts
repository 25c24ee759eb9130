import { Router, type Response } from 'express';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ApiDocument } from './api-document.ts';
import { docsPage } from './docs-page.ts';

/** One style sheet and one script of this host, and nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const STYLE = fileURLToPath(new URL('style.css', import.meta.url));
const SCRIPT = fileURLToPath(new URL('docs-script.js', import.meta.url));
const FIVE_MINUTES_SECONDS = 300;

/** GET /docs: the OpenAPI document, to be read, with every error code under its own anchor. */
export function docsRoutes(document: ApiDocument): Router {
  const router = Router({ caseSensitive: true });
  const page = docsPage(document);
  const compressed = gzipSync(page, { level: 9 });
  router.get('/docs', (request, response) => {
    sendWithPolicy(response).type('html').vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip') !== 'gzip') response.send(page);
    else response.set('Content-Encoding', 'gzip').send(compressed);
  });
  router.get('/docs/style.css', (_request, response) => {
    sendWithPolicy(response).sendFile(STYLE, { cacheControl: false });
  });
  router.get('/docs/script.js', (_request, response) => {
    sendWithPolicy(response).sendFile(SCRIPT, { cacheControl: false });
  });
  return router;
}

/** Page and style change together with a deployment, so neither is kept for long. */
function sendWithPolicy(response: Response): Response {
  return response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': `public, max-age=${FIVE_MINUTES_SECONDS}`,
  });
}
