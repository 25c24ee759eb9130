import { expect, test } from 'vitest';
import { CURRENCIES, NETWORKS, SCRIPT_TYPES } from '../../src/chain/chains.ts';
import { currencySchema, networkSchema, scriptTypeSchema } from '../../src/contract/index.ts';

// The contract imports nothing of the domain, so that browsers can load it: agreement is tested instead.
test.each([
  ['currencies', currencySchema.options, CURRENCIES],
  ['networks', networkSchema.options, NETWORKS],
  ['script types', scriptTypeSchema.options, SCRIPT_TYPES],
])('the %s of the contract are those of the domain', (_title, inContract, inDomain) => {
  expect(inContract).toEqual(inDomain);
});
