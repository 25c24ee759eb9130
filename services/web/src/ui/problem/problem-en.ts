/** English texts of the page shown when the requested page is unavailable. */
export const problemEn = {
  invoice_not_found: {
    title: 'Payment not found',
    detail: 'Check the link. It may be incomplete or belong to another service.',
  },
  not_found: {
    title: 'Page not found',
    detail: 'Check the link. It may be incomplete or may have been replaced.',
  },
  rate_limited: { title: 'Too many requests', detail: 'Wait a moment, then reload this page.' },
  unavailable: { title: 'Service unavailable', detail: 'Reload this page in a moment.' },
  request: 'Request ID',
};
export type ProblemTexts = typeof problemEn;
