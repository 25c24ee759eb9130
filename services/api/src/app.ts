import { openApiDocument } from '@paywatch/domain/openapi';
import { AppError } from '@paywatch/domain/requests';
import { API_VERSION } from '@paywatch/domain/contract';
import express, { type Express } from 'express';
import { bindApiKeys } from './api-keys/routes.ts';
import { bindAuth } from './auth/routes.ts';
import type { Dependencies } from './dependencies.ts';
import { docsRoutes } from './docs/routes.ts';
import { bindDonations } from './donations/routes.ts';
import { bindEvents } from './events/routes.ts';
import { bindFees } from './fees/routes.ts';
import { bindInvoices } from './invoices/routes.ts';
import { bindMe } from './me/routes.ts';
import { answerErrors } from './middleware/answer-errors.ts';
import { closeConnections } from './middleware/close-connections.ts';
import { logRequests } from './middleware/log-requests.ts';
import { measureRequests } from './middleware/measure-requests.ts';
import { publicCors } from './middleware/public-cors.ts';
import { requestContext } from './middleware/request-context.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { watchClients } from './middleware/watch-clients.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { createOperationRouter } from './operation-router.ts';
import { bindOverlay } from './overlay/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { bindProject } from './project/routes.ts';
import { bindStats } from './stats/routes.ts';
import { bindStreams } from './streams/routes.ts';
import { bindSubscription } from './subscription/routes.ts';
import { bindUnassignedPayments } from './unassigned-payments/routes.ts';
import { bindWallets } from './wallets/routes.ts';
import { bindWebhooks } from './webhooks/routes.ts';

/** The whole API: what every request passes, in this order, and every resource. */
export function createApp(dependencies: Dependencies): Express {
  const { config, logger, registry, closing } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');

  app.use(requestContext(config.trustedProxies));
  app.use(watchClients(dependencies));
  app.use(logRequests(logger));
  app.use(measureRequests(registry));
  app.use(closeConnections(closing));
  app.use(securityHeaders());
  app.use('/v1/public', publicCors);

  const operations = createOperationRouter(dependencies);
  // A request passes the routes that stand before its own: what most requests are for comes first.
  bindInvoices(operations, dependencies);
  bindStreams(operations, dependencies);
  bindAuth(operations, dependencies);
  bindMe(operations, dependencies);
  bindProject(operations, dependencies);
  bindSubscription(operations, dependencies);
  bindApiKeys(operations, dependencies);
  bindWallets(operations, dependencies);
  bindUnassignedPayments(operations, dependencies);
  bindWebhooks(operations, dependencies);
  bindDonations(operations, dependencies);
  bindEvents(operations, dependencies);
  bindStats(operations, dependencies);
  bindOverlay(operations, dependencies);
  bindFees(operations, dependencies);
  app.use(operations.routes());
  const document = JSON.stringify(openApiDocument({ baseUrl: config.publicUrl, version: API_VERSION }));
  app.use(openApiRoutes(document));
  app.use(docsRoutes(JSON.parse(document)));
  app.use(pageRoutes(operations, dependencies));

  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(answerErrors(logger));
  return app;
}
