import { areaEn } from './account/area-en.ts';
import { donationsEn } from './account/donations-en.ts';
import { eventEn } from './account/event-en.ts';
import { invoiceEn } from './account/invoice-en.ts';
import { invoicesEn } from './account/invoices-en.ts';
import { keysEn } from './account/keys-en.ts';
import { loginEn } from './account/login-en.ts';
import { newInvoiceEn } from './account/new-invoice-en.ts';
import { overviewEn } from './account/overview-en.ts';
import { purchasesEn } from './account/purchases-en.ts';
import { settingsEn } from './account/settings-en.ts';
import { startEn } from './account/start-en.ts';
import { statesEn } from './account/states-en.ts';
import { walletsEn } from './account/wallets-en.ts';
import { webhooksEn } from './account/webhooks-en.ts';

/** All that the account area says in English: what is around its screens, then a part for each of them. */
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
  keys: keysEn,
  purchases: purchasesEn,
  settings: settingsEn,
};
/** The texts of the account area. */
export type AccountTexts = typeof accountEn;
