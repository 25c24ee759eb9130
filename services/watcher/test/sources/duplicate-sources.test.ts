import { expect, test } from 'vitest';
import { findDuplicates, type Identified } from '../../src/sources/duplicate-sources.ts';

const node = (name: string, traits: string | null, startedMs: number | null = null): Identified => ({
  name,
  kind: '0',
  identity: traits === null ? null : { traits, startedMs },
});
const standIn = (name: string, traits: string | null): Identified => ({ ...node(name, traits), kind: '1' });

test.for<[string, Identified[], string[]]>([
  ['the same traits and start', [node('a', 'x', 5000), node('b', 'x', 6000)], ['a', 'b']],
  ['the same traits, started at other times', [node('a', 'x', 5000), node('b', 'x', 9000)], []],
  ['other traits', [node('a', 'x', 5000), node('b', 'y', 5000)], []],
  ['nothing that distinguishes them', [standIn('a', null), standIn('b', null)], ['a', 'b']],
  ['one that says nothing of itself', [standIn('a', 'x'), standIn('b', null)], []],
  ['a node and a stand-in', [node('a', null), standIn('b', null)], []],
  ['two of three alike', [standIn('a', 'x'), standIn('b', 'y'), standIn('c', 'x')], ['a', 'c']],
  ['one alone', [node('a', null)], []],
])('sources with %s', ([, sources, alike]) => {
  expect([...findDuplicates(sources).keys()]).toEqual(alike);
});
