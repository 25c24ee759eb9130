import { Router, type Response } from 'express';
import { fileURLToPath } from 'node:url';
import type { ApiDocument } from './api-document.ts';
import { docsPage } from './docs-page.ts';

/** One style sheet of this host, and nothing else: no script at all. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const STYLE = fileURLToPath(new URL('style.css', import.meta.url));
const FIVE_MINUTES_SECONDS = 300;

/** GET /docs: the OpenAPI document, to be read, with every error code under its own anchor. */
export function docsRoutes(document: ApiDocument): Router {
  const router = Router({ caseSensitive: true });
  const page = docsPage(document);
  router.get('/docs', (_request, response) => {
    sendWithPolicy(response).type('html').send(page);
  });
  router.get('/docs/style.css', (_request, response) => {
    sendWithPolicy(response).sendFile(STYLE, { cacheControl: false });
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
