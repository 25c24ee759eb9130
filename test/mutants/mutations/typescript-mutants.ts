import ts from 'typescript';
import { nameChanges, type Change, type Mutation } from './mutation.ts';
import { sqlChanges } from './sql-mutants.ts';

/** All mutations of a TypeScript module, including its SQL templates. Excludes types, imports, and texts of errors and logs. */
export function typescriptMutants(source: string): Mutation[] {
  const file = ts.createSourceFile('mutated.ts', source, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const visit = (node: ts.Node, within: string): void => {
    if (isLeftAlone(node)) return;
    const name = nameOf(node) ?? within;
    for (const [target, becomes] of replacements(node, file)) {
      if (becomes === target.getText(file)) continue;
      const [start, end] = [target.getStart(file), target.getEnd()];
      changes.push({ start, end, becomes, within: name });
    }
    if (isSql(node)) changes.push(...sqlChanges(node.template, file, name));
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(file, 'module');
  return nameChanges(source, unique(changes));
}

type Replacement = [target: ts.Node, becomes: string];

function replacements(node: ts.Node, file: ts.SourceFile): Replacement[] {
  const textOf = (part: ts.Node): string => part.getText(file);
  if (ts.isBinaryExpression(node)) return binaryReplacements(node, textOf);
  if (ts.isIfStatement(node)) return forced(node.expression);
  if (ts.isConditionalExpression(node)) return forced(node.condition);
  if (ts.isExpressionStatement(node)) return [[node, ';']];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return isCondition(node) ? [] : [[node, `(${textOf(node.operand)})`]];
  if (ts.isCallExpression(node)) return [...callReplacements(node, textOf), ...leftOutCalls(node)];
  if (ts.isVariableDeclaration(node)) return isSpreadList(node) ? [[node.initializer, '[]']] : [];
  return literalReplacements(node, textOf);
}

/** Replaces the condition by `true` and `false`. */
function forced(condition: ts.Expression): Replacement[] {
  return [
    [condition, 'true'],
    [condition, 'false'],
  ];
}

const flips = new Map<ts.SyntaxKind, readonly string[]>([
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [ts.SyntaxKind.PlusToken, ['-']],
  [ts.SyntaxKind.MinusToken, ['+']],
  [ts.SyntaxKind.AsteriskToken, ['/']],
  [ts.SyntaxKind.SlashToken, ['*']],
  [ts.SyntaxKind.PercentToken, ['*']],
  [ts.SyntaxKind.AmpersandToken, ['|']],
  [ts.SyntaxKind.BarToken, ['&']],
  [ts.SyntaxKind.LessThanLessThanToken, ['>>']],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, ['<<']],
]);

function binaryReplacements(node: ts.BinaryExpression, textOf: (part: ts.Node) => string): Replacement[] {
  const { left, right, operatorToken } = node;
  const { kind } = operatorToken;
  if (kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken) {
    return [
      [node, `(${textOf(left)})`],
      [node, `(${textOf(right)})`],
    ];
  }
  if (kind === ts.SyntaxKind.QuestionQuestionToken) return [[node, `(${textOf(right)})`]];
  // A condition that is itself a comparison is covered by its flipped operator.
  if (isEquality(node) && isCondition(node)) return [];
  return (flips.get(kind) ?? []).map((becomes) => [operatorToken, becomes]);
}

function isEquality({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken
  );
}

function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  return ts.isConditionalExpression(parent) && parent.condition === node;
}

/** Methods that are swapped, and those that are removed from a chain. */
const swappedMethods = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
]);
const droppedMethods = new Set(['filter', 'toSorted', 'toReversed']);

function callReplacements(node: ts.CallExpression, textOf: (part: ts.Node) => string): Replacement[] {
  if (!ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const swapped = swappedMethods.get(name.text);
  if (swapped !== undefined) return [[name, swapped]];
  return droppedMethods.has(name.text) ? [[node, textOf(expression)]] : [];
}

/** Removes each call of a `Promise.all` whose results are unused. */
function leftOutCalls(node: ts.CallExpression): Replacement[] {
  const [list] = node.arguments;
  const isUnread = ts.isAwaitExpression(node.parent) && ts.isExpressionStatement(node.parent.parent);
  if (!isUnread || node.expression.getText() !== 'Promise.all' || !list) return [];
  return ts.isArrayLiteralExpression(list) ? list.elements.map((call) => [call, 'null']) : [];
}

/** Whether it declares an awaited list that is only spread, and can therefore be replaced by an empty one. */
function isSpreadList(
  node: ts.VariableDeclaration,
): node is ts.VariableDeclaration & { initializer: ts.Expression } {
  if (!node.initializer || !ts.isAwaitExpression(node.initializer) || !ts.isIdentifier(node.name))
    return false;
  const uses = usesOf(node.name, node.parent.parent.parent);
  return uses.length > 0 && uses.every(({ parent }) => ts.isSpreadElement(parent));
}

function usesOf(name: ts.Identifier, scope: ts.Node): ts.Node[] {
  const uses: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node !== name && node.text === name.text) uses.push(node);
    ts.forEachChild(node, visit);
  };
  visit(scope);
  return uses;
}

function literalReplacements(node: ts.Node, textOf: (part: ts.Node) => string): Replacement[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true']];
  if (ts.isNumericLiteral(node))
    return isSignOfComparator(node) ? [] : [[node, String(Number(node.text) + 1)]];
  if (ts.isBigIntLiteral(node)) return [[node, `${BigInt(node.text.slice(0, -1)) + 1n}n`]];
  if (ts.isStringLiteral(node) && !isPropertyName(node) && textOf(node).length > 2) return [[node, "''"]];
  return [];
}

/** The literal of `? -1 : 1`: only the sign of a comparator's result matters. */
function isSignOfComparator({ parent }: ts.NumericLiteral): boolean {
  const branch = ts.isPrefixUnaryExpression(parent) ? parent.parent : parent;
  return ts.isConditionalExpression(branch) && /\? -?1 : -?1$/.test(branch.getText());
}

function isPropertyName(node: ts.StringLiteral): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

function isSql(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && /^(tx|sql)$/.test(node.tag.text);
}

/** Whether a node has no effect on tested behaviour: types, imports, texts of errors and logs. */
function isLeftAlone(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    (ts.isNewExpression(node) && node.expression.getText().endsWith('Error')) ||
    (ts.isExpressionStatement(node) && isLogCall(node.expression))
  );
}

function isLogCall(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && /\blogger\.(debug|info|warn|error)$/.test(node.expression.getText());
}

function nameOf(node: ts.Node): string | null {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node);
  return isNamed && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
}

/** Removes duplicates: two rules mutate a condition that is a literal. */
function unique(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((one) => [`${one.start} ${one.end} ${one.becomes}`, one])).values()];
}
