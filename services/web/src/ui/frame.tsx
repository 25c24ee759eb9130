import type { ComponentChildren } from 'preact';
import type { Language } from './language.ts';
import { LanguageLinks } from './language-links.tsx';

/** One column with the way to the other language below it: what payment, donation and problem pages share. */
export function Frame({ language, children }: { language: Language; children: ComponentChildren }) {
  return (
    <>
      <main class="column">{children}</main>
      <LanguageLinks language={language} />
    </>
  );
}
