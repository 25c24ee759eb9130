/**
 * Fixes the seed of property tests: otherwise a mutant that only some values reveal would be killed in one run and survive the next.
 */
import * as fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
