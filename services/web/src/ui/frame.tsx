import type { ComponentChildren } from 'preact';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../texts/language.ts';

/** One column with the way to the other language below it: what payment, donation and problem pages share. */
export function Frame({ language, children }: { language: Language; children: ComponentChildren }) {
  return (
    <>
      <main class="column">{children}</main>
      <footer class="foot">
        {LANGUAGES.filter((other) => other !== language).map((other) => (
          <a key={other} href={`?lang=${other}`} lang={other} hreflang={other} rel="nofollow">
            {LANGUAGE_NAMES[other]}
          </a>
        ))}
      </footer>
    </>
  );
}
