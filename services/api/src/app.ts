import { openApiDocument } from '@paywatch/domain/openapi';
import { AppError } from '@paywatch/domain/requests';
import { API_VERSION } from '@paywatch/domain/contract';
import express, { type Express } from 'express';
import type { Dependencies } from './dependencies.ts';
import { docsRoutes } from './docs/routes.ts';
import { closeConnections } from './middleware/close-connections.ts';
import { errorHandler } from './middleware/error-handler.ts';
import { publicCors } from './middleware/public-cors.ts';
import { requestContext } from './middleware/request-context.ts';
import { requestLog } from './middleware/request-log.ts';
import { requestMetrics } from './middleware/request-metrics.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { checkTrustedProxies } from './middleware/trusted-proxy-check.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { createOperationRouter } from './operation-router.ts';
import { downloadHandlers, fileHandlers, operationHandlers } from './operations.ts';
import { pageRoutes } from './pages/routes.ts';
import { streamHandlers } from './streams/stream-handlers.ts';

/** Creates the API: the middleware in its order, operations, documentation, pages and the error handler. */
export function createApp(dependencies: Dependencies): Express {
  const { config, logger, registry, closing } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(requestContext(config));
  app.use(checkTrustedProxies(dependencies));
  app.use(requestLog(logger));
  app.use(requestMetrics(registry));
  app.use(closeConnections(closing));
  app.use(securityHeaders());
  app.use('/v1/public', publicCors);

  const operations = createOperationRouter(dependencies, operationHandlers(dependencies), {
    streams: { ...streamHandlers(dependencies), ...downloadHandlers(dependencies) },
    files: fileHandlers(dependencies),
  });
  app.use(operations.router);
  const document = JSON.stringify(openApiDocument({ baseUrl: config.publicUrl, version: API_VERSION }));
  app.use(openApiRoutes(document));
  app.use(docsRoutes(JSON.parse(document)));
  app.use(pageRoutes(operations, dependencies));

  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(errorHandler);
  return app;
}
