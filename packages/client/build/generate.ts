/** The entry of `npm run generate`: writes what of the source follows from the OpenAPI document. */
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.ts';

for (const { url, text } of await generatedFiles()) writeFileSync(url, text);
