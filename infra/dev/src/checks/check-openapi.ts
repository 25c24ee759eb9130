/**
 * `npm run openapi`: fails if the linter finds errors in the OpenAPI document, or if it breaks callers of the last release. With
 * `--release` it stores the document as that of the last release.
 */
import { openApiDocument } from '@paywatch/domain/openapi';
import { API_VERSION } from '@paywatch/domain/contract';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findApiBreaks } from './api-breaks.ts';
import { lintApiDocument } from './lint-api-document.ts';
import { repositoryFolder } from '../stack/processes.ts';

const released = join(repositoryFolder, 'docs/api/released.json');
const text = JSON.stringify(
  openApiDocument({ baseUrl: 'https://pay.example', version: API_VERSION }),
  null,
  2,
);
if (process.argv.includes('--release')) writeFileSync(released, `${text}\n`);

const complaints = [
  ...(await lintApiDocument(text)),
  ...findApiBreaks(JSON.parse(readFileSync(released, 'utf8')), JSON.parse(text)).map(
    (sentence) => `breaks callers of the last release: ${sentence}`,
  ),
];
for (const complaint of complaints) console.error(complaint);
console.log(`openapi: ${complaints.length} complaints`);
process.exitCode = complaints.length === 0 ? 0 : 1;
