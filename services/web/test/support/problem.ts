import {
  ERROR_CODES,
  type ErrorCode,
  type FieldError,
  type PasskeyRequestOptions,
  type ProblemBody,
} from '@paywatch/domain/contract';
import type { Answer } from './contract-server.ts';

/** A problem response like the API's. */
export function problem(
  code: ErrorCode,
  more: {
    errors?: FieldError[];
    retryAfter?: number;
    detail?: string;
    challenge?: string;
    passkey?: PasskeyRequestOptions | null;
  } = {},
): Answer {
  const { status, title, description } = ERROR_CODES[code];
  const body: ProblemBody = {
    type: `/docs#${code}`,
    title,
    status,
    detail: more.detail ?? description,
    code,
    request_id: 'req_test',
    ...(more.challenge === undefined
      ? {}
      : {
          second_factor: {
            challenge: more.challenge,
            expires_at: '2026-11-20T12:05:00.000Z',
            passkey: more.passkey ?? null,
          },
        }),
    ...(more.errors === undefined ? {} : { errors: more.errors }),
  };
  return {
    status,
    body,
    headers: more.retryAfter === undefined ? {} : { 'Retry-After': String(more.retryAfter) },
  };
}
