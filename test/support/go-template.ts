/**
 * Renders the part of Go's text/template that the chart uses: definitions, if, range, with, variables, pipelines and calls. Throws for
 * everything else, so that an unsupported template cannot pass a test.
 */

/** The functions of a template: arguments in order, the value of a pipeline last. */
export type Functions = Readonly<Record<string, (...args: unknown[]) => unknown>>;

type Block = { kind: 'text'; text: string } | { kind: 'action'; words: string[]; body: Block[] };
type Scope = { root: unknown; dot: unknown; variables: Record<string, unknown> };

const TOKEN = /"(?:[^"\\]|\\.)*"|:=|[|(),]|[^\s|(),]+/g;
const OPENING = new Set(['define', 'if', 'range', 'with']);

/** Parses files into templates by name: one per file and one per definition. Throws for invalid templates. */
export function parseTemplates(files: Readonly<Record<string, string>>): Map<string, Block[]> {
  const templates = new Map<string, Block[]>();
  for (const [name, text] of Object.entries(files)) {
    const parts = splitActions(text);
    const body = readBody(parts);
    if (parts.length > 0) throw new Error(`${name}: unexpected end`);
    templates.set(name, body);
    for (const block of body)
      if (block.kind === 'action' && block.words[0] === 'define')
        templates.set(unquote(block.words[1]), block.body);
  }
  return templates;
}

/** Renders a template with a value. Throws for an unknown function, field or construct. */
export function renderTemplate(body: readonly Block[], dot: unknown, functions: Functions): string {
  return renderBlocks(body, { root: dot, dot, variables: { $: dot } }, functions);
}

type Part = { kind: 'text'; text: string } | { kind: 'action'; words: string[] };

/** A dash inside the braces removes adjacent white space. */
function splitActions(text: string): Part[] {
  const parts: Part[] = [];
  let rest = text;
  for (;;) {
    const found = /(\s*\{\{-|\{\{)\s*(\/\*[^]*?\*\/|[^]*?)\s*(-\}\}\s*|\}\})/.exec(rest);
    if (!found) return [...parts, { kind: 'text', text: rest }];
    parts.push({ kind: 'text', text: rest.slice(0, found.index) });
    const action = found[2] ?? '';
    if (!action.startsWith('/*')) parts.push({ kind: 'action', words: action.match(TOKEN) ?? [] });
    rest = rest.slice(found.index + found[0].length);
  }
}

/** Removes the parts up to and including the matching `end`, and returns those before it. */
function readBody(parts: Part[]): Block[] {
  const blocks: Block[] = [];
  for (let part = parts.shift(); part; part = parts.shift()) {
    if (part.kind === 'text') blocks.push(part);
    else if (part.words[0] === 'end') return blocks;
    else blocks.push({ ...part, body: OPENING.has(part.words[0] ?? '') ? readBody(parts) : [] });
  }
  return blocks;
}

function renderBlocks(blocks: readonly Block[], scope: Scope, functions: Functions): string {
  const inner = { ...scope, variables: { ...scope.variables } };
  return blocks
    .map((block) => (block.kind === 'text' ? block.text : renderAction(block, inner, functions)))
    .join('');
}

function renderAction(
  { words, body }: Block & { kind: 'action' },
  scope: Scope,
  functions: Functions,
): string {
  const [first = '', ...rest] = words;
  const value = (tokens: readonly string[]) => evaluate([...tokens], scope, functions);
  const render = (dot: unknown, variables = {}) =>
    renderBlocks(body, { ...scope, dot, variables: { ...scope.variables, ...variables } }, functions);
  switch (first) {
    case 'define':
      return '';
    case 'if':
      return isTrue(value(rest)) ? render(scope.dot) : '';
    case 'with':
      return isTrue(value(rest)) ? render(value(rest)) : '';
    case 'range': {
      const [key, , item, assigns, ...list] = rest;
      if (assigns !== ':=')
        return entriesOf(value(rest))
          .map(([, each]) => render(each))
          .join('');
      return entriesOf(value(list))
        .map(([name, each]) => render(each, { [key ?? '']: name, [item ?? '']: each }))
        .join('');
    }
    default:
      if (rest[0] !== ':=') return textOf(value(words));
      scope.variables[first] = value(rest.slice(1));
      return '';
  }
}

/** Go iterates over maps in the order of their keys. */
function entriesOf(value: unknown): [unknown, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return Object.entries(recordOf(value)).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A pipeline: each call gets the value of the one before as its last argument. */
function evaluate(tokens: string[], scope: Scope, functions: Functions): unknown {
  let piped: unknown[] = [];
  while (tokens.length > 0 && tokens[0] !== ')') {
    const name = tokens[0] ?? '';
    const call = functions[name];
    if (call) tokens.shift();
    const args: unknown[] = [];
    while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')')
      args.push(operand(tokens, scope, functions));
    if (!call && args.length + piped.length !== 1) throw new Error(`unknown function: ${name}`);
    piped = [call ? call(...args, ...piped) : args[0]];
    if (tokens[0] === '|') tokens.shift();
  }
  return piped[0];
}

function operand(tokens: string[], scope: Scope, functions: Functions): unknown {
  const token = tokens.shift() ?? '';
  if (token === '(') {
    const value = evaluate(tokens, scope, functions);
    if (tokens.shift() !== ')') throw new Error('missing closing bracket');
    return value;
  }
  if (token.startsWith('"')) return unquote(token);
  if (/^-?\d+$/.test(token)) return Number(token);
  if (/^(?:true|false)$/.test(token)) return token === 'true';
  const [, variable = '', path = ''] = /^(\$\w*)?((?:\.\w*)*)$/.exec(token) ?? [];
  if (variable === '' && path === '') throw new Error(`unknown token: ${token}`);
  if (variable !== '' && !(variable in scope.variables)) throw new Error(`unknown variable: ${token}`);
  const start = variable === '' ? scope.dot : scope.variables[variable];
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce((value, name) => recordOf(value)[name], start);
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`no fields in ${String(value)}`);
  return Object.fromEntries(Object.entries(value));
}

/** In Go empty values are false. */
export function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error('cannot print an object');
}

function unquote(token = ''): string {
  return String(JSON.parse(token));
}
