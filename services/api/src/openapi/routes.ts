import { API_VERSION } from '@paywatch/domain/contract';
import { openApiDocument } from '@paywatch/domain';
import { Router } from 'express';
import type { ApiConfig } from '../config.ts';

/** GET /v1/openapi.json: the document, written once; readable from pages of any origin, as tools on the web need it. */
export function openApiRoutes(config: ApiConfig): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const text = JSON.stringify(openApiDocument({ baseUrl: config.publicUrl, version: API_VERSION }));
  router.get('/v1/openapi.json', (_request, response) => {
    response.set('Access-Control-Allow-Origin', '*');
    response.set('Cache-Control', 'public, max-age=300');
    response.type('application/json').send(text);
  });
  return router;
}
