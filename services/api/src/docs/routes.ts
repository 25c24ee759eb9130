import { Router, type Response } from 'express';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docsPage, STARTER_SCRIPT } from './docs-page.ts';

/** The viewer is on this host, so nothing is fetched from elsewhere; no inline script. It sets styles from its code. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const VIEWER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const ONE_DAY_SECONDS = 86_400;

/** GET /docs: a page that shows the OpenAPI document and lists every error code under its own anchor. */
export function docsRoutes(): Router {
  const router = Router({ caseSensitive: true });
  const page = docsPage();
  router.get('/docs', (_request, response) => {
    sendWithPolicy(response).type('html').send(page);
  });
  router.get('/docs/start.js', (_request, response) => {
    sendWithPolicy(response).type('js').send(STARTER_SCRIPT);
  });
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  for (const file of VIEWER_FILES) {
    router.get(`/docs/${file}`, (_request, response) => {
      sendWithPolicy(response).sendFile(join(folder, file), { cacheControl: false });
    });
  }
  return router;
}

function sendWithPolicy(response: Response): Response {
  return response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': `public, max-age=${ONE_DAY_SECONDS}`,
  });
}
