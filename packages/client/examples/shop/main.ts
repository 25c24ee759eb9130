/**
 * An example shop that sells for Bitcoin and Litecoin. Its README says how to run it:
 *
 *     PAYWATCH_URL=… PAYWATCH_API_KEY=… PAYWATCH_SECRET=… ADMIN_PASSWORD=… node main.ts
 */
import { createPaywatch } from '@paywatch/client';
import { openOrders } from './orders.ts';
import { createShop } from './shop.ts';

const { SHOP_DATABASE = 'shop.db', PORT = '3000', HOST = '127.0.0.1' } = process.env;

const orders = openOrders(SHOP_DATABASE);
const shop = createShop({
  orders,
  paywatch: createPaywatch({ baseUrl: required('PAYWATCH_URL'), apiKey: required('PAYWATCH_API_KEY') }),
  webhookSecret: required('PAYWATCH_SECRET'),
  adminPassword: required('ADMIN_PASSWORD'),
  shopUrl: process.env['SHOP_URL'] ?? `http://localhost:${PORT}`,
});
const server = shop.listen(Number(PORT), HOST, () =>
  console.log(`The shop is open: http://localhost:${PORT}`),
);

process.once('SIGTERM', () => {
  server.close(() => orders.close());
  server.closeAllConnections();
});

/** Throws Error without the variable: an empty secret would accept everybody. */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set; see README.md`);
  return value;
}
