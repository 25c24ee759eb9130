import { areaDe } from './app/area-de.ts';
import { donationsDe } from './screens/donations/donations-de.ts';
import { eventDe } from './screens/events/event-de.ts';
import { invoiceDe } from './screens/invoices/invoice-de.ts';
import { invoicesDe } from './screens/invoices/invoices-de.ts';
import { loginDe } from './screens/login/login-de.ts';
import { newInvoiceDe } from './screens/new-invoice/new-invoice-de.ts';
import { overviewDe } from './screens/overview/overview-de.ts';
import { purchasesDe } from './screens/settings/purchases-de.ts';
import { settingsDe } from './screens/settings/settings-de.ts';
import { startDe } from './screens/start/start-de.ts';
import { statesDe } from './app/states-de.ts';
import { walletsDe } from './screens/wallets/wallets-de.ts';
import { webhooksDe } from './screens/webhooks/webhooks-de.ts';
import type { AccountTexts } from './account-en.ts';

/** All German texts of the account area. A missing text fails the type check. */
export const accountDe: AccountTexts = {
  ...areaDe,
  ...statesDe,
  login: loginDe,
  start: startDe,
  overview: overviewDe,
  invoices: invoicesDe,
  newInvoice: newInvoiceDe,
  invoice: invoiceDe,
  donations: donationsDe,
  wallets: walletsDe,
  webhooks: webhooksDe,
  event: eventDe,
  purchases: purchasesDe,
  settings: settingsDe,
};
