import { errorStatus } from '@paywatch/domain/contract';
import type { AppError } from '@paywatch/domain/requests';
import type { PageContent, PageProblem } from '@paywatch/domain/contract';
import type { RateLimitState } from '@paywatch/store/redis';
import { Router, type Request, type Response } from 'express';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Dependencies } from '../dependencies.ts';
import { countNetwork } from '../limits/count-network.ts';
import { recordError } from '../middleware/error-handler.ts';
import type { WebBuild } from './web-build.ts';

/** A smaller page fits into one packet anyway, and compression would cost more than the rest of the request. */
const GZIP_FROM_BYTES = 1400;

/** Returns what a page shows. Throws AppError. */
type PageReader = (request: Request, response: Response) => Promise<PageContent> | PageContent;

/** Routes that respond with pages, errors included. */
export type PageRouter = {
  /** `path` has parameters in braces and is logged as it is. */
  get(path: string, read: PageReader): void;
  /** For a submitted form. `read` returns null if it has sent the response itself. */
  post(path: string, read: (...args: Parameters<PageReader>) => Promise<PageContent | null>): void;
  /** For paths without a route. If `check` returns, the request is passed on. */
  otherwise(check: (request: Request) => void): void;
  routes(): Router;
};

/** Renders pages with the web build. An error is a page with the status and headers that a problem would have. */
export function createPageRouter(dependencies: Dependencies, web: WebBuild): PageRouter {
  const router = Router({ caseSensitive: true });
  const bind = (method: 'get' | 'post', path: string, read: (...args: Parameters<PageReader>) => unknown) => {
    router[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response) => {
      request.context.page = path;
      await read(request, response);
    });
  };
  const send = (content: PageContent, request: Request, response: Response) =>
    sendPage(dependencies, web, content, request, response);
  return {
    get: (path, read) =>
      bind('get', path, async (request, response) => send(await read(request, response), request, response)),
    post: (path, read) =>
      bind('post', path, async (request, response) => {
        const content = await read(request, response);
        if (content !== null) await send(content, request, response);
      }),
    otherwise: (check) =>
      router.use((request, _response, next) => {
        check(request);
        next();
      }),
    routes: () =>
      router.use(
        async (thrown: unknown, request: Request, response: Response, next: (error: unknown) => void) => {
          // Above the limit the error is sent as a problem, which costs neither rendering nor compression.
          if (response.headersSent || !(await countPage(dependencies, request)).isAllowed)
            return next(thrown);
          const problem = setPageProblem(thrown, request, response);
          await send({ page: 'problem', problem }, request, response);
        },
      ),
  };
}

/** Counts a page that no operation has counted: an error, or one without content of its own. */
export function countPage({ limiters }: Dependencies, { context }: Request): Promise<RateLimitState> {
  return countNetwork(limiters, 'page', context.network);
}

/** Sets status and headers for a thrown value, and returns the problem that the page shows. */
export function setPageProblem(thrown: unknown, request: Request, response: Response): PageProblem {
  const error = recordError(request, response, thrown);
  response.status(errorStatus(error.code));
  if (error.retryAfterSeconds !== undefined) response.set('Retry-After', String(error.retryAfterSeconds));
  return problemOf(error, request);
}

function problemOf({ code, errors = [], retryAfterSeconds }: AppError, request: Request): PageProblem {
  return { code, errors, retryAfterSeconds: retryAfterSeconds ?? null, requestId: request.context.id };
}

async function sendPage(
  { clock }: Dependencies,
  web: WebBuild,
  content: PageContent,
  request: Request,
  response: Response,
): Promise<void> {
  const { lang } = request.query;
  const { html, headers } = web.renderPage(content, {
    wantedLanguage: typeof lang === 'string' ? lang : null,
    acceptLanguage: request.headers['accept-language'] ?? null,
    nowMs: clock.nowMs(),
  });
  response.set(headers).type('html');
  // This older header knows no list of sites.
  if ('sites' in content && content.sites.length > 0) response.removeHeader('X-Frame-Options');
  const isSmall = Buffer.byteLength(html) < GZIP_FROM_BYTES;
  if (isSmall || request.acceptsEncodings('gzip') !== 'gzip') response.send(html);
  else response.set('Content-Encoding', 'gzip').send(await promisify(gzip)(html));
}
