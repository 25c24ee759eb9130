import { areaDe } from './account/area-de.ts';
import { donationsDe } from './account/donations-de.ts';
import { eventDe } from './account/event-de.ts';
import { invoiceDe } from './account/invoice-de.ts';
import { invoicesDe } from './account/invoices-de.ts';
import { keysDe } from './account/keys-de.ts';
import { loginDe } from './account/login-de.ts';
import { newInvoiceDe } from './account/new-invoice-de.ts';
import { overviewDe } from './account/overview-de.ts';
import { purchasesDe } from './account/purchases-de.ts';
import { settingsDe } from './account/settings-de.ts';
import { startDe } from './account/start-de.ts';
import { statesDe } from './account/states-de.ts';
import { walletsDe } from './account/wallets-de.ts';
import { webhooksDe } from './account/webhooks-de.ts';
import type { AccountTexts } from './account-en.ts';

/** The same in German; a text that is missing does not pass the type check. */
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
  keys: keysDe,
  purchases: purchasesDe,
  settings: settingsDe,
};
