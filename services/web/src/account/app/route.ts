/** The steps of the guided setup, in order. */
export const START_STEPS = ['key', 'wallet', 'verify', 'webhook', 'invoice'] as const;
export type StartStep = (typeof START_STEPS)[number];

/** The screens that links in mails open, and the one that asks for a link; they need no session. */
const MAIL_LINK_SCREENS = [
  'forgot-password',
  'reset-password',
  'verify-email',
  'confirm-email',
  'cancel-wallet-changes',
  'accept-invitation',
] as const;
export type MailLinkScreen = (typeof MAIL_LINK_SCREENS)[number];

/** The screens without parameters. */
const PLAIN_SCREENS = [
  'login',
  'register',
  'donations',
  'links',
  'wallets',
  'keys',
  'members',
  'projects',
  'settings',
  'audit',
] as const;

/** A screen of the account area with its parameters. */
export type Route =
  | {
      readonly screen:
        (typeof PLAIN_SCREENS)[number] | 'overview' | 'invoices' | 'new-invoice' | 'webhooks' | 'unknown';
    }
  /** `parts`: the rest of the path, which the area of operators reads. */
  | { readonly screen: 'operator'; readonly parts: readonly string[] }
  | { readonly screen: 'mail-link'; readonly link: MailLinkScreen }
  | { readonly screen: 'start'; readonly step: StartStep | null }
  | { readonly screen: 'invoice'; readonly id: string }
  | { readonly screen: 'event'; readonly id: string };

/** Parses a path such as `/account/invoices/inv_…`. Any other path is `unknown`. */
export function parseRoute(pathname: string): Route {
  const [area, name, part, ...more] = pathname.split('/').filter((piece) => piece !== '');
  if (area === 'account' && name === 'operator')
    return { screen: 'operator', parts: [...(part === undefined ? [] : [part]), ...more] };
  if (area !== 'account' || more.length > 0) return { screen: 'unknown' };
  if (name === undefined) return { screen: 'overview' };
  if (name === 'start') return startRoute(part);
  if (name === 'invoices') return invoicesRoute(part);
  if (name === 'webhooks') return part === undefined ? { screen: 'webhooks' } : { screen: 'event', id: part };
  const link = MAIL_LINK_SCREENS.find((known) => known === name);
  if (link !== undefined && part === undefined) return { screen: 'mail-link', link };
  const screen = PLAIN_SCREENS.find((plain) => plain === name);
  return screen === undefined || part !== undefined ? { screen: 'unknown' } : { screen };
}

function startRoute(part: string | undefined): Route {
  if (part === undefined) return { screen: 'start', step: null };
  const step = START_STEPS.find((known) => known === part);
  return step === undefined ? { screen: 'unknown' } : { screen: 'start', step };
}

function invoicesRoute(part: string | undefined): Route {
  if (part === undefined) return { screen: 'invoices' };
  return part === 'new' ? { screen: 'new-invoice' } : { screen: 'invoice', id: part };
}
