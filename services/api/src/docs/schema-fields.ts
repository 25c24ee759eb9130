import { followReference, type ApiDocument, type ParameterPart, type SchemaPart } from './api-document.ts';
import { html, prose, type Html } from './html.ts';

/** In a request, required fields are marked; in a response, optional ones. */
type Flow = 'request' | 'answer';

/** The fields of an object as a list of terms; nested fields unfold. */
export function fieldList(document: ApiDocument, schema: SchemaPart, flow: Flow): Html {
  const { properties = {}, required = [], items, type } = followReference(document, schema);
  if (items !== undefined) return fieldList(document, items, flow);
  if (type !== 'object') return html``;
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldRow(document, name, field, flow, required.includes(name)),
  );
  return html`<dl class="fields">${rows}</dl>`;
}

/** Parameters, in the same form. */
export function parameterList(document: ApiDocument, parameters: readonly ParameterPart[]): Html {
  const rows = parameters.map(({ name, schema, description, required = false }) =>
    fieldRow(
      document,
      name,
      description === undefined ? schema : { ...schema, description },
      'request',
      required,
    ),
  );
  return html`<dl class="fields">${rows}</dl>`;
}

function fieldRow(
  document: ApiDocument,
  name: string,
  field: SchemaPart,
  flow: Flow,
  isRequired: boolean,
): Html {
  const schema = followReference(document, field);
  const mark = isRequired ? MARKS[flow].always : MARKS[flow].sometimes;
  const nested = hasFields(document, schema)
    ? html`<details>
        <summary>Fields of ${name}</summary>
        ${fieldList(document, schema, flow)}
      </details>`
    : undefined;
  return html`<dt><code>${name}</code> <span>${typeOf(document, schema)}</span>${mark}</dt>
    <dd>
      ${schema.description === undefined ? undefined : prose(schema.description)}${limitsOf(schema)}${nested}
    </dd> `;
}

const MARKS = {
  request: { always: html` <span class="required">required</span>`, sometimes: html` <span>optional</span>` },
  answer: { always: undefined, sometimes: html` <span>may be absent</span>` },
} as const;

function hasFields(document: ApiDocument, schema: SchemaPart): boolean {
  const { properties, items } = followReference(document, schema);
  return properties !== undefined || (items !== undefined && hasFields(document, items));
}

function typeOf(document: ApiDocument, { type, format, nullable, items }: SchemaPart): string {
  const inner = items === undefined ? '' : ` of ${followReference(document, items).type ?? 'values'}s`;
  return `${type ?? 'value'}${inner}${format === undefined ? '' : `, ${format}`}${nullable === true ? ', or null' : ''}`;
}

function limitsOf(schema: SchemaPart): Html {
  const { minimum, maximum, minLength, maxLength, default: usual } = schema;
  const values = (schema.enum ?? []).flatMap((value) => value ?? []);
  const limits = [
    ...(values.length === 0
      ? []
      : [html`One of ${values.map((value, i) => html`${i === 0 ? '' : ', '}<code>${value}</code>`)}. `]),
    ...rangeOf(minimum, maximum, ''),
    ...rangeOf(minLength, maxLength, ' characters'),
    ...(usual === undefined ? [] : [html`<code>${String(usual)}</code> by default.`]),
  ];
  return limits.length === 0 ? html`` : html` <span class="limits">${limits}</span>`;
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): Html[] {
  // Every count has this lower bound, so it is left out.
  if (most === undefined) return least === undefined || least <= 1 ? [] : [html`At least ${least}${unit}. `];
  return least === undefined ? [html`At most ${most}${unit}. `] : [html`${least} to ${most}${unit}. `];
}
