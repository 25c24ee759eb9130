export * from './payment-facts.ts';
export * from './invoice-status.ts';
export { AppError, problemBody, type AppErrorOptions } from './app-error.ts';
export { ERROR_CODES, errorStatus, type ErrorCode, type ErrorCodeEntry } from './error-codes.ts';
export * from './invoice-amounts.ts';
export * from './invoice-view.ts';
export { parseBody, parseHeaders, parseParams, parseQuery } from './parse-request.ts';
