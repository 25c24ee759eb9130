import { call, type Call, type CallOptions, type Connection } from './call.ts';
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
 * Makes methods out of paths. `{}` stands for the path parameter. `repeatable`: carrying it out twice does no more than
 * carrying it out once.
 */
export function operationsOf(connection: Connection) {
  return {
    /** Without a body. */
    ask: methodsOf(connection, () => undefined),
    /** With a body, which comes after the path parameter. */
    tell: methodsOf(connection, (rest) => rest.shift()),
    list: listsOf(connection),
    follow:
      <Data>(template: string) =>
      (id: string, options?: FollowOptions) =>
        followStream<Data>(connection, pathOf(template, [id]), options),
  };
}

/** The types say what stands at which place of the arguments; here they are taken in that order. */
function methodsOf(connection: Connection, takeBody: (rest: unknown[]) => unknown) {
  return <Id extends OperationId>(
      method: Call['method'],
      template: string,
      repeatable = method === 'GET',
    ): Operation<Id> =>
    async (...args) => {
      const rest: unknown[] = args;
      const request = { method, path: pathOf(template, rest), body: takeBody(rest), repeatable };
      return (await call<Id>(connection, request, rest[0] as CallOptions | undefined)).body;
    };
}

function listsOf(connection: Connection) {
  return <Id extends OperationId, Item>(path: string) =>
    (filter?: Omit<QueryOf<Id>, 'cursor'>, options?: CallOptions): List<Item> =>
      listOver(async (cursor) => {
        const request = { method: 'GET', path, query: { ...filter, cursor }, repeatable: true } as const;
        const { body }: { body: Page<Item> } = await call(connection, request, options);
        return body;
      });
}

/** Puts the first argument in its place, which it cannot leave: URLs fold `..`, even where it is escaped. */
function pathOf(template: string, args: unknown[]): string {
  return template.replace('{}', () => {
    const value = args.shift();
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError('an identifier must be a string, and none of "", "." and ".."');
    return encodeURIComponent(value);
  });
}
