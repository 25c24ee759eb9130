import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Lints an OpenAPI document (JSON), including its examples against their schemas. Returns one message per problem. */
export async function lintApiDocument(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'info-license': 'off',
      // 405 belongs to a path, not to one of its operations, so no operation refers to it.
      'no-unused-components': 'off',
    },
  });
  const problems = await lintFromString({ source, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}
