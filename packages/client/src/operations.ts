import { call, type CallOptions, type Connection, type RequestLine } from './call.ts';
import { followStream, type FollowOptions } from './follow-stream.ts';
import { listOver, type List, type Page } from './list.ts';
import type { AnswerOf, BodyOf, OperationId, ParameterOf, QueryOf } from './schemas.ts';

/** The method of an operation: its path parameter if it has one, its body if it takes one, and options. */
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
 * Makes methods out of lines such as `POST /invoices/{}/extend`, where `{}` stands for the path parameter.
 * `repeatable`: carrying it out twice does no more than carrying it out once.
 */
export function operationsOf(connection: Connection) {
  return {
    /** Without a body. */
    ask: methodsOf(connection),
    /** With a body, which comes after the path parameter. */
    tell: methodsOf(connection, true),
    list: listsOf(connection),
    follow:
      <Data>(line: RequestLine) =>
      (id: string, options?: FollowOptions) =>
        followStream<Data>(connection, placed(line, [id]), options),
  };
}

/** The types say what stands at which place of the arguments; here they are taken in that order. */
function methodsOf(connection: Connection, takesBody?: true) {
  return <Id extends OperationId>(line: RequestLine, repeatable?: true): Operation<Id> =>
    async (...args) => {
      const rest: unknown[] = args;
      const request = { line: placed(line, rest), body: takesBody && rest.shift(), repeatable };
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

/** Puts the first argument in its place, which it cannot leave: URLs fold `..`, even where it is escaped. */
function placed(line: RequestLine, args: unknown[]): RequestLine {
  return line.replace('{}', () => {
    const value = args.shift();
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError('an identifier is a string other than "", "." and ".."');
    return encodeURIComponent(value);
  }) as RequestLine;
}
