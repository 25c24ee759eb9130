/** The OpenAPI document as the reference reads it: what our own generator writes, and no more. */
export type ApiDocument = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationPart>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaPart>>;
    readonly responses: Readonly<Record<string, AnswerPart>>;
  };
};

/** One operation. */
export type OperationPart = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly ParameterPart[];
  readonly requestBody?: { readonly required: boolean; readonly content: ContentPart };
  readonly responses: Readonly<Record<string, AnswerPart>>;
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: OperationPart }>>>>;
};

/** A parameter in the path, the query or a header. */
export type ParameterPart = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaPart;
};

/** One response; errors are references to components. */
type AnswerPart = {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: ContentPart;
};

type ContentPart = Readonly<
  Record<
    string,
    {
      readonly schema: SchemaPart;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, unknown>>;
    }
  >
>;

/** A schema. */
export type SchemaPart = {
  readonly $ref?: string;
  readonly allOf?: readonly SchemaPart[];
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly (string | null)[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly items?: SchemaPart;
};

/** A schema with its reference followed, and the parts of an allOf joined. Throws where a reference leads nowhere. */
export function followReference(document: ApiDocument, schema: SchemaPart): SchemaPart {
  const { $ref, allOf, ...own } = schema;
  const referred = $ref === undefined ? [] : [document.components.schemas[nameOf($ref)]];
  const parts = [...referred, ...(allOf ?? [])].map((part) => {
    if (part === undefined) throw new Error(`${$ref} is not in the document`);
    return followReference(document, part);
  });
  return Object.assign({}, ...parts, own);
}

/** The last part of a reference: the name of the component. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
