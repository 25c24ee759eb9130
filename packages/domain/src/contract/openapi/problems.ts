import { ERROR_CODES, errorStatus, type ErrorCode } from '../error-codes.ts';
import { headerReferences, type HeaderName } from './headers.ts';

/** An error response of the OpenAPI document: all codes that one status of an operation may carry. */
export interface ProblemResponse {
  /** Name of the response component; the same codes always have the same name. */
  readonly name: string;
  readonly status: number;
  readonly response: ReturnType<typeof problemResponse>;
}

/** Groups the codes of an operation by status, each group one response. Pure and stable in order. */
export function problemResponses(codes: readonly ErrorCode[]): readonly ProblemResponse[] {
  const statuses = [...new Set(codes.map(errorStatus))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const ofStatus = codes.filter((code) => errorStatus(code) === status).sort();
    return {
      name: ofStatus.map(pascalCase).join('Or'),
      status,
      response: problemResponse(ofStatus, HEADERS_OF_STATUS[status] ?? []),
    };
  });
}

function problemResponse(codes: readonly ErrorCode[], headers: readonly HeaderName[]) {
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].description}`).join('\n\n'),
    ...(headers.length === 0 ? {} : { headers: headerReferences(headers) }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object' as const, properties: { code: { type: 'string' as const, enum: [...codes] } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
      },
    },
  };
}

/** The response with this code. */
function exampleProblem(code: ErrorCode): object {
  const { status, title, description } = ERROR_CODES[code];
  return {
    type: `/docs#${code}`,
    title,
    status,
    detail: description,
    code,
    request_id: '01JD5V6Q2R8Z4T9XK3M7WBNC0H',
    ...(code === 'second_factor_required'
      ? {
          second_factor: {
            challenge: 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRq',
            expires_at: '2026-11-20T12:05:00.000Z',
            passkey: null,
          },
        }
      : {}),
    ...(code === 'validation_error'
      ? {
          errors: [
            {
              path: 'body.expected_amount',
              message: 'Is required when type is order, unless price is sent.',
            },
          ],
        }
      : {}),
  };
}

const HEADERS_OF_STATUS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

function pascalCase(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
