/** What the reference shows for one operation: a request body where it takes one, and the body of its success. */
export interface OperationExample {
  readonly request?: unknown;
  readonly response: unknown;
}
