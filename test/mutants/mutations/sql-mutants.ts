import type ts from 'typescript';
import type { Change } from './mutation.ts';

/**
 * Mutations of one SQL template: removes each condition of `where`, `on`, `having`, `filter` and `when`, flips comparisons, removes
 * assignments of `update`, and reverses orders, minima and maxima. Ignores the content of `${…}`; nested SQL templates are mutated
 * separately.
 */
export function sqlChanges(template: ts.TemplateLiteral, file: ts.SourceFile, within: string): Change[] {
  const offset = template.getStart(file) + 1;
  return sqlMutants(maskedText(template, file)).map(({ start, end, becomes }) => ({
    start: offset + start,
    end: offset + end,
    becomes,
    within,
  }));
}

/** A part of an SQL text and its replacement. */
export type SqlChange = { start: number; end: number; becomes: string };

/** Mutations of plain SQL with `?` in place of interpolated values. */
export function sqlMutants(text: string): SqlChange[] {
  const tokens = tokensOf(text);
  const conditions = conditionsOf(tokens);
  return [
    ...conditions.flatMap((condition) => conditionChanges(condition)),
    ...assignmentChanges(tokens),
    ...turnedRound(tokens),
  ].filter(({ start, end, becomes }) => text.slice(start, end) !== becomes);
}

/** Masks interpolated values, which are not SQL, without moving other characters. */
function maskedText(template: ts.TemplateLiteral, file: ts.SourceFile): string {
  const start = template.getStart(file) + 1;
  const text = file.text.slice(start, template.getEnd() - 1);
  if (!('templateSpans' in template)) return text;
  return template.templateSpans.reduce((masked, { expression }) => {
    const [from, to] = [expression.getFullStart() - start - 2, expression.getEnd() - start + 1];
    return masked.slice(0, from) + '?'.repeat(to - from) + masked.slice(to);
  }, text);
}

type Token = { text: string; word: string; start: number; end: number; depth: number };

const TOKEN = /--[^\n]*|'(?:[^']|'')*'|\?+|[a-z_][\w.]*|\d+|->>|->|@>|<@|=>|::|\|\||<=|>=|<>|[<>=]|[^\s]/gi;

function tokensOf(text: string): Token[] {
  let depth = 0;
  return [...text.matchAll(TOKEN)]
    .filter(([found]) => !found.startsWith('--'))
    .map((match) => {
      const [found] = match;
      if (found === ')') depth -= 1;
      const token = {
        text: found,
        word: found.toLowerCase(),
        start: match.index,
        end: match.index + found.length,
        depth,
      };
      if (found === '(') depth += 1;
      return token;
    });
}

const OPENERS = new Set(['where', 'on', 'having', 'when']);
const CLOSERS = new Set(
  'where,group,order,limit,returning,union,for,join,left,inner,cross,having,then,window,offset,do,set,except'.split(
    ',',
  ),
);

/** The tokens of each condition, without its keyword. `on conflict` and `distinct on` have none. */
function conditionsOf(tokens: readonly Token[]): Token[][] {
  return tokens.flatMap((opener, index) => {
    const isOther = tokens[index + 1]?.word === 'conflict' || tokens[index - 1]?.word === 'distinct';
    if (!OPENERS.has(opener.word) || isOther) return [];
    const rest = tokens.slice(index + 1);
    const end = rest.findIndex(
      ({ depth, word }) =>
        depth < opener.depth || (depth === opener.depth && (CLOSERS.has(word) || word === ';')),
    );
    const condition = end === -1 ? rest : rest.slice(0, end);
    return condition.length > 0 ? [condition] : [];
  });
}

function conditionChanges(condition: readonly Token[]): SqlChange[] {
  const conjuncts = splitAt(condition, 'and');
  const dropped = conjuncts.map((conjunct) => ({ ...spanOf(conjunct), becomes: 'true' }));
  const alternatives = conjuncts.flatMap((conjunct) => splitAlternatives(conjunct));
  return [
    ...dropped,
    ...alternatives.map((alternative) => ({ ...spanOf(alternative), becomes: 'false' })),
    ...comparisons(condition),
  ];
}

/** `between a and b` is one condition. */
function splitAt(tokens: readonly Token[], separator: string): Token[][] {
  const level = Math.min(...tokens.map(({ depth }) => depth));
  const parts: Token[][] = [[]];
  let isBetween = false;
  for (const token of tokens) {
    if (token.word === 'between') isBetween = true;
    if (token.depth === level && token.word === separator && !isBetween) parts.push([]);
    else parts.at(-1)?.push(token);
    if (token.word === 'and') isBetween = false;
  }
  return parts.filter((part) => part.length > 0);
}

/** The operands of `a or b`, with or without parentheses. */
function splitAlternatives(conjunct: readonly Token[]): Token[][] {
  const isWrapped = conjunct[0]?.text === '(' && conjunct.at(-1)?.text === ')';
  const inner = isWrapped ? conjunct.slice(1, -1) : conjunct;
  const parts = inner.length > 0 ? splitAt(inner, 'or') : [];
  return parts.length > 1 ? parts : [];
}

const FLIPS = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['=', '<>'],
  ['<>', '='],
]);

/** Nested conditions are mutated separately. */
function comparisons(condition: readonly Token[]): SqlChange[] {
  const level = Math.min(...condition.map(({ depth }) => depth));
  const subqueries = subqueryRanges(condition);
  return condition
    .filter(
      (token) =>
        token.depth <= level + 2 && !subqueries.some(([from, to]) => token.start > from && token.end < to),
    )
    .flatMap((token, index, all) => {
      const flipped = FLIPS.get(token.text);
      if (flipped !== undefined) return [{ start: token.start, end: token.end, becomes: flipped }];
      if (token.word !== 'is') return [];
      if (all[index + 1]?.word === 'null') return [{ start: token.start, end: token.end, becomes: 'is not' }];
      const isNotNull = all[index + 1]?.word === 'not' && all[index + 2]?.word === 'null';
      return isNotNull ? [{ start: token.start, end: all[index + 1]!.end, becomes: 'is' }] : [];
    });
}

function subqueryRanges(tokens: readonly Token[]): [from: number, to: number][] {
  return tokens.flatMap((open, index): [number, number][] => {
    if (open.text !== '(' || tokens[index + 1]?.word !== 'select') return [];
    const close = tokens.slice(index + 1).find(({ text, depth }) => text === ')' && depth === open.depth);
    return close ? [[open.start, close.end]] : [];
  });
}

/** Removes each assignment of `set a = 1, b = 2`; a single one becomes a self-assignment. */
function assignmentChanges(tokens: readonly Token[]): SqlChange[] {
  return tokens.flatMap((opener, index) => {
    if (opener.word !== 'set') return [];
    const rest = tokens.slice(index + 1);
    const end = rest.findIndex(
      ({ depth, word }) => depth < opener.depth || /^(where|from|returning|;)$/.test(word),
    );
    const parts = splitAt(end === -1 ? rest : rest.slice(0, end), ',');
    if (parts.some((part) => part[1]?.text !== '=')) return [];
    if (parts.length === 1) return parts.flatMap(toItself);
    return parts.map((part, position) => leftOut(parts, part, position));
  });
}

function toItself([column, , ...value]: readonly Token[]): SqlChange[] {
  return column ? [{ ...spanOf(value), becomes: column.text }] : [];
}

function leftOut(parts: readonly Token[][], part: Token[], position: number): SqlChange {
  const { start, end } = spanOf(part);
  const next = parts[position + 1];
  const previous = parts[position - 1];
  if (next) return { start, end: spanOf(next).start, becomes: '' };
  return { start: previous ? spanOf(previous).end : start, end, becomes: '' };
}

const TURNED = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['least', 'greatest'],
  ['greatest', 'least'],
  ['bool_or', 'bool_and'],
  ['bool_and', 'bool_or'],
  ['desc', 'asc'],
]);

function turnedRound(tokens: readonly Token[]): SqlChange[] {
  return tokens.flatMap(({ word, start, end }) => {
    const becomes = TURNED.get(word);
    return becomes === undefined ? [] : [{ start, end, becomes }];
  });
}

function spanOf(tokens: readonly Token[]): { start: number; end: number } {
  return { start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 };
}
