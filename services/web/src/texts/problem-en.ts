/** What stands, in English, on a page that cannot be shown. */
export const problemEn = {
  invoice_not_found: {
    title: 'There is no such payment',
    detail: 'Check the link: it may have been cut off, or belong to another service.',
  },
  not_found: {
    title: 'There is nothing here',
    detail: 'Check the link: it may have been cut off or replaced.',
  },
  rate_limited: { title: 'Too many requests', detail: 'Wait a moment, then load this page again.' },
  unavailable: { title: 'The service cannot answer now', detail: 'Load this page again in a moment.' },
  request: 'Request',
  retry: 'Load again',
};
/** The texts of a page that cannot be shown. */
export type ProblemTexts = typeof problemEn;
