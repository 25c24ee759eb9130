export * from './error-codes.ts';
export * from './invoices.ts';
export * from './limits.ts';
export * from './primitives.ts';
export * from './problem.ts';
