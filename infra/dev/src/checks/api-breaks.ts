/** The parts of an OpenAPI 3.0 document that are compared. */
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> };
};
type Operation = {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
  security?: object[];
};
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Response = { $ref?: string; content?: Content };
type Content = Record<string, { schema: Schema }>;
type Schema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  [limit: string]: unknown;
};

/** A place in both documents, and whether its data is a request or a response. */
type Place = { released: ApiDocument; current: ApiDocument; name: string; flow: 'request' | 'answer' };

/**
 * Lists the changes that can break a caller of the released API, one sentence each: a removed operation, field or success status, a
 * newly required or more restricted input, a response field that may now be missing, null or of another type. Pure.
 */
export function findApiBreaks(released: ApiDocument, current: ApiDocument): string[] {
  return Object.entries(released.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, before]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const after = current.paths[path]?.[method];
      if (after === undefined) return [`${name} was removed`];
      return operationBreaks({ released, current, name, flow: 'request' }, before, after);
    }),
  );
}

function operationBreaks(place: Place, before: Operation, after: Operation): string[] {
  return [
    ...parameterBreaks(place, before.parameters ?? [], after.parameters ?? []),
    ...bodyBreaks(place, before, after),
    ...answerBreaks({ ...place, flow: 'answer' }, before.responses, after.responses),
    ...(isOpen(before) && !isOpen(after) ? [`${place.name} now requires credentials`] : []),
  ];
}

function isOpen({ security = [] }: Operation): boolean {
  return security.length === 0;
}

function parameterBreaks(place: Place, before: Parameter[], after: Parameter[]): string[] {
  const known = before.flatMap((parameter) => {
    const at = { ...place, name: `${place.name} ${parameter.in} ${parameter.name}` };
    const now = after.find((other) => other.name === parameter.name && other.in === parameter.in);
    if (now === undefined) return [`${at.name} was removed`];
    const isNew = now.required === true && parameter.required !== true;
    return [
      ...(isNew ? [`${at.name} is now required`] : []),
      ...schemaBreaks(at, parameter.schema, now.schema),
    ];
  });
  const added = after.filter(
    (parameter) =>
      parameter.required === true &&
      !before.some((other) => other.name === parameter.name && other.in === parameter.in),
  );
  return [
    ...known,
    ...added.map((parameter) => `${place.name} ${parameter.in} ${parameter.name} is now required`),
  ];
}

function bodyBreaks(place: Place, before: Operation, after: Operation): string[] {
  const at = { ...place, name: `${place.name} body` };
  if (before.requestBody === undefined)
    return after.requestBody?.required === true ? [`${at.name} is now required`] : [];
  if (after.requestBody === undefined) return [`${at.name} was removed`];
  const isNew = after.requestBody.required === true && before.requestBody.required !== true;
  return [
    ...(isNew ? [`${at.name} is now required`] : []),
    ...contentBreaks(at, before.requestBody.content, after.requestBody.content),
  ];
}

/** Compares success responses only: operations may gain error codes, and all errors have one shape. */
function answerBreaks(place: Place, before: Operation['responses'], after: Operation['responses']): string[] {
  const successes = Object.entries(before).filter(([status]) => status.startsWith('2'));
  return successes.flatMap(([status, answer]) => {
    const at = { ...place, name: `${place.name} ${status}` };
    const now = after[status];
    return now === undefined ? [`${at.name} was removed`] : contentBreaks(at, answer.content, now.content);
  });
}

function contentBreaks(place: Place, before: Content = {}, after: Content = {}): string[] {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type];
    return now === undefined
      ? [`${place.name} ${type} was removed`]
      : schemaBreaks(place, schema, now.schema);
  });
}

function schemaBreaks(place: Place, given: Schema, now: Schema): string[] {
  // References are followed everywhere. This ends because no schema refers to itself.
  const before = resolve(place.released, given);
  const after = resolve(place.current, now);
  return [
    ...valueBreaks(place, before, after),
    ...(place.flow === 'request' ? narrowings(place, before, after) : []),
    ...fieldBreaks(place, before, after),
    ...(before.items && after.items
      ? schemaBreaks({ ...place, name: `${place.name}[]` }, before.items, after.items)
      : []),
  ];
}

/** Resolves a reference and merges the parts of an allOf. */
function resolve(document: ApiDocument, schema: Schema): Schema {
  const named =
    schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (named === undefined) throw new Error(`${schema.$ref} is not in the document`);
  const parts = (named.allOf ?? []).map((part) => resolve(document, part));
  return parts.reduce<Schema>(
    (joined, part) => ({
      ...part,
      ...joined,
      properties: { ...part.properties, ...joined.properties },
      required: [...(part.required ?? []), ...(joined.required ?? [])],
    }),
    named,
  );
}

function valueBreaks({ name, flow }: Place, before: Schema, after: Schema): string[] {
  const isOtherType = before.type !== after.type;
  const wasNullable = before.nullable === true;
  const isNullable = after.nullable === true;
  return [
    ...(isOtherType ? [`${name} was ${before.type ?? 'anything'} and is ${after.type ?? 'anything'}`] : []),
    ...(flow === 'answer' && isNullable && !wasNullable ? [`${name} may now be null`] : []),
    ...(flow === 'request' && wasNullable && !isNullable ? [`${name} may no longer be null`] : []),
  ];
}

const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'];
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'];

function narrowings({ name }: Place, before: Schema, after: Schema): string[] {
  const gone = (before.enum ?? []).filter((value) => !(after.enum ?? [value]).includes(value));
  const newEnum = before.enum === undefined && after.enum !== undefined;
  const bound = (key: string, least: number) => ({
    was: Number(before[key] ?? least),
    is: Number(after[key] ?? least),
  });
  const tighter = [
    ...LOWER_BOUNDS.filter((key) => bound(key, -Infinity).is > bound(key, -Infinity).was),
    ...UPPER_BOUNDS.filter((key) => bound(key, Infinity).is < bound(key, Infinity).was),
  ];
  return [
    ...gone.map((value) => `${name} no longer accepts ${String(value)}`),
    ...(newEnum ? [`${name} now accepts listed values only`] : []),
    ...tighter.map((key) => `${name} has a tighter ${key}`),
    ...(after.pattern !== undefined && after.pattern !== before.pattern
      ? [`${name} has a different pattern`]
      : []),
  ];
}

function fieldBreaks(place: Place, before: Schema, after: Schema): string[] {
  const required = (schema: Schema, field: string) => schema.required?.includes(field) === true;
  const known = Object.entries(before.properties ?? {}).flatMap(([field, schema]) => {
    const at = { ...place, name: `${place.name} ${field}` };
    const now = after.properties?.[field];
    if (now === undefined) return [`${at.name} was removed`];
    const becomes = required(after, field) && !required(before, field);
    const ceases = !required(after, field) && required(before, field);
    return [
      ...(place.flow === 'request' && becomes ? [`${at.name} is now required`] : []),
      ...(place.flow === 'answer' && ceases ? [`${at.name} may now be missing`] : []),
      ...schemaBreaks(at, schema, now),
    ];
  });
  const added = (after.required ?? []).filter((field) => before.properties?.[field] === undefined);
  return [
    ...known,
    ...(place.flow === 'request' ? added.map((field) => `${place.name} ${field} is now required`) : []),
  ];
}
