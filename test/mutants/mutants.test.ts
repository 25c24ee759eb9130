import { repositoryFolder } from '@paywatch/dev/stack';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { equivalentMutants } from './equivalent-mutants.ts';
import { sampleOf } from './mutations/mutation.ts';
import { filesOfNamedMutants } from './named-mutants.ts';
import { mutatedParts } from './parts.ts';
import { mutantsOf, namedMutantsOf } from './score-part.ts';

const read = (file: string): string => readFileSync(join(repositoryFolder, file), 'utf8');

describe('npm run mutants', () => {
  it.each(mutatedParts())('$name: every file has mutants, unless it only declares types', (part) => {
    const mutants = mutantsOf(part, read);
    expect(mutants.length).toBeGreaterThan(part.files.length);
  });

  it('every mutant in the list of equivalent ones exists and has a reason', () => {
    const mutants = mutatedParts().flatMap((part) => mutantsOf(part, read));
    const known = new Set(mutants.map(({ file, mutation }) => `${file} ${mutation.name}`));
    const listed = Object.entries(equivalentMutants).flatMap(([file, names]) =>
      Object.entries(names).map(([name, reason]) => ({ key: `${file} ${name}`, reason })),
    );
    expect(listed.filter(({ key }) => !known.has(key))).toEqual([]);
    expect(listed.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });

  it('every named mutant is one of a part, and changes a text that its file has once', () => {
    const named = mutatedParts().flatMap((part) => namedMutantsOf(part, read));
    expect(named.map(({ file }) => file).toSorted()).toEqual(filesOfNamedMutants().toSorted());
    expect(named).toHaveLength(9);
  });

  it('a seed repeats its sample, another seed gives another one, and a small part is sampled completely', () => {
    const items = Array.from({ length: 1000 }, (_, index) => index);
    expect(sampleOf(items, 50, 1)).toEqual(sampleOf(items, 50, 1));
    expect(sampleOf(items, 50, 1)).not.toEqual(sampleOf(items, 50, 2));
    expect(new Set(sampleOf(items, 50, 1)).size).toBe(50);
    expect(sampleOf(items, 5000, 1)).toEqual(items);
  });
});
