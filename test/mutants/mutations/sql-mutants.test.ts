import { describe, expect, it } from 'vitest';
import { sqlMutants } from './sql-mutants.ts';

const mutatedTexts = (sql: string): string[] =>
  sqlMutants(sql).map(({ start, end, becomes }) => sql.slice(0, start) + becomes + sql.slice(end));

describe('mutants of SQL', () => {
  it('remove each condition of where, on, having, filter and when', () => {
    expect(
      mutatedTexts('select from t join u on t.id = u.id and not u.gone where a is null and (b > ? or c)'),
    ).toEqual(
      expect.arrayContaining([
        'select from t join u on true and not u.gone where a is null and (b > ? or c)',
        'select from t join u on t.id = u.id and true where a is null and (b > ? or c)',
        'select from t join u on t.id = u.id and not u.gone where true and (b > ? or c)',
        'select from t join u on t.id = u.id and not u.gone where a is null and true',
      ]),
    );
    expect(mutatedTexts('select sum(x) filter (where a) from t group by b having c')).toEqual([
      'select sum(x) filter (where true) from t group by b having c',
      'select sum(x) filter (where a) from t group by b having true',
    ]);
    expect(mutatedTexts('select case when a then 1 when b then 2 end')).toEqual([
      'select case when true then 1 when b then 2 end',
      'select case when a then 1 when true then 2 end',
    ]);
  });

  it('remove conditions of common table expressions and subqueries', () => {
    const sql =
      'with w as (select id from t where open) select from w where id in (select id from v where late)';
    expect(mutatedTexts(sql)).toEqual([
      'with w as (select id from t where true) select from w where id in (select id from v where late)',
      'with w as (select id from t where open) select from w where true',
      'with w as (select id from t where open) select from w where id in (select id from v where true)',
    ]);
  });

  it('remove each operand of or', () => {
    expect(mutatedTexts('select from t where (a or b)')).toEqual([
      'select from t where true',
      'select from t where (false or b)',
      'select from t where (a or false)',
    ]);
  });

  it('flip comparisons only in conditions', () => {
    expect(mutatedTexts('update t set a = 1 where b < 2')).toEqual([
      'update t set a = 1 where true',
      'update t set a = 1 where b <= 2',
      'update t set a = a where b < 2',
    ]);
    expect(mutatedTexts('select from t where a is not null')).toContain('select from t where a is null');
    expect(mutatedTexts("select from t where a->>'b' >= 1")).toContain("select from t where a->>'b' > 1");
  });

  it('treat between as one condition', () => {
    expect(mutatedTexts('select from t where a between 1 and 2 and b')).toEqual([
      'select from t where true and b',
      'select from t where a between 1 and 2 and true',
    ]);
  });

  it('remove each of several assignments, and turn a single one into a self-assignment', () => {
    expect(mutatedTexts('update t set a = 1, b = f(2, 3) where c')).toEqual([
      'update t set a = 1, b = f(2, 3) where true',
      'update t set b = f(2, 3) where c',
      'update t set a = 1 where c',
    ]);
  });

  it('reverse orders, minima and maxima', () => {
    expect(mutatedTexts('select min(a), greatest(b, c) from t order by d desc')).toEqual([
      'select max(a), greatest(b, c) from t order by d desc',
      'select min(a), least(b, c) from t order by d desc',
      'select min(a), greatest(b, c) from t order by d asc',
    ]);
  });

  it('ignore comments, quoted text and conflict targets', () => {
    expect(mutatedTexts("insert into t values ('where a = b') -- where c\n on conflict do nothing")).toEqual(
      [],
    );
    expect(mutatedTexts('select distinct on (a) b from t')).toEqual([]);
  });
});
