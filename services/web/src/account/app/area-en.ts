/** What stands around every screen of the account area, in English. */
export const areaEn = {
  title: 'Paywatch',
  nav: {
    label: 'Account area',
    start: 'First steps',
    overview: 'Overview',
    invoices: 'Invoices',
    donations: 'Donations',
    wallets: 'Wallets',
    webhooks: 'Webhooks',
    keys: 'API keys',
    account: 'Account',
    docs: 'API reference',
    logout: 'Log out',
    menu: 'Menu',
    skip: 'Skip to the content',
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
    request: (id: string) => `Request ${id}`,
    shownOnce: 'This is shown once. Keep it in a safe place now: it cannot be read here again.',
    notFound: {
      title: 'There is nothing here',
      detail: 'The address may be mistyped.',
      link: 'To the overview',
    },
  },
  problems: {
    unreachable: 'There is no connection to the service. Check your network and try again.',
    unauthorized: 'Your session has ended. Log in again.',
    invalid_credentials: 'The email or the password is wrong.',
    rate_limited: (seconds: number) => `Too many attempts. Try again in ${waitEn(seconds)}.`,
    service_unavailable: 'The service is busy. Try again in a moment.',
    address_pool_busy: (seconds: number) => `No receiving address is free. Try again in ${waitEn(seconds)}.`,
    subscription_inactive: 'Creating invoices needs an active subscription.',
    wallet_not_verified: 'There is no verified wallet of this currency yet.',
    /** The API says more than a code could, in English: under which script type or branch the address matches. */
    address_mismatch: (said: string) => said,
    wallet_not_found: 'Register a wallet of this currency first.',
    webhook_not_configured: 'Set an endpoint first.',
    webhook_disabled: 'The endpoint answered 410 and was disabled. Set it again.',
    already_extended: 'This invoice was extended before; that is possible once.',
    invoice_not_extendable: 'Only new and pending invoices can be extended.',
    validation_error: 'Please check what is marked.',
  },
  /** The API says in English what is wrong with a field, and says it precisely. */
  fault: (_field: string, said: string) => said,
  subscription: {
    heading: 'Subscription',
    active: (date: string) => `Active until ${date}.`,
    activeForever: 'Active.',
    ending: (date: string) => `Your subscription ends on ${date}. After that no new invoices can be created.`,
    inactive:
      'Your subscription is not active: no new invoices or donations can be created. Existing ones are watched to the end. Ask the operator of this service to renew it.',
  },
};

function waitEn(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
/** Every language has to fill its shape. */
export type AreaTexts = typeof areaEn;
