// The table is in the contract, because browser code reads it and may import nothing else of the domain.
export { ERROR_CODES, errorStatus, type ErrorCode } from '../contract/error-codes.ts';
