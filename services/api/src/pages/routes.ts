import { AppError } from '@paywatch/domain/requests';
import type { PageContent } from '@paywatch/domain/contract';
import { Router, type Request, type Response } from 'express';
import type { Dependencies } from '../dependencies.ts';
import { assertAllowed } from '../limits/count-network.ts';
import { readFormBody } from '../middleware/form-body.ts';
import type { OperationRouter } from '../operation-router.ts';
import { hasSessionCookie } from '../sessions/session-cookie.ts';
import { assertControlExists, assertOverlayExists } from './assert-overlay-exists.ts';
import { assetRoutes } from './asset-routes.ts';
import { readEmbedSites } from './embed-sites.ts';
import { countPage, createPageRouter, setPageProblem } from './page-router.ts';
import { posManifestRoute, posPage } from './pos-routes.ts';
import { loadWebBuild, type WebBuild } from './web-build.ts';

const NOT_BUILT = 'This deployment has no web build.\n';

/**
 * The routes of the pages, rendered from the results of operations, and of their assets. Without a web build these routes return 503, and
 * the rest of the API works.
 */
export function pageRoutes(operations: OperationRouter, dependencies: Dependencies): Router {
  const web = loadWebBuild(dependencies.config.env.WEB_DIST, dependencies.logger);
  if (web === null) return refusePages();
  const pages = createPageRouter(dependencies, web);

  pages.get('/pay/{publicId}', async (request, response) => {
    const { body } = await operations.run('getPublicInvoice', request, response);
    const destination = request.headers['sec-fetch-dest'];
    const sites = await readEmbedSites(dependencies, { publicId: body.public_id, destination });
    return { page: 'pay', invoice: body, sites };
  });
  pages.get('/donate/{token}', async (request, response) => {
    const { body } = await operations.run('getDonationLink', request, response);
    return { page: 'donate', link: body, url: urlOf(dependencies, request), draft: null, problem: null };
  });
  pages.post('/donate/{token}', (request, response) => startDonation(operations, web, request, response));
  pages.get('/alert-preview', async (request) => {
    assertAllowed(await countPage(dependencies, request));
    return { page: 'alert-preview' };
  });
  const readSitesOfLink = ({ headers, params }: Request) =>
    readEmbedSites(dependencies, { token: String(params['token']), destination: headers['sec-fetch-dest'] });
  pages.get('/l/{token}', async (request, response) => {
    const { body } = await operations.run('getPublicPaymentLink', request, response);
    const sites = await readSitesOfLink(request);
    return { page: 'link', link: body, draft: null, problem: null, sites };
  });
  pages.post('/l/{token}', async (request, response) => {
    const content = await startPurchase(operations, web, request, response);
    return content && { ...content, sites: await readSitesOfLink(request) };
  });
  pages.get('/pos/{token}', async (request, response) => {
    const { body } = await operations.run('getPublicPaymentLink', request, response);
    return posPage(body, request);
  });
  pages.get('/overlay/{token}', async (request, response) => {
    const { token = '' } = request.params;
    await assertOverlayExists(
      dependencies,
      { token: String(token), network: request.context.network },
      response,
    );
    const { source } = request.query;
    return { page: 'overlay', source: typeof source === 'string' ? source : null };
  });
  pages.get('/control/{token}', async (request, response) => {
    const { token = '' } = request.params;
    await assertControlExists(
      dependencies,
      { token: String(token), network: request.context.network },
      response,
    );
    return { page: 'control' };
  });
  pages.get('/status', async (request, response) => {
    const { body } = await operations.run('getServiceStatus', request, response);
    return { page: 'status', status: body };
  });
  // One document for the whole account area; its script routes the pages inside.
  const account = async (request: Request): Promise<PageContent> => {
    assertAllowed(await countPage(dependencies, request));
    return { page: 'account', hasSession: hasSessionCookie(dependencies.config, request.headers.cookie) };
  };
  pages.get('/account', account);
  pages.get('/account/*rest', account);

  const router = Router({ caseSensitive: true });
  router.get('/', (_request, response) => response.redirect('/account'));
  pages.otherwise((request) => {
    if (request.accepts('application/problem+json', 'html') === 'html') throw new AppError('not_found');
  });
  return router.use(assetRoutes(web), posManifestRoute(operations, web), pages.routes());
}

/** Handles the donation form without script: redirects to the payment page, or shows the form again with the errors. */
async function startDonation(
  operations: OperationRouter,
  web: WebBuild,
  request: Request,
  response: Response,
): Promise<PageContent | null> {
  const { draft, request: body } = web.readDonationForm(await readFormBody(request, response));
  try {
    const created = await operations.run('createDonation', request, response, body);
    response.redirect(303, `/pay/${created.body.public_id}${languageOf(request)}`);
    return null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') throw thrown;
    const { body: link } = await operations.run('getDonationLink', request, response);
    return { page: 'donate', link, draft, problem: setPageProblem(thrown, request, response) };
  }
}

/** Handles the form of a payment link without script, like that of a donation. */
async function startPurchase(
  operations: OperationRouter,
  web: WebBuild,
  request: Request,
  response: Response,
): Promise<Extract<PageContent, { page: 'link' }> | null> {
  const { draft, request: body } = web.readPurchaseForm(await readFormBody(request, response));
  try {
    const started = await operations.run('buyByPaymentLink', request, response, body);
    response.redirect(303, `/pay/${started.body.public_id}${languageOf(request)}`);
    return null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'not_found') throw thrown;
    const { body: link } = await operations.run('getPublicPaymentLink', request, response);
    return { page: 'link', link, draft, problem: setPageProblem(thrown, request, response) };
  }
}

function languageOf({ query }: Request): string {
  return typeof query['lang'] === 'string' ? `?lang=${encodeURIComponent(query['lang'])}` : '';
}

/** The URL of a page as others see it, without its query. */
function urlOf({ config }: Dependencies, request: Request): string {
  return new URL(request.path, config.publicUrl).href;
}

function refusePages(): Router {
  const router = Router({ caseSensitive: true });
  const paths = [
    '/pay/*rest',
    '/donate/*rest',
    '/l/*rest',
    '/pos/*rest',
    '/overlay/*rest',
    '/alert-preview',
    '/status',
    '/control/*rest',
    '/account{/*rest}',
    '/assets/*rest',
    '/embed.js',
  ];
  router.get(paths, (_request, response) => {
    response.status(503).type('text/plain').send(NOT_BUILT);
  });
  return router;
}
