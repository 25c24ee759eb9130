import type { Store } from '@paywatch/store';

/** What a process leaves behind that dies in the middle. */
export class Crash extends Error {
  override name = 'Crash';
}

type Sql = Store['sql'];

/**
 * A store whose process crashes at step `at`: before a statement, or after a commit whose result it does not get. An open
 * transaction is rolled back, as Postgres does when a connection ends.
 */
export function crashingStore(store: Store, at: number): Store {
  let steps = 0;
  const step = (): void => {
    steps += 1;
    if (steps === at) throw new Crash(`step ${at}`);
  };
  return { ...store, sql: crashing(store.sql, step) };
}

function crashing(sql: Sql, step: () => void): Sql {
  const begin = async (work: (tx: Sql) => Promise<unknown>): Promise<unknown> => {
    const result: unknown = await sql.begin((tx) => work(crashing(tx as unknown as Sql, step)));
    step();
    return result;
  };
  return new Proxy(sql, {
    apply: (target, self, args: unknown[]) => {
      if (isTemplate(args[0])) step();
      return Reflect.apply(target as unknown as (...all: unknown[]) => unknown, self, args);
    },
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  });
}

/** Whether `sql` was called as a template tag, not as `sql(…)` with a list of values or names. */
function isTemplate(value: unknown): boolean {
  return Array.isArray(value) && 'raw' in value;
}
