import { AppError } from '@paywatch/domain/requests';
import { Router } from 'express';
import type { WebBuild } from './web-build.ts';

const ONE_YEAR_SECONDS = 31_536_000;

/** The files that pages load. A name contains a hash of the content, so caches may keep them forever. */
export function assetRoutes({ assets }: WebBuild): Router {
  const router = Router({ caseSensitive: true });
  router.get('/assets/:name', (request, response) => {
    request.context.page = '/assets/{name}';
    const asset = assets.get(request.params.name);
    if (asset === undefined) throw new AppError('not_found');
    const accepted = request.acceptsEncodings('br', 'gzip');
    const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
    response.set({
      'Content-Type': asset.type,
      'Cache-Control': `public, max-age=${ONE_YEAR_SECONDS}, immutable`,
      Vary: 'Accept-Encoding',
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    });
    response.send(asset.encodings[encoding]);
  });
  return router;
}
