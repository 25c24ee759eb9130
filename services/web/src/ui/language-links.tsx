import { LANGUAGES, type Language } from './language.ts';

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** Links to the other languages; works without JavaScript. */
export function LanguageLinks({ language }: { language: Language }) {
  return (
    <footer class="foot">
      {LANGUAGES.filter((other) => other !== language).map((other) => (
        <a key={other} href={`?lang=${other}`} lang={other} hreflang={other} rel="nofollow">
          {LANGUAGE_NAMES[other]}
        </a>
      ))}
    </footer>
  );
}
