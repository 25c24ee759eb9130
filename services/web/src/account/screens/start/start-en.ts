/** English texts of the guided setup. */
export const startEn = {
  heading: 'Get started',
  lead: 'Five steps to your first payment. Your progress is saved, so you can come back any time.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  open: 'To do',
  skip: 'Go to overview',
  allDone: 'Everything is set up. You can receive payments.',
  doItWithApi: 'Do it with the API',
  steps: {
    key: { title: 'API key', detail: 'Your server authenticates with it. Store it on your server only.' },
    wallet: {
      title: 'Wallet',
      detail:
        'Enter the extended public key of your own wallet. Paywatch derives addresses from it. Nobody can spend with it.',
    },
    verify: {
      title: 'Verify',
      detail: 'Check one address to make sure payments reach you.',
    },
    webhook: {
      title: 'Webhook',
      detail: 'Paywatch notifies your server at this URL when a payment is confirmed.',
    },
    invoice: { title: 'First invoice', detail: 'Create an invoice and look at its payment page.' },
  },
  walletFirst: 'Add a wallet first (previous step).',
  verified: (currency: string) => `Your ${currency} wallet is verified.`,
  webhookDone: (url: string) => `Events are sent to ${url}`,
  invoiceDone: 'Your first invoice is ready. Your customers will see this page:',
};
/** The shape that every other language has to fill. */
export type StartTexts = typeof startEn;
