import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import { bodyError } from './json-body.ts';

/** A name of 50 and a message of 200 characters need less than half of this, percent-encoded. */
const MAX_FORM_BYTES = 8 * 1024;

const parseForm = express.urlencoded({
  extended: false,
  limit: MAX_FORM_BYTES,
  parameterLimit: 20,
  inflate: false,
});
const fieldsSchema = z.record(z.string(), z.unknown()).catch({});

/**
 * Reads the fields of a form that a browser sent without script; empty if the body is no form. Throws AppError `payload_too_large`,
 * `unsupported_media_type` (charset or compression) or `malformed_json`.
 */
export async function readFormBody(request: Request, response: Response): Promise<Record<string, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  parseForm(request, response, (error?: unknown) => (error ? reject(bodyError(error)) : resolve()));
  await promise;
  return fieldsSchema.parse(request.body);
}
