import { describe, expect, it } from 'vitest';
import type { ApiProblem } from '../../src/account/api/api-call.ts';
import { problemMessage } from '../../src/account/api/problem-message.ts';
import { LANGUAGES } from '../../src/ui/language.ts';
import { accountDe } from '../../src/account/account-de.ts';
import { accountEn } from '../../src/account/account-en.ts';
import { ACCOUNT_SHELL_TEXTS } from '../../src/server/account-shell-texts.ts';
import { MAIL_LINKS_TEXTS } from '../../src/account/screens/mail-links/mail-links-texts.ts';
import { OVERLAY_TEXTS } from '../../src/overlay/overlay-texts.ts';
import { SOURCE_TEXTS } from '../../src/overlay/sources/source-texts.ts';
import { SOURCES_TEXTS } from '../../src/account/screens/donations/sources/sources-texts.ts';
import { LINKS_TEXTS } from '../../src/account/screens/links/links-texts.ts';
import { NOTICES_TEXTS } from '../../src/account/screens/settings/notices/notices-texts.ts';
import { REAUTHENTICATION_TEXTS } from '../../src/account/app/reauthentication/reauthentication-texts.ts';
import { PASSKEY_TEXTS } from '../../src/account/passkeys/passkey-texts.ts';
import { SECOND_FACTORS_TEXTS } from '../../src/account/screens/settings/second-factors/second-factors-texts.ts';
import { SECOND_STEP_TEXTS } from '../../src/account/screens/login/second-step-texts.ts';
import { LINK_TEXTS, PAGE_TEXTS } from '../../src/server/page-texts.ts';

const dictionaries = {
  PAGE_TEXTS,
  LINK_TEXTS,
  OVERLAY_TEXTS,
  SOURCE_TEXTS,
  SOURCES_TEXTS,
  ACCOUNT_SHELL_TEXTS,
  MAIL_LINKS_TEXTS,
  LINKS_TEXTS,
  NOTICES_TEXTS,
  PASSKEY_TEXTS,
  REAUTHENTICATION_TEXTS,
  SECOND_FACTORS_TEXTS,
  SECOND_STEP_TEXTS,
  ACCOUNT_TEXTS: { en: accountEn, de: accountDe },
};

/** Every text by its path; functions are called with placeholder values. */
function textsOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return textsOf(value('1', '2', '3'), path);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

describe.each(Object.entries(dictionaries))('%s', (_name, byLanguage) => {
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
    const same = english.filter(([path, text]) => / \w+ /.test(text) && german.get(path) === text);
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
