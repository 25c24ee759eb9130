import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../src/ui/language.ts';

describe('the language of a page', () => {
  it.each([
    [null, null, 'en'],
    [null, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
    [null, 'fr-FR,fr;q=0.9,de;q=0.4,en;q=0.3', 'de'],
    [null, 'en;q=0.3, de;q=0.7', 'de'],
    [null, 'de;q=0, en', 'en'],
    [null, 'fr, *;q=0.1', 'en'],
    [null, ';;;q=,,', 'en'],
    ['de', 'en', 'de'],
    ['en', 'de', 'en'],
    ['xx', 'de', 'de'],
  ])('for ?lang=%s and Accept-Language %s is %s', (wanted, accept, language) => {
    expect(chooseLanguage(wanted, accept)).toBe(language);
  });
});
