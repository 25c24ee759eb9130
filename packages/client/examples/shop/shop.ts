import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { adminRoutes } from './admin.ts';
import { readCart, setCount, toCount, totalCents, writeCart } from './cart.ts';
import { startPayment, type Checkout } from './checkout.ts';
import { cartPage, orderPage, productsPage } from './pages.ts';
import { receiveWebhook } from './webhook.ts';

export type ShopOptions = Checkout & { readonly webhookSecret: string; readonly adminPassword: string };

/** The routes of the shop. */
export function createShop({ webhookSecret, adminPassword, ...checkout }: ShopOptions): Express {
  const { orders } = checkout;
  const app = express();
  app.disable('x-powered-by');
  app.post('/webhooks', receiveWebhook(orders, webhookSecret));
  app.use(express.urlencoded({ extended: false, limit: '10kb' }), refuseOtherSites);

  app.get('/', (_request, response) => void response.send(productsPage()));
  app.get('/cart', (request, response) => void response.send(cartPage(readCart(request))));
  app.post('/cart', (request, response) => {
    const { sku, count }: { sku?: unknown; count?: unknown } = request.body ?? {};
    const cart = readCart(request);
    const before = cart.find(({ product }) => product.sku === sku)?.count ?? 0;
    const after = count === undefined ? Math.min(before + 1, 99) : toCount(count);
    writeCart(response, setCount(cart, String(sku), after));
    response.redirect(303, '/cart');
  });
  app.post('/checkout', (request, response) => {
    const cart = readCart(request);
    if (cart.length === 0) return response.redirect(303, '/cart');
    const summary = cart.map(({ product, count }) => `${count} × ${product.name}`).join(', ');
    const id = orders.add(summary, totalCents(cart));
    writeCart(response, []);
    response.redirect(303, `/orders/${id}`);
  });
  app.get('/orders/:id', (request: Request<{ id: string }>, response, next) => {
    const order = orders.find(request.params.id);
    if (order === undefined) return next();
    const isBusy = request.query['busy'] === '1';
    response.set('Cache-Control', 'no-store').send(orderPage(order, orders.refundsOf(order.id), isBusy));
  });
  app.post('/orders/:id/pay', (request: Request<{ id: string }>, response) =>
    pay(checkout, request.params.id, request, response),
  );
  app.use('/admin', adminRoutes(orders, adminPassword));
  app.use((_request, response) => void response.status(404).send('There is nothing here.'));
  app.use(answerError);
  return app;
}

/** Leads to the payment page, or back to the order if it cannot be paid right now. */
async function pay(checkout: Checkout, id: string, { body }: Request, response: Response): Promise<void> {
  const order = checkout.orders.find(id);
  if (order === undefined) return response.redirect(303, '/');
  const currency = (body as { currency?: unknown } | undefined)?.currency === 'LTC' ? 'LTC' : 'BTC';
  response.redirect(303, (await startPayment(checkout, order, currency)) ?? `/orders/${id}?busy=1`);
}

/** Browsers name the site that a form was on: another site must not send forms in the name of a visitor. */
function refuseOtherSites(request: Request, response: Response, next: NextFunction): void {
  const site = request.get('Sec-Fetch-Site') ?? 'same-origin';
  if (request.method !== 'POST' || site === 'same-origin' || site === 'none') return next();
  response.status(403).send('Another site sent this form.');
}

/** The stack trace of an error is for the log only. */
function answerError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  console.error(error);
  response.status(500).send('Something went wrong. Your order is safe; please try again.');
}
