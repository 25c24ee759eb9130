import { AppError, errorStatus } from '@paywatch/domain';
import type { PageContent, PageProblem } from '@paywatch/domain/contract';
import { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Dependencies } from '../dependencies.ts';
import { noteFailure } from '../middleware/answer-errors.ts';
import type { OperationRouter } from '../operation-router.ts';
import { loadWebBuild, type WebBuild } from './web-build.ts';

const ONE_YEAR_SECONDS = 31_536_000;
const NOT_BUILT = 'The pages of this deployment were not built.\n';

/**
 * The pages that people see, rendered from what the operations answer, and the files that they load. Bind the
 * operations first. Without a build every one of these routes answers 503, and the rest of the API goes on.
 */
export function pageRoutes(operations: OperationRouter, dependencies: Dependencies): Router {
  const { config, logger } = dependencies;
  const router = Router({ caseSensitive: true });
  const web = loadWebBuild(config.env.WEB_DIST, logger);
  if (web === null) return refusePages(router);

  const show = (path: string, read: (request: Request, response: Response) => Promise<PageContent>) => {
    router.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response) => {
      request.context.page = path;
      await sendPage(dependencies, web, await read(request, response), request, response);
    });
  };
  show('/pay/{publicId}', async (request, response) => {
    const { body } = await operations.run('getPublicInvoice', request, response);
    return { page: 'pay', invoice: body };
  });
  router.get('/assets/:name', (request, response) => sendAsset(web, request, response));
  router.use(answerPageErrors(dependencies, web));
  return router;
}

function refusePages(router: Router): Router {
  router.get(
    ['/', '/pay/*rest', '/donate/*rest', '/overlay/*rest', '/account{/*rest}', '/assets/*rest'],
    (_request, response) => {
      response.status(503).type('text/plain').send(NOT_BUILT);
    },
  );
  return router;
}

async function sendPage(
  { clock }: Dependencies,
  web: WebBuild,
  content: PageContent,
  request: Request,
  response: Response,
): Promise<void> {
  const { lang } = request.query;
  const { html, headers } = web.render(content, {
    wantedLanguage: typeof lang === 'string' ? lang : null,
    acceptLanguage: request.headers['accept-language'] ?? null,
    nowMs: clock.nowMs(),
  });
  response.set(headers).type('html');
  if (request.acceptsEncodings('gzip') !== 'gzip') response.send(html);
  else response.set('Content-Encoding', 'gzip').send(await promisify(gzip)(html));
}

/** Named by their content: what has a name never changes, so every cache may keep it. */
function sendAsset({ assets }: WebBuild, request: Request, response: Response): void {
  request.context.page = '/assets/{name}';
  const asset = assets.get(String(request.params['name']));
  if (asset === undefined) throw new AppError('not_found');
  const encoding = request.acceptsEncodings('br', 'gzip') || 'identity';
  const [chosen, bytes] =
    encoding === 'br' || encoding === 'gzip'
      ? [encoding, asset.encodings[encoding]]
      : ['identity', asset.encodings.identity];
  response.set({
    'Content-Type': asset.type,
    'Cache-Control': `public, max-age=${ONE_YEAR_SECONDS}, immutable`,
    Vary: 'Accept-Encoding',
    ...(chosen === 'identity' ? {} : { 'Content-Encoding': chosen }),
  });
  response.send(bytes);
}

/** People get a page where programs get a problem; the status is the same. */
function answerPageErrors(dependencies: Dependencies, web: WebBuild): ErrorRequestHandler {
  return async (thrown: unknown, request, response, next) => {
    const error = noteFailure(dependencies.logger, request, thrown);
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
    response.status(errorStatus(error.code)).set('Cache-Control', 'no-store');
    await sendPage(
      dependencies,
      web,
      { page: 'problem', problem: problemOf(error, request) },
      request,
      response,
    );
  };
}

function problemOf({ code, errors, retryAfterSeconds }: AppError, request: Request): PageProblem {
  return {
    code,
    requestId: request.context.id,
    retryAfterSeconds: retryAfterSeconds ?? null,
    errors: errors ?? [],
  };
}
