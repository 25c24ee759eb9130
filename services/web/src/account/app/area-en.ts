import { waitTimeEn } from '../../ui/wait-time.ts';

/** English texts around every screen of the account area. */
export const areaEn = {
  title: 'Paywatch',
  nav: {
    label: 'Account area',
    start: 'Get started',
    overview: 'Overview',
    invoices: 'Invoices',
    links: 'Payment links',
    donations: 'Donations',
    wallets: 'Wallets',
    webhooks: 'Webhooks',
    keys: 'API keys',
    members: 'Members',
    account: 'Account',
    operator: 'Operator',
    unnamed: 'Unnamed project',
    docs: 'API reference',
    logout: 'Log out',
    menu: 'Menu',
    skip: 'Skip to content',
  },
  common: {
    loading: 'Loading…',
    retry: 'Try again',
    copy: 'Copy',
    copied: 'Copied',
    save: 'Save',
    saved: 'Saved',
    cancel: 'Cancel',
    more: 'Load more',
    next: 'Next step',
    open: 'Open',
    any: 'Any',
    optional: 'optional',
    request: (id: string) => `Request ID: ${id}`,
    shownOnce: 'Copy this now. You won’t see it again.',
    notFound: {
      title: 'Page not found',
      detail: 'Check the address for typos.',
      link: 'Go to overview',
    },
  },
  problems: {
    unreachable: 'The service cannot be reached. Check your connection and try again.',
    unauthorized: 'Your session has ended. Log in again.',
    invalid_credentials: 'Wrong email or password.',
    rate_limited: (seconds: number) => `Too many attempts. Try again in ${waitTimeEn(seconds)}.`,
    service_unavailable: 'The service is busy. Try again in a moment.',
    address_pool_busy: (seconds: number) =>
      `No receiving address is available. Try again in ${waitTimeEn(seconds)}.`,
    subscription_inactive: 'You need an active subscription to create invoices.',
    wallet_not_verified: 'Verify a wallet for this currency first.',
    /** The API's own message names the script type or branch that the address matches. */
    address_mismatch: (detail: string) => detail,
    wallet_not_found: 'Add a wallet for this currency first.',
    webhook_not_configured: 'Set an endpoint first.',
    webhook_disabled: 'The endpoint answered 410 Gone and was disabled. Set it again to resume deliveries.',
    already_extended: 'This invoice has already been extended. Each invoice can be extended once.',
    invoice_not_extendable: 'Only new and pending invoices can be extended.',
    validation_error: 'Fix the highlighted fields.',
    reauthentication_required:
      'This change needs a code from your authenticator app, or a passkey. Try again.',
    password_required: 'This change needs your password. Try again.',
    challenge_expired: 'This login has expired. Start again with your password.',
    too_many_factors: 'Five apps and passkeys are the maximum. Remove one first.',
    link_expired: 'This link is unknown, has expired or was already used. Ask for a new one.',
    forbidden: 'Your role in this project does not allow this. Reload the page if your role has changed.',
    email_taken: 'Another account has this email by now, so the change cannot be completed.',
    mail_not_configured: 'This service sends no mail. Ask its operator to reset your password.',
  },
  /** In English, the API's own message is the most precise one. */
  fieldError: (_field: string, detail: string) => detail,
  subscription: {
    heading: 'Subscription',
    active: (date: string) => `Active until ${date}.`,
    activeForever: 'Active.',
    ending: (date: string) =>
      `Your subscription ends on ${date}. After that, you cannot create new invoices.`,
    inactive:
      'Your subscription is not active, so you cannot create invoices or accept donations. Existing invoices are still tracked until they end. Ask the operator of this service to renew it.',
  },
};
/** The shape that every other language has to fill. */
export type AreaTexts = typeof areaEn;
