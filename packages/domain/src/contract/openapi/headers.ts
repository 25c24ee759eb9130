interface HeaderComponent {
  readonly description: string;
  readonly schema: { type: 'string' | 'integer'; minimum?: number; example?: string; enum?: string[] };
}

/** Response headers by the name of their component in the OpenAPI document. */
export const HEADER_COMPONENTS: Readonly<Record<string, HeaderComponent>> = {
  RetryAfter: {
    description: 'Seconds after which a retry makes sense.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description: 'What is left of the limit: `r` requests, for `t` more seconds.',
    schema: { type: 'string', example: '"login";r=9;t=900' },
  },
  RateLimitPolicy: {
    description: 'The limit: `q` requests in `w` seconds.',
    schema: { type: 'string', example: '"login";q=10;w=900' },
  },
  IdempotentReplayed: {
    description: '`true`: this invoice existed before.',
    schema: { type: 'string', enum: ['true'] },
  },
  IdempotencyMismatch: {
    description:
      '`true`: the body differs from the one that created the invoice. Absent where it is the same.',
    schema: { type: 'string', enum: ['true'] },
  },
  Allow: { description: 'The methods of the resource.', schema: { type: 'string', example: 'GET, POST' } },
  WwwAuthenticate: {
    description: 'How to authenticate.',
    schema: { type: 'string', example: 'Bearer' },
  },
};

const COMPONENT_OF_HEADER = {
  'Retry-After': 'RetryAfter',
  RateLimit: 'RateLimit',
  'RateLimit-Policy': 'RateLimitPolicy',
  'Idempotent-Replayed': 'IdempotentReplayed',
  'Idempotency-Mismatch': 'IdempotencyMismatch',
  Allow: 'Allow',
  'WWW-Authenticate': 'WwwAuthenticate',
} as const;

/** The name of a header that a response may have. */
export type HeaderName = keyof typeof COMPONENT_OF_HEADER;

/** References to header components, as an OpenAPI response lists them. */
export function headerReferences(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${COMPONENT_OF_HEADER[name]}` }]),
  );
}
