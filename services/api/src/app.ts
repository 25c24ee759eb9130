import { AppError } from '@paywatch/domain';
import express, { type Express } from 'express';
import type { Dependencies } from './dependencies.ts';
import { answerErrors } from './middleware/answer-errors.ts';
import { closeConnections } from './middleware/close-connections.ts';
import { logRequests } from './middleware/log-requests.ts';
import { publicCors } from './middleware/public-cors.ts';
import { requestContext } from './middleware/request-context.ts';
import { noStore, securityHeaders } from './middleware/security-headers.ts';
import { createOperationRouter } from './operation-router.ts';

/** The whole API: what every request passes, in this order, and every resource. */
export function createApp(dependencies: Dependencies): Express {
  const { config, logger, closing } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(requestContext(config.trustedProxies));
  app.use(logRequests(logger));
  app.use(closeConnections(closing));
  app.use(securityHeaders());
  app.use(noStore);
  app.use('/v1/public', publicCors);

  const operations = createOperationRouter(dependencies);
  app.use(operations.routes());

  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(answerErrors(logger));
  return app;
}
