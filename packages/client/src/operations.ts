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
 * Creates methods from paths such as `/invoices/{}/extend`, where `{}` stands for the path parameter. `idempotent` marks
 * operations that are safe to retry.
 */
export function operationsOf(connection: Connection) {
  return {
    /** Operations without a request body. */
    get: methodsOf(connection, 'GET'),
    post: methodsOf(connection, 'POST'),
    remove: methodsOf(connection, 'DELETE'),
    /** Operations with a request body, which follows the path parameter. */
    postBody: methodsOf(connection, 'POST', true),
    patchBody: methodsOf(connection, 'PATCH', true),
    list: listsOf(connection),
    follow:
      <Data>(path: Path) =>
      (id: string, options?: FollowOptions) =>
        followStream<Data>(connection, withParameter(`GET ${path}`, [id]), options),
  };
}

type Path = `/${string}`;

/** `Operation` types the arguments; here they are taken in that order. */
function methodsOf(connection: Connection, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', takesBody?: true) {
  return <Id extends OperationId>(path: Path, idempotent?: true): Operation<Id> =>
    async (...args) => {
      const rest: unknown[] = args;
      const line = withParameter(`${method} ${path}`, rest);
      const request = { line, body: takesBody && rest.shift(), idempotent };
      return (await call<Id>(connection, request, rest[0] as CallOptions | undefined)).body;
    };
}

function listsOf(connection: Connection) {
  return <Id extends OperationId, Item>(path: Path) =>
    (filter?: Omit<QueryOf<Id>, 'cursor'>, options?: CallOptions): List<Item> =>
      listOver(async (cursor): Promise<Page<Item>> => {
        const request = { line: `GET ${path}` as const, query: { ...filter, cursor } };
        return (await call(connection, request, options)).body;
      });
}

/** Fills in the path parameter. Throws TypeError for `.` and `..`, which URLs normalize even if they are escaped. */
function withParameter(line: RequestLine, args: unknown[]): RequestLine {
  return line.replace('{}', () => {
    const value = args.shift();
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`not an identifier: ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  }) as RequestLine;
}
