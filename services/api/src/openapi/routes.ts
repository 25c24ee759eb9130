import { Router } from 'express';

/** GET /v1/openapi.json: the document, as it was written once; readable from pages of any origin, as tools on the web need it. */
export function openApiRoutes(document: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/v1/openapi.json', (_request, response) => {
    response.set('Access-Control-Allow-Origin', '*');
    response.set('Cache-Control', 'public, max-age=300');
    response.type('application/json').send(document);
  });
  return router;
}
