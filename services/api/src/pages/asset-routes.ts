import { accentStyleSheet } from '@paywatch/domain/accent';
import { AppError } from '@paywatch/domain/requests';
import { Router, type Request, type Response } from 'express';
import type { Asset, WebBuild } from './web-build.ts';

const ONE_HOUR_SECONDS = 3600;
/** For a year. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * The files that pages load: a name contains a hash of the content, or the color that it follows from, so caches may keep them forever.
 * And the script of the payment button, which sites load by one name for good, so caches keep it for an hour.
 */
export function assetRoutes({ assets, embedScript }: WebBuild): Router {
  const router = Router({ caseSensitive: true });
  router.get(/^\/assets\/accent-([0-9a-f]{6})\.css$/, (request, response) => {
    request.context.page = '/assets/accent-{color}.css';
    response.set({ 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': IMMUTABLE });
    response.send(accentStyleSheet(`#${request.params[0]}`));
  });
  router.get('/assets/:name', (request, response) => {
    request.context.page = '/assets/{name}';
    const asset = assets.get(request.params.name);
    if (asset === undefined) throw new AppError('not_found');
    sendAsset(request, response, asset, IMMUTABLE);
  });
  router.get('/embed.js', (request, response) => {
    request.context.page = '/embed.js';
    // A site that pins the script by its hash loads it with CORS.
    response.set('Access-Control-Allow-Origin', '*');
    sendAsset(request, response, embedScript, `public, max-age=${ONE_HOUR_SECONDS}`);
  });
  return router;
}

function sendAsset(request: Request, response: Response, asset: Asset, cacheControl: string): void {
  const accepted = request.acceptsEncodings('br', 'gzip');
  const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : 'identity';
  response.set({
    'Content-Type': asset.type,
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
  response.send(asset.encodings[encoding]);
}
