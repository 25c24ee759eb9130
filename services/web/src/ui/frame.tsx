import type { ComponentChildren } from 'preact';
import type { Language } from './language.ts';
import { LanguageLinks } from './language-links.tsx';

/** The layout of payment, donation and error pages: one column with the language links below it. */
export function Frame({ language, children }: { language: Language; children: ComponentChildren }) {
  return (
    <>
      <main class="column">{children}</main>
      <LanguageLinks language={language} />
    </>
  );
}
