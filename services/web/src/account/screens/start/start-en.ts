/** What stands on the guided start, in English. */
export const startEn = {
  heading: 'First steps',
  lead: 'Five steps to your first payment. What is done stays done; come back any time.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  open: 'To do',
  later: 'Go to the overview',
  allDone: 'Everything is set up. Payments can come.',
  sameByCall: 'The same by a call',
  steps: {
    key: { title: 'API key', detail: 'Your server identifies itself with it. Keep it on the server only.' },
    wallet: {
      title: 'Wallet',
      detail:
        'Give the extended public key of your own wallet. Addresses are derived from it; nobody can spend with it.',
    },
    verify: {
      title: 'Verify',
      detail: 'Compare one address, so that payments surely reach your wallet.',
    },
    webhook: {
      title: 'Webhook',
      detail: 'Where we tell your server that a payment is confirmed.',
    },
    invoice: { title: 'First invoice', detail: 'Create one and look at its payment page.' },
  },
  walletFirst: 'Register a wallet first: that is the step before this one.',
  verified: (currency: string) => `The ${currency} wallet is verified.`,
  webhookDone: (url: string) => `Events go to ${url}`,
  invoiceDone: 'Your first invoice is there. This is how your payers see it:',
};
/** Every language has to fill its shape. */
export type StartTexts = typeof startEn;
