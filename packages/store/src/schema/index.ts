export * from './accounts.ts';
export * from './wallets.ts';
export * from './invoices.ts';
export * from './mails.ts';
export * from './chains.ts';
export * from './webhooks.ts';
export * from './subscriptions.ts';
export * from './reconciliations.ts';
