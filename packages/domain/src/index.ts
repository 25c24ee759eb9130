export * from './payment-facts.ts';
export * from './invoice-status.ts';
