import { call, type CallOptions, type Connection, type RequestLine } from './call.ts';
import { followStream, type FollowOptions } from './follow-stream.ts';
import { listOver, type List, type Page } from './list.ts';
import type { AnswerOf, BodyOf, OperationId, ParameterOf, QueryOf } from './schemas.ts';

/** The method of an operation. Its arguments are the path parameter if any, the body if any, and options. */
type Operation<Id extends OperationId> = (
  ...args: [...Parameter<Id>, ...Body<Id>, options?: CallOptions]
) => Promise<AnswerOf<Id>>;

type Parameter<Id extends OperationId> = [ParameterOf<Id>] extends [never] ? [] : [id: ParameterOf<Id>];
type Body<Id extends OperationId> = [BodyOf<Id>] extends [undefined]
  ? []
  : undefined extends BodyOf<Id>
    ? [body?: BodyOf<Id>]
    : [body: BodyOf<Id>];

/**
 * Creates methods from request lines such as `POST /invoices/{}/extend`, where `{}` stands for the path parameter.
 * `idempotent` marks operations that are safe to retry.
 */
export function operationsOf(connection: Connection) {
  return {
    /** An operation without a request body. */
    noBody: methodsOf(connection),
    /** An operation with a request body, which follows the path parameter. */
    withBody: methodsOf(connection, true),
    list: listsOf(connection),
    follow:
      <Data>(line: RequestLine) =>
      (id: string, options?: FollowOptions) =>
        followStream<Data>(connection, withParameter(line, [id]), options),
  };
}

/** `Operation` types the arguments; here they are taken in that order. */
function methodsOf(connection: Connection, takesBody?: true) {
  return <Id extends OperationId>(line: RequestLine, idempotent?: true): Operation<Id> =>
    async (...args) => {
      const rest: unknown[] = args;
      const request = { line: withParameter(line, rest), body: takesBody && rest.shift(), idempotent };
      return (await call<Id>(connection, request, rest[0] as CallOptions | undefined)).body;
    };
}

function listsOf(connection: Connection) {
  return <Id extends OperationId, Item>(line: RequestLine) =>
    (filter?: Omit<QueryOf<Id>, 'cursor'>, options?: CallOptions): List<Item> =>
      listOver(async (cursor): Promise<Page<Item>> => {
        const request = { line, query: { ...filter, cursor } };
        return (await call(connection, request, options)).body;
      });
}

/** Fills in the path parameter. Throws TypeError for `.` and `..`, which URLs normalize even if they are escaped. */
function withParameter(line: RequestLine, args: unknown[]): RequestLine {
  return line.replace('{}', () => {
    const value = args.shift();
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError('an identifier is a string other than "", "." and ".."');
    return encodeURIComponent(value);
  }) as RequestLine;
}
