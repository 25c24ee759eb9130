import { describe, expect, it } from 'vitest';
import { applyMutation } from './mutation.ts';
import { typescriptMutants } from './typescript-mutants.ts';

const mutatedTexts = (source: string): string[] =>
  typescriptMutants(source).map((mutation) => applyMutation(source, mutation));

describe('mutants of TypeScript', () => {
  it.each([
    ['f(a < b);', ['f(a <= b);', 'f(a >= b);']],
    ['f(a >= b);', ['f(a > b);', 'f(a < b);']],
    ['f(a === b);', ['f(a !== b);']],
    ['f(a + b);', ['f(a - b);']],
    ['f(a & b);', ['f(a | b);']],
  ])('flip the operator of %s', (source, expected) => {
    expect(mutatedTexts(source)).toEqual(expect.arrayContaining(expected));
  });

  it('replace conditions of if and ?: by true and false', () => {
    expect(mutatedTexts('if (a === b) return;')).toEqual(['if (true) return;', 'if (false) return;']);
    expect(mutatedTexts('const x = a ? b : c;')).toEqual([
      'const x = true ? b : c;',
      'const x = false ? b : c;',
    ]);
  });

  it('remove either operand of && and ||, and the left operand of ??', () => {
    expect(mutatedTexts('const x = a && b;')).toEqual(['const x = (a);', 'const x = (b);']);
    expect(mutatedTexts('const x = a || b;')).toEqual(['const x = (a);', 'const x = (b);']);
    expect(mutatedTexts('const x = a ?? b;')).toEqual(['const x = (b);']);
  });

  it('remove statements, including awaited calls and assignments', () => {
    expect(mutatedTexts('await f();')).toEqual([';']);
    expect(mutatedTexts('a = b;')).toEqual([';']);
  });

  it('remove each call of a Promise.all whose results are unused', () => {
    expect(mutatedTexts('await Promise.all([f(), g()]);')).toEqual([
      ';',
      'await Promise.all([null, g()]);',
      'await Promise.all([f(), null]);',
    ]);
    expect(mutatedTexts('const [x] = await Promise.all([f(), g()]);')).toEqual([]);
  });

  it('empty an awaited list that is only spread', () => {
    expect(mutatedTexts('const x = await f(); const y = [...x];')).toEqual([
      'const x = []; const y = [...x];',
    ]);
    expect(mutatedTexts('const x = await f(); const y = g(x, ...x);')).toEqual([]);
  });

  it('change constants and negations', () => {
    const source = "const x = [0, 7n, true, 'pending', !y];";
    expect(mutatedTexts(source)).toEqual([
      "const x = [1, 7n, true, 'pending', !y];",
      "const x = [0, 8n, true, 'pending', !y];",
      "const x = [0, 7n, false, 'pending', !y];",
      "const x = [0, 7n, true, '', !y];",
      "const x = [0, 7n, true, 'pending', (y)];",
    ]);
  });

  it('swap some and every, min and max, and remove filters and sorting', () => {
    expect(mutatedTexts('const x = a.some(f);')).toEqual(['const x = a.every(f);']);
    expect(mutatedTexts('const x = Math.max(a, b);')).toEqual(['const x = Math.min(a, b);']);
    expect(mutatedTexts('const x = a.filter(f);')).toEqual(['const x = a;']);
    expect(mutatedTexts('const x = a.toSorted(f);')).toEqual(['const x = a;']);
  });

  it('do not change the magnitude of a comparator’s result', () => {
    expect(mutatedTexts('const x = a ? -1 : 1;')).toEqual([
      'const x = true ? -1 : 1;',
      'const x = false ? -1 : 1;',
    ]);
  });

  it('leave types, imports, the messages of errors and log lines alone', () => {
    const source = `
      import { a } from '../a.ts';
      export type A = 'x' | 1;
      function f(b: 'y'): 2 { logger.warn({ b }, 'b is odd'); throw new RangeError('b must be ' + 3); }
      export { b } from '../b.ts';`;
    expect(mutatedTexts(source)).toEqual([]);
  });

  it('include the SQL of a template and its interpolations', () => {
    const source = 'const rows = sql`select 1 from t where a = ${b ? 1 : 2}`;';
    expect(mutatedTexts(source)).toEqual(
      expect.arrayContaining([
        'const rows = sql`select 1 from t where true`;',
        'const rows = sql`select 1 from t where a <> ${b ? 1 : 2}`;',
        'const rows = sql`select 1 from t where a = ${true ? 1 : 2}`;',
      ]),
    );
  });

  it('have a name with function and change, independent of the line', () => {
    const source = 'function f() { g(); g(); }';
    const names = typescriptMutants(source).map(({ name }) => name);
    expect(names).toEqual(['f: g(); → ;', 'f: g(); → ; #2']);
    expect(typescriptMutants(`\n\n${source}`).map(({ name }) => name)).toEqual(names);
  });
});
