import { areaEn } from './app/area-en.ts';
import { donationsEn } from './screens/donations/donations-en.ts';
import { eventEn } from './screens/events/event-en.ts';
import { invoiceEn } from './screens/invoices/invoice-en.ts';
import { invoicesEn } from './screens/invoices/invoices-en.ts';
import { loginEn } from './screens/login/login-en.ts';
import { newInvoiceEn } from './screens/new-invoice/new-invoice-en.ts';
import { overviewEn } from './screens/overview/overview-en.ts';
import { purchasesEn } from './screens/settings/purchases-en.ts';
import { settingsEn } from './screens/settings/settings-en.ts';
import { startEn } from './screens/start/start-en.ts';
import { statesEn } from './app/states-en.ts';
import { walletsEn } from './screens/wallets/wallets-en.ts';
import { webhooksEn } from './screens/webhooks/webhooks-en.ts';

/** All English texts of the account area: shared ones first, then one part per screen. */
export const accountEn = {
  ...areaEn,
  ...statesEn,
  login: loginEn,
  start: startEn,
  overview: overviewEn,
  invoices: invoicesEn,
  newInvoice: newInvoiceEn,
  invoice: invoiceEn,
  donations: donationsEn,
  wallets: walletsEn,
  webhooks: webhooksEn,
  event: eventEn,
  purchases: purchasesEn,
  settings: settingsEn,
};
export type AccountTexts = typeof accountEn;
