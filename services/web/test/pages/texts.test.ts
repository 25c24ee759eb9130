import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ApiProblem } from '../../src/account/api/api-call.ts';
import { problemMessage } from '../../src/account/api/problem-message.ts';
import { LANGUAGES, type Language } from '../../src/ui/language.ts';
import { accountDe } from '../../src/account/account-de.ts';
import { accountEn } from '../../src/account/account-en.ts';

/** A dictionary is exported as `SOMETHING_TEXTS` by a file whose name ends in `-texts.ts`. */
const dictionaries: [string, Record<Language, unknown>][] = [
  ['ACCOUNT_TEXTS', { en: accountEn, de: accountDe }],
];
const folder = new URL('../../src/', import.meta.url);
for (const file of globSync('**/*-texts.ts', { cwd: folder }).toSorted())
  for (const [name, value] of Object.entries(await import(new URL(file, folder).href)))
    if (name.endsWith('_TEXTS'))
      dictionaries.push([`${name} of ${file}`, value as Record<Language, unknown>]);

it('finds the dictionaries', () => expect(dictionaries.length).toBeGreaterThan(30));

/** Every text by its path; functions are called with placeholder values. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return textsOf(value('1', '2', '3'), path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

describe.each(dictionaries)('%s', (_name, byLanguage) => {
  const english = textsOf(byLanguage.en);

  it.each(LANGUAGES.filter((language) => language !== 'en'))(
    'has every text in %s, none empty',
    (language) => {
      const texts = textsOf(byLanguage[language]);
      expect(texts.map(([path]) => path)).toEqual(english.map(([path]) => path));
      const empty = texts.filter(
        ([, text], index) => (text.trim() === '') !== (english[index]?.[1].trim() === ''),
      );
      expect(empty).toEqual([]);
    },
  );

  it('leaves no English sentence in another language', () => {
    const german = new Map(textsOf(byLanguage.de));
    const same = english.filter(([path, text]) => / \p{L}{2,} /u.test(text) && german.get(path) === text);
    expect(same).toEqual([]);
  });
});

describe('a field error', () => {
  it('is translated for known fields, and the API message otherwise', () => {
    const said = 'Must have at least 8 characters.';
    expect(accountEn.fieldError('password', said)).toBe(said);
    expect(accountDe.fieldError('password', said)).toBe('Verwenden Sie 8 bis 200 Zeichen.');
    expect(accountDe.fieldError('a field of tomorrow', said)).toBe(said);
  });
});

describe('the address mismatch message', () => {
  const said = 'The address belongs to this key at index 3, but as p2pkh.';
  const problem: ApiProblem = {
    code: 'address_mismatch',
    detail: said,
    errors: [],
    retryAfterSeconds: null,
    requestId: null,
    challenge: null,
    passkey: null,
  };

  it('contains the API message, with a translated introduction', () => {
    expect(problemMessage(problem, accountEn)).toBe(said);
    expect(problemMessage(problem, accountDe)).toMatch(
      /^Diese Adresse gehört nicht zur .+: The address belongs/,
    );
  });
});
