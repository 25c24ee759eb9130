import { createHash, timingSafeEqual } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Order, Orders, Refund } from './orders.ts';
import { adminOrderPage, adminPage } from './pages.ts';

/** The merchant's pages: orders and refunds, behind a password (user name: any). */
export function adminRoutes(orders: Orders, password: string): Router {
  const router = Router();
  router.use(askPassword(password));
  router.get('/', (_request: Request, response: Response) => void response.send(adminPage(orders.list())));
  router.get('/orders/:id', (request: Request<{ id: string }>, response, next) => {
    const order = orders.find(request.params.id);
    if (order === undefined) return next();
    response.send(adminOrderPage(order, orders.refundsOf(order.id)));
  });
  router.post('/orders/:id/refunds', (request: Request<{ id: string }>, response, next) => {
    const order = orders.find(request.params.id);
    if (order === undefined) return next();
    const message = recordRefund(orders, order, request.body);
    response.send(adminOrderPage(order, orders.refundsOf(order.id), message));
  });
  return router;
}

/** Paywatch cannot send money back, because it has no keys. The shop only notes what somebody sent from the shop's wallet. */
function recordRefund(orders: Orders, { id }: Order, body: unknown): string {
  const refund = readRefund(body);
  if (refund === null)
    return 'Enter an amount such as 0.0005, and a transaction id of 64 hexadecimal digits.';
  return orders.addRefund(id, refund) ? 'The refund is recorded.' : 'This transaction was recorded before.';
}

function readRefund(body: unknown): Refund | null {
  const { amount, txid, note }: Partial<Record<string, unknown>> = { ...(body as object) };
  if (typeof amount !== 'string' || !/^\d{1,8}(\.\d{1,8})?$/.test(amount)) return null;
  if (typeof txid !== 'string' || !/^[\da-f]{64}$/.test(txid)) return null;
  return { amount, txid, note: typeof note === 'string' ? note.slice(0, 200) : '' };
}

function askPassword(password: string): RequestHandler {
  return (request, response, next) => {
    const [, encoded = ''] = /^Basic (.+)$/.exec(request.get('Authorization') ?? '') ?? [];
    const given = Buffer.from(encoded, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
    if (isSame(given, password)) return next();
    response.status(401).set('WWW-Authenticate', 'Basic realm="Orders"').send('A password is needed.');
  };
}

/** Compares in constant time. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
