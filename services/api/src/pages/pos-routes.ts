import { isPointOfSale, type PageContent, type PublicPaymentLink } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { Router, type Request } from 'express';
import type { OperationRouter } from '../operation-router.ts';
import type { WebBuild } from './web-build.ts';

const MANIFEST = 'app.webmanifest';
/** `--ground` of the pages. */
const COLOR = '#f5f6f8';

/** The point of sale of a link. Throws AppError `not_found` for a link that cannot be one. */
export function posPage(link: PublicPaymentLink, { path }: Request): PageContent {
  assertPointOfSale(link);
  return { page: 'pos', link, manifest: `${path}/${MANIFEST}` };
}

/** The web app manifest of each point of sale, by which a phone adds it to the home screen. */
export function posManifestRoute(operations: OperationRouter, { assets }: WebBuild): Router {
  const router = Router({ caseSensitive: true });
  const icon = [...assets.keys()].find((name) => /^icon-.*\.svg$/.test(name));
  router.get(`/pos/:token/${MANIFEST}`, async (request, response) => {
    request.context.page = `/pos/{token}/${MANIFEST}`;
    const { body } = await operations.run('getPublicPaymentLink', request, response);
    assertPointOfSale(body);
    const page = request.path.slice(0, -MANIFEST.length - 1);
    response.type('application/manifest+json').send(JSON.stringify(manifestOf(body, page, icon)));
  });
  return router;
}

function manifestOf({ title }: PublicPaymentLink, page: string, icon: string | undefined) {
  return {
    name: title,
    id: page,
    start_url: page,
    scope: page,
    display: 'standalone',
    background_color: COLOR,
    theme_color: COLOR,
    icons: icon === undefined ? [] : [{ src: `/assets/${icon}`, type: 'image/svg+xml', sizes: 'any' }],
  };
}

function assertPointOfSale(link: PublicPaymentLink): void {
  if (!isPointOfSale(link)) throw new AppError('not_found');
}
